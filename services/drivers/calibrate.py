"""UDP packets of known sizes at known times, with which the testbed measures itself.

The service's `schedule`, which scripts/plan/calibration.py computes from the link, lists what is sent. First
come sparse probes, each into an empty queue. Then come floods, one for each frame size. A flood is a burst
that overfills the queue, followed by slightly more than the link can carry, so the queue is never empty.
"""

import json
import math
import signal
import socket
import time
from pathlib import Path

from scripts.base.records import Json
from scripts.model.problems import Code, problem
from scripts.model.services import Flood, Probes, Schedule, Service
from services.drivers import ServiceError
from services.use_time import UseTime

PROGRAMS: dict[str, str] = {}
NAMES = False
CONTROL_PORT = 5201
DATA_PORT = 5211
HEADERS_BYTES = 14 + 20 + 8
"""Ethernet, IPv4 and UDP."""
LONGEST_SLEEP_S = 0.001


def serve(service: Service, address: str, directory: Path) -> None:
    """Send the schedule to the client that connects, send it the result, and run until stopped.

    The kernel answers on the probe's port as long as this process lives.
    """
    assert service.schedule is not None
    with (
        socket.create_server((address, service.probe.port), backlog=64),
        socket.create_server((address, CONTROL_PORT)) as control,
    ):
        connection, (client, _) = control.accept()
        with connection:
            connection.sendall(json.dumps(_send(service.schedule, address, client)).encode())
        signal.pause()


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Receive the schedule without reading it: the capture counts the packets.

    Returns:
        `probes_sent`; `late_p50_us`, `late_p99_us` and `late_max_us`, the delay of the probes behind their
        schedule; `sent`, the packets of every flood by frame size.

    Raises:
        ServiceError: the sender failed.
    """
    use_time = UseTime(seconds, directory)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink:
        sink.bind(("", DATA_PORT))
        with socket.create_connection((address, CONTROL_PORT)) as control, control.makefile() as answer:
            result = answer.read()
        if not result:
            raise ServiceError(problem(Code.CALIBRATION_FAILED))
        use_time.wait()
    return dict(json.loads(result))


def _send(schedule: Schedule, source: str, destination: str) -> dict[str, Json]:
    """Send probes and floods; return the result as `use` does."""
    assert schedule.lead_s is not None and schedule.probes is not None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.bind((source, DATA_PORT))
        sender.connect((destination, DATA_PORT))
        time.sleep(schedule.lead_s)
        late_us = _send_probes(sender, schedule.probes)
        return {
            "probes_sent": len(late_us),
            "late_p50_us": _percentile(late_us, 0.5),
            "late_p99_us": _percentile(late_us, 0.99),
            "late_max_us": late_us[-1],
            "sent": {str(flood.frame_bytes): _send_flood(sender, flood) for flood in schedule.floods},
        }


def _send_probes(sender: socket.socket, probes: Probes) -> list[float]:
    """Send a packet every `gap_us`; return the delay of each behind its schedule, ascending, µs."""
    packet = bytes(probes.frame_bytes - HEADERS_BYTES)
    start_ns = time.monotonic_ns()
    late_us = []
    for number in range(probes.count):
        due_ns = start_ns + number * probes.gap_us * 1000
        time.sleep(max(0, due_ns - time.monotonic_ns()) / 1e9)
        late_us.append((time.monotonic_ns() - due_ns) / 1000)
        sender.send(packet)
    time.sleep(probes.gap_us / 1e6)
    return sorted(late_us)


def _send_flood(sender: socket.socket, flood: Flood) -> int:
    """Send a burst at once and then a packet every `gap_us`; wait until the queue is empty.

    Each sleep is much shorter than the burst takes to drain, so the queue does not become empty.

    Returns:
        The number of packets sent.
    """
    packet = bytes(flood.frame_bytes - HEADERS_BYTES)
    sleep_s = min(LONGEST_SLEEP_S, flood.burst_packets * flood.gap_us / 4e6)
    start = time.monotonic()
    sent, elapsed_s = 0, 0.0
    while elapsed_s < flood.seconds:
        due = flood.burst_packets + int(elapsed_s * 1e6 / flood.gap_us)
        while sent < due:
            sender.send(packet)
            sent += 1
        time.sleep(sleep_s)
        elapsed_s = time.monotonic() - start
    time.sleep(flood.drain_s)
    return sent


def _percentile(ordered: list[float], fraction: float) -> float:
    """The smallest value that at least this fraction of the values does not exceed."""
    return ordered[max(0, math.ceil(fraction * len(ordered)) - 1)]
