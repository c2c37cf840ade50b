"""TCP connects and listening ports: whether a service is up, and its round-trip time."""

import subprocess
import sys
import time
from collections.abc import Callable

from testbed.hosts import Host

PROBES = 10

_CONNECT = """
import socket, struct, sys, time
reset = struct.pack("ii", 1, 0)
name, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
address = socket.getaddrinfo(name, port, socket.AF_INET)[0][4][0]
for _ in range(count):
    before = time.monotonic_ns()
    with socket.create_connection((address, port), timeout=2) as connection:
        print(time.monotonic_ns() - before)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
"""


def base_rtt_ns(client: Host, place: str, port: int) -> int:
    """The RTT before delay is added: the shortest of ten TCP connects, ns (Prudentia 3.1).

    Each connection ends with a reset. After an ordinary close the kernel could retransmit unacknowledged
    segments during the trial.

    Args:
        client: the host that connects.
        place: a name or address; a name is resolved once.
        port: the TCP port.

    Raises:
        TimeoutError: fewer than ten connects were answered.
    """
    done = subprocess.run(
        client.command(sys.executable, "-c", _CONNECT, place, str(port), str(PROBES)),
        capture_output=True,
        text=True,
        check=False,
    )
    times = [int(line) for line in done.stdout.split()]
    if len(times) < PROBES:
        raise TimeoutError(f"{place} port {port} answered {len(times)} of {PROBES} TCP connects")
    return min(times)


def wait_until_listening(
    host: Host, port: int, timeout_s: float, status: Callable[[], int | None] = lambda: None
) -> None:
    """Return once a program on `host` listens at the TCP port.

    Args:
        host: the host.
        port: the port.
        timeout_s: how long to wait.
        status: returns the exit status of the program; None while it runs.

    Raises:
        TimeoutError: no program listens after `timeout_s`, or when the program has ended.
    """
    deadline = time.monotonic() + timeout_s
    while not host.output("ss", "-Htln", f"sport = :{port}").strip():
        if (ended := status()) is not None:
            raise TimeoutError(f"the program ended with status {ended} before it listened at TCP port {port}")
        if time.monotonic() > deadline:
            raise TimeoutError(f"nothing listens at TCP port {port} after {timeout_s:g} s")
        time.sleep(0.02)
