"""The embedded switch at 50 Mbps, beside the kernel's token bucket on a veth, under the same UDP flood."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.model.settings import Link
from testbed.bottleneck import Port
from testbed.embedded.backend import EmbeddedBottleneck
from testbed.hosts import Host, client_host, make_hosts, service_host
from testbed.tcp_probes import wait_until_listening
from tests.bench.process import Size

IPERF_PORT = 5201
RATE_MBPS = 50
SECONDS = {"full": 6, "tiny": 3}
PAYLOAD_BYTES = 1472  # an IP packet of 1500 bytes
SWITCH_BYTES = 1514 + 24  # what the switch charges for it
TBF_BYTES = 1514  # what the kernel charges


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """The error of either rate, and the CPU time and lateness of the switch."""
    if os.geteuid() != 0:
        print("switch: needs root, left out", file=sys.stderr)
        return
    for what in ("embedded", "tbf"):
        command = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc"]
        command += [sys.executable, "-m", "tests.bench.switch", what, str(SECONDS[size])]
        figures = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        yield from ((f"{what}: {name}", figure, unit) for name, figure, unit in figures)


def _flood(service: Host, client: Host, charged_bytes: int, seconds: int) -> float:
    """The relative error of the rate, from packets received while 10 % too many are sent."""
    listening = subprocess.Popen(service.command("iperf3", "-s", "-1"), stdout=subprocess.DEVNULL)
    wait_until_listening(service, IPERF_PORT, 10)
    words = ["iperf3", "-c", service.address, "-p", str(IPERF_PORT), "-u", "-b", f"{RATE_MBPS * 1.1}M", "-R"]
    words += ["-l", str(PAYLOAD_BYTES), "-t", str(seconds), "-J"]
    done = subprocess.run(client.command(*words), check=True, stdout=subprocess.PIPE)
    listening.wait()
    middle = [part["sum"] for part in json.loads(done.stdout)["intervals"][1:-1]]
    measured_s = sum(part["seconds"] for part in middle)
    rate = sum(part["bytes"] for part in middle) / PAYLOAD_BYTES * charged_bytes * 8 / measured_s
    return rate / (RATE_MBPS * 1e6) - 1


def _embedded(seconds: int) -> list[tuple[str, float, str]]:
    work = Path("/run/bench")
    (work / "logs").mkdir(parents=True)
    client, service = client_host(1), service_host(1)
    link = Link(title="x", rate_mbps=RATE_MBPS, rtt_ms=50, queue_packets=1024, discipline="droptail")
    switch = EmbeddedBottleneck(link, 1, work)
    make_hosts([(client, service)], switch.make_interface)
    switch.start([Port(client, service, 25_000_000, 25_000_000)], log_queue=True)
    error = _flood(service, client, SWITCH_BYTES, seconds)
    report = switch.stop()
    return [
        ("error of the rate", error * 100, "%"),
        ("CPU", report["cpu_ns"] / 1e9 / (seconds + 1) * 100, "% of a core"),
        ("late, median", report["lateness_ns"]["p50"] / 1e3, "us"),
        ("late, p99", report["lateness_ns"]["p99"] / 1e3, "us"),
        ("early, p99", report["earliness_ns"]["p99"] / 1e3, "us"),
    ]


def _tbf(seconds: int) -> list[tuple[str, float, str]]:
    client, service = Host("a", "198.18.1.2", ""), Host("b", "198.18.1.10", "")
    lines = [
        "ip netns add a", "ip netns add b", "ip link add x netns a type veth peer name y netns b",
        f"ip -n a addr add {client.address}/24 dev x", f"ip -n b addr add {service.address}/24 dev y",
        "ip -n a link set x up", "ip -n b link set y up",
        f"tc -n b qdisc add dev y root tbf rate {RATE_MBPS}mbit burst 3028 limit 1550000",
    ]  # fmt: skip
    for line in lines:
        subprocess.run(line.split(), check=True)
    return [("error of the rate", _flood(service, client, TBF_BYTES, seconds) * 100, "%")]


if __name__ == "__main__":
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    measured = {"embedded": _embedded, "tbf": _tbf}[sys.argv[1]]
    json.dump(measured(int(sys.argv[2])), sys.stdout)
