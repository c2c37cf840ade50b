"""The embedded switch at 50 Mbps, beside the kernel's token bucket on a veth, under the same UDP flood."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

RATE_MBPS = 50
SECONDS = 6
PAYLOAD_BYTES = 1472  # an IP packet of 1500 bytes
SWITCH_BYTES = 1514 + 24  # what the switch charges for it
TBF_BYTES = 1514  # what the kernel charges


def measure() -> Iterator[tuple[str, float, str]]:
    """Errors of the rate, and what the switch costs and how late it is."""
    if os.geteuid() != 0:
        print("switch: needs root, left out", file=sys.stderr)
        return
    for what in ("embedded", "tbf"):
        command = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc"]
        command += [sys.executable, "-m", "tests.bench.switch", what]
        figures = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        yield from ((f"{what}: {name}", figure, unit) for name, figure, unit in figures)


def _flood(server: list[str], client: list[str], address: str, charged_bytes: int) -> float:
    """The relative error of the rate, from packets received while 10 % too many are sent."""
    listening = subprocess.Popen([*server, "iperf3", "-s", "-1"], stdout=subprocess.DEVNULL)
    subprocess.run(["sleep", "0.5"], check=True)
    words = ["iperf3", "-c", address, "-u", "-b", f"{RATE_MBPS * 1.1}M", "-l", str(PAYLOAD_BYTES), "-J", "-R"]
    report = json.loads(
        subprocess.run([*client, *words, "-t", str(SECONDS)], check=True, stdout=subprocess.PIPE).stdout
    )
    listening.wait()
    middle = [part["sum"] for part in report["intervals"][1:-1]]
    seconds = sum(part["seconds"] for part in middle)
    rate = sum(part["bytes"] for part in middle) / PAYLOAD_BYTES * charged_bytes * 8 / seconds
    return rate / (RATE_MBPS * 1e6) - 1


def _embedded() -> list[tuple[str, float, str]]:
    from scripts.model.settings import Link
    from testbed.bottleneck import Port
    from testbed.embedded.backend import EmbeddedBottleneck
    from testbed.hosts import client_host, make_hosts, service_host

    work = Path("/run/bench")
    (work / "logs").mkdir(parents=True)
    client, service = client_host(1), service_host(1)
    link = Link(title="x", rate_mbps=RATE_MBPS, rtt_ms=50, queue_packets=1024, discipline="droptail")
    switch = EmbeddedBottleneck(link, 1, work)
    make_hosts([(client, service)], switch.make_interface)
    switch.start([Port(client, service, 25_000_000, 25_000_000)], log_queue=True)
    error = _flood(service.command(), client.command(), service.address, SWITCH_BYTES)
    report = switch.stop()
    return [
        ("error of the rate", error * 100, "%"),
        ("CPU", report["cpu_ns"] / 1e9 / (SECONDS + 1) * 100, "% of a core"),
        ("late, median", report["lateness_ns"]["p50"] / 1e3, "us"),
        ("late, p99", report["lateness_ns"]["p99"] / 1e3, "us"),
        ("early, p99", report["earliness_ns"]["p99"] / 1e3, "us"),
    ]


def _tbf() -> list[tuple[str, float, str]]:
    lines = [
        "ip netns add a", "ip netns add b", "ip link add x netns a type veth peer name y netns b",
        "ip -n a addr add 198.18.1.2/24 dev x", "ip -n b addr add 198.18.1.10/24 dev y",
        "ip -n a link set x up", "ip -n b link set y up",
        f"tc -n b qdisc add dev y root tbf rate {RATE_MBPS}mbit burst 3028 limit 1550000",
    ]  # fmt: skip
    for line in lines:
        subprocess.run(line.split(), check=True)
    error = _flood(["ip", "netns", "exec", "b"], ["ip", "netns", "exec", "a"], "198.18.1.10", TBF_BYTES)
    return [("error of the rate", error * 100, "%")]


if __name__ == "__main__":
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    json.dump(_embedded() if sys.argv[1] == "embedded" else _tbf(), sys.stdout)
