"""UDP of known sizes at known times: what the testbed measures itself with.

`schedule` of the service, which scripts/plan/calibration.py computes from the link, says what is sent: first
sparse probes, each into an empty queue, then floods of one frame size after the other, each a burst that
overfills the queue and then somewhat more than the link can carry, so that the queue is never empty.
"""

import json
import math
import signal
import socket
import time
from pathlib import Path
from typing import Any

from services.drivers import ServiceError

PROGRAMS: dict[str, str] = {}
CONTROL_PORT = 5201
DATA_PORT = 5211
HEADERS_BYTES = 14 + 20 + 8
"""Ethernet, IPv4 and UDP."""
LONGEST_SLEEP_S = 0.001


def serve(service: dict[str, Any], address: str, directory: Path) -> None:
    """Send the schedule to the client that connects, tell it how that went, and stay until stopped.

    The kernel answers at the probe's port for as long as this process lives.
    """
    with (
        socket.create_server((address, service["probe"]["port"]), backlog=64),
        socket.create_server((address, CONTROL_PORT)) as control,
    ):
        connection, (client, _) = control.accept()
        with connection:
            connection.sendall(json.dumps(_send(service["schedule"], address, client)).encode())
        signal.pause()


def use(service: dict[str, Any], address: str, seconds: int, directory: Path) -> dict[str, Any]:
    """Receive the schedule, unread: the capture counts.

    Returns:
        `probes_sent`, and `late_p50_us`, `late_p99_us`, `late_max_us`: how long after their time they were
        sent; `sent`: packets of every flood, by frame size.

    Raises:
        ServiceError: the sender broke.
    """
    end = time.monotonic() + seconds
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink:
        sink.bind(("", DATA_PORT))
        with socket.create_connection((address, CONTROL_PORT)) as control, control.makefile() as answer:
            said = answer.read()
        if not said:
            raise ServiceError("the sender of the calibration broke")
        time.sleep(max(0.0, end - time.monotonic()))
    return dict(json.loads(said))


def _send(schedule: dict[str, Any], source: str, destination: str) -> dict[str, Any]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.bind((source, DATA_PORT))
        sender.connect((destination, DATA_PORT))
        time.sleep(schedule["lead_s"])
        late_us = _probe(sender, **schedule["probes"])
        return {
            "probes_sent": len(late_us),
            "late_p50_us": _percentile(late_us, 0.5),
            "late_p99_us": _percentile(late_us, 0.99),
            "late_max_us": late_us[-1],
            "sent": {str(flood["frame_bytes"]): _flood(sender, **flood) for flood in schedule["floods"]},
        }


def _probe(sender: socket.socket, frame_bytes: int, count: int, gap_us: int) -> list[float]:
    """Send a packet every `gap_us`; returns how late each was, in order of size, µs."""
    packet = bytes(frame_bytes - HEADERS_BYTES)
    began_ns = time.monotonic_ns()
    late_us = []
    for number in range(count):
        due_ns = began_ns + number * gap_us * 1000
        time.sleep(max(0, due_ns - time.monotonic_ns()) / 1e9)
        late_us.append((time.monotonic_ns() - due_ns) / 1000)
        sender.send(packet)
    time.sleep(gap_us / 1e6)
    return sorted(late_us)


def _flood(
    sender: socket.socket, frame_bytes: int, burst_packets: int, gap_us: float, seconds: float, drain_s: float
) -> int:
    """Send a burst at once and then a packet every `gap_us` for some seconds; wait until the queue is empty.

    Sleeps are short against the time the burst takes to drain, so that none lets the queue run empty.

    Returns:
        How many were sent.
    """
    packet = bytes(frame_bytes - HEADERS_BYTES)
    sleep_s = min(LONGEST_SLEEP_S, burst_packets * gap_us / 4e6)
    began = time.monotonic()
    sent, elapsed_s = 0, 0.0
    while elapsed_s < seconds:
        due = burst_packets + int(elapsed_s * 1e6 / gap_us)
        while sent < due:
            sender.send(packet)
            sent += 1
        time.sleep(sleep_s)
        elapsed_s = time.monotonic() - began
    time.sleep(drain_s)
    return sent


def _percentile(ordered: list[float], fraction: float) -> float:
    """The smallest value that this fraction of them does not exceed."""
    return ordered[max(0, math.ceil(fraction * len(ordered)) - 1)]
