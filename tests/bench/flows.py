"""Our generator of flows at 1,000 flows a minute, beside D-ITG with the same sizes and times.

Each has a loopback with Ethernet's packet size for itself, and paces every flow to 100 Mbps. All flows
together need 80 Mbps. A capture of the SYNs tells when flows started. D-ITG cannot tell when its schedule
began, so lateness is counted from that of the most punctual flow. D-ITG takes times in ms.
"""

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from scripts.base.built_programs import built_program
from scripts.base.records import to_json
from scripts.model.services import FlowSchedule
from services.drivers.flows import PROGRAM
from tests.bench.process import Size

SECONDS = {"full": 20, "tiny": 3}
"""The time of the schedule. D-ITG 2.8.1 crashes if it has 500 flows."""

FLOWS_PER_MINUTE = 1000
RATE_MBPS, LOAD_MBPS = 100, 80
SEGMENT_BYTES = 1448
SEGMENTS = round(LOAD_MBPS * 1e6 / 8 * 60 / FLOWS_PER_MINUTE / SEGMENT_BYTES)
ADDRESS, PORT = "127.0.0.1", 5203
FIRST_PORT = 10_000
"""Of flow 0: its source port with ours (services/flows/schedule.h), its destination port with D-ITG."""

LEAD_MS = 1000
"""When the first flow may start. D-ITG makes a thread for every flow before."""

DRAIN_S = 2


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """Lateness, CPU and traffic of both."""
    if os.geteuid() != 0:
        print("flows: needs root, left out", file=sys.stderr)
        return
    for what in GENERATORS:
        if what == "D-ITG" and shutil.which("ITGSend") is None:
            print("flows: D-ITG is not installed, left out; apt-get install d-itg", file=sys.stderr)
            return
        command = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc"]
        command += [sys.executable, "-m", "tests.bench.flows", what, str(SECONDS[size])]
        figures = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        yield from ((f"{what}: {name}", figure, unit) for name, figure, unit in figures)


def _figures(what: str, seconds: int, folder: Path) -> list[tuple[str, float, str]]:
    """The figures of one generator. The schedule takes so many seconds."""
    commands, port = GENERATORS[what]
    drawn = Random(1)
    count = FLOWS_PER_MINUTE * seconds // 60
    starts_ms = sorted(LEAD_MS + drawn.randrange(seconds * 1000) for _ in range(count))
    before = _carried_bytes()
    cpu_s = _captured_cpu_s(commands(starts_ms, folder), LEAD_MS / 1000 + seconds + DRAIN_S, folder / "syns")
    carried_bytes = _carried_bytes() - before
    started_ms = _started_ms(folder / "syns", port)
    behind_ms = sorted(started_ms[number] - starts_ms[number] for number in started_ms)
    late_ms = [each - behind_ms[0] for each in behind_ms]
    return [
        ("flows started", len(late_ms) / count * 100, "% of the schedule"),
        ("late, median", statistics.median(late_ms), "ms"),
        ("late, p99", late_ms[len(late_ms) * 99 // 100], "ms"),
        ("late, maximum", late_ms[-1], "ms"),
        ("CPU", cpu_s / seconds * 100, "% of a core"),
        ("carried", carried_bytes * 8 / 1e6 / seconds, "Mbps"),
    ]


def _our_commands(starts_ms: Sequence[int], folder: Path) -> list[list[str]]:
    """The server of our flows, and their client."""
    sizes_bytes = (SEGMENTS * SEGMENT_BYTES,) * len(starts_ms)
    schedule = FlowSchedule(
        tuple(start_ms * 1000 for start_ms in starts_ms), sizes_bytes, rate_limit_mbps=RATE_MBPS
    )
    path, place = folder / "schedule.json", [ADDRESS, str(PORT)]
    path.write_text(json.dumps(to_json(schedule)), encoding="utf-8")
    program = built_program(PROGRAM)
    return [
        [program, "serve", *place, str(folder / "flows.log")],
        [program, "use", *place, str(path), str(folder / "result.json")],
    ]


def _itg_commands(starts_ms: Sequence[int], folder: Path) -> list[list[str]]:
    """The receiver of D-ITG, and its sender."""
    size = f"-c {SEGMENT_BYTES} -z {SEGMENTS} -C {RATE_MBPS * 1_000_000 // 8 // SEGMENT_BYTES}"
    lines = [
        f"-a {ADDRESS} -rp {FIRST_PORT + number} -T TCP {size} -d {start_ms}\n"
        for number, start_ms in enumerate(starts_ms)
    ]
    (folder / "script").write_text("".join(lines), encoding="utf-8")
    return [["ITGRecv"], ["ITGSend", str(folder / "script")]]


def _captured_cpu_s(commands: Sequence[Sequence[str]], seconds: float, syns: Path) -> float:
    """The CPU time of these commands, as `_cpu_s`, while the SYNs are captured to a file."""
    words = ["dumpcap", "-q", "-i", "lo", "-f", "tcp[tcpflags] == tcp-syn", "-w", str(syns)]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as capture:
        time.sleep(1)
        cpu_s = _cpu_s(commands, seconds)
        capture.send_signal(signal.SIGINT)
    return cpu_s


def _cpu_s(commands: Sequence[Sequence[str]], seconds: float) -> float:
    """The CPU time in seconds of these commands, which are killed after so many seconds."""
    started = []
    for command in commands:
        started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        time.sleep(0.5)
    time.sleep(seconds)
    used_s = 0.0
    for process in started:
        os.kill(process.pid, signal.SIGKILL)
        usage = os.wait4(process.pid, 0)[2]
        used_s += usage.ru_utime + usage.ru_stime
    return used_s


def _carried_bytes() -> int:
    return int(Path("/sys/class/net/lo/statistics/rx_bytes").read_text(encoding="ascii"))


def _started_ms(capture: Path, port: str) -> dict[int, float]:
    """The time of the first SYN of every flow, by the flow's number, which the port tells."""
    command = ["tshark", "-r", str(capture), "-T", "fields", "-e", port, "-e", "frame.time_relative"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    times: dict[int, float] = {}
    for number, time_s in map(str.split, lines):
        if int(number) in range(FIRST_PORT, FIRST_PORT + FLOWS_PER_MINUTE):
            times.setdefault(int(number) - FIRST_PORT, float(time_s) * 1000)
    return times


GENERATORS = {"ours": (_our_commands, "tcp.srcport"), "D-ITG": (_itg_commands, "tcp.dstport")}
"""The commands of each, and the port that tells a flow's number."""


if __name__ == "__main__":
    subprocess.run(["mount", "-t", "sysfs", "sysfs", "/sys"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up", "mtu", "1500", "gso_max_segs", "1"], check=True)
    with tempfile.TemporaryDirectory() as scratch:
        json.dump(_figures(sys.argv[1], int(sys.argv[2]), Path(scratch)), sys.stdout)
