"""What the kernel says of a host's sockets and of the path to a service."""

import re
import subprocess
import sys
import time
from pathlib import Path

from testbed.hosts import Host

PROBES = 10
WORKLOAD_BYTES = 100_000
"""A connection that sent more than this carries the workload; control connections send less."""

_CONNECT = """
import socket, sys, time
address, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for _ in range(count):
    before = time.monotonic_ns()
    with socket.create_connection((address, port), timeout=2):
        print(time.monotonic_ns() - before)
"""


def base_rtt_ns(client: Host, address: str, port: int) -> int:
    """The shortest of ten TCP connects from `client`, ns (Prudentia 3.1: the RTT before delay is added).

    Raises:
        TimeoutError: nothing answers at that port.
    """
    done = subprocess.run(
        client.command(sys.executable, "-c", _CONNECT, address, str(port), str(PROBES)),
        capture_output=True,
        text=True,
        check=False,
    )
    times = [int(line) for line in done.stdout.split()]
    if len(times) < PROBES:
        raise TimeoutError(f"{address} port {port} answered {len(times)} of {PROBES} TCP connects")
    return min(times)


def wait_until_listening(host: Host, port: int, timeout_s: float) -> None:
    """Return once something on `host` listens at the TCP port.

    Raises:
        TimeoutError: nothing does in time.
    """
    deadline = time.monotonic() + timeout_s
    while not host.output("ss", "-Htln", f"sport = :{port}").strip():
        if time.monotonic() > deadline:
            raise TimeoutError(f"nothing listens at TCP port {port} after {timeout_s:g} s")
        time.sleep(0.02)


def congestion_controls(sockets: str) -> list[str]:
    """The congestion controls in effect on the connections that carry the workload, sorted.

    Args:
        sockets: what `ss -Htin` printed: a line for a connection, then an indented line of its state.
    """
    known = Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()
    controls = set()
    for line in sockets.splitlines():
        sent = re.search(r"\bbytes_sent:(\d+)", line)
        if line[:1].isspace() and sent and int(sent[1]) > WORKLOAD_BYTES:
            controls |= {word for word in line.split() if word in known}
    return sorted(controls)
