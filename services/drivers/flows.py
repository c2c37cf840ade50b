"""Generated TCP flows: sizes and times as the plan drew them, each flow over a connection of its own.

Its program, observatory-flows (services/flows/), is our own because no maintained one starts a list of flows
at given times and reports when each connected and ended: D-ITG logs packets, and flowgrind's flows last for
a duration.
"""

import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from scripts.base.built_programs import built_program
from scripts.base.records import Json, read_record, to_json
from scripts.model.problems import Code, problem
from scripts.model.services import FlowSchedule, Service
from services.drivers import ServiceError, unmet
from services.use_time import SHARED, UseTime

PROGRAMS: dict[str, str] = {}
NAMES = False
PROGRAM = "observatory-flows"
POLL_S = 0.05
SERVER_LOG = "flows.log"
"""The file in SHARED with number and retransmissions of every flow whose connection ended, one a line."""

LOG_TIMEOUT_S = 2
"""How long after the client's time the server may take to learn that the last connections ended."""


def serve(service: Service, address: str, directory: Path) -> None:
    """Run the server of the flows in place of this process. Its port is that of the probe."""
    log = directory / SHARED / SERVER_LOG
    command = [built_program(PROGRAM), "serve", address, str(service.probe.port), str(log)]
    os.execv(command[0], command)


@dataclass(frozen=True)
class Report:
    """What the program reports about the flows, in the order of the schedule (services/flows/client.h)."""

    since_ns: int
    started_ns: tuple[int | None, ...]
    connected_ns: tuple[int | None, ...]
    first_ns: tuple[int | None, ...]
    last_ns: tuple[int | None, ...]
    received_bytes: tuple[int, ...]
    broken: int


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Start the flows of the service's `schedule`, and read each until its end or that of the time.

    The route of the service's side sets its congestion control: an unprivileged client may not.

    Returns:
        `since_ns`, the beginning of the schedule; `flows` (services/drivers/flows.yaml); `received_bytes` of
        all flows; `unmet` if nothing was received or a connection broke.

    Raises:
        ServiceError: the program failed.
    """
    assert service.schedule is not None and service.schedule.flows is not None
    schedule = service.schedule.flows
    report = _run(service, schedule, address, UseTime(seconds, directory), directory)
    retransmissions = _retransmissions(directory / SHARED / SERVER_LOG, report)
    received_bytes = sum(report.received_bytes)
    is_silent = any(report.started_ns) and not received_bytes
    broken = problem(Code.FLOWS_BROKEN, report.broken, len(report.started_ns)) if report.broken else None
    return {
        "since_ns": report.since_ns,
        "received_bytes": received_bytes,
        "flows": _observed(schedule, report, retransmissions),
        **unmet(problem(Code.NOTHING_RECEIVED) if is_silent else None, broken),
    }


def _run(
    service: Service, schedule: FlowSchedule, address: str, use_time: UseTime, directory: Path
) -> Report:
    """Run the program until the time is over."""
    plan, result = directory / "schedule.json", directory / "flows.json"
    plan.write_text(json.dumps(to_json(schedule)), encoding="utf-8")
    command = [built_program(PROGRAM), "use", address, str(service.probe.port), str(plan), str(result)]
    with subprocess.Popen(command) as program:
        while program.poll() is None and use_time.left_s:
            use_time.wait(POLL_S)
        program.terminate()
    if program.returncode != 0:
        raise ServiceError(problem(Code.FLOWS_FAILED))
    use_time.wait()
    return read_record(Report, result)


def _retransmissions(log: Path, report: Report) -> dict[int, int]:
    """The retransmitted segments of flows by number, as far as the server knows them within LOG_TIMEOUT_S."""
    connected = {number for number, time_ns in enumerate(report.connected_ns) if time_ns is not None}
    deadline = time.monotonic() + LOG_TIMEOUT_S
    while True:
        text = log.read_text(encoding="ascii") if log.exists() else ""
        whole_lines = text.rpartition("\n")[0].splitlines()
        found = {int(number): int(count) for number, count in map(str.split, whole_lines)}
        if connected <= found.keys() or time.monotonic() > deadline:
            return found
        time.sleep(POLL_S)


def _observed(schedule: FlowSchedule, report: Report, retransmissions: dict[int, int]) -> dict[str, Json]:
    numbers = range(len(schedule.starts_us))
    limit_mbps = schedule.rate_limit_mbps
    return {
        "planned_us": list(schedule.starts_us),
        "size_bytes": list(schedule.sizes_bytes),
        "group": [number // schedule.group_flows for number in numbers],
        "started_ns": list(report.started_ns),
        "connected_ns": list(report.connected_ns),
        "first_ns": list(report.first_ns),
        "last_ns": list(report.last_ns),
        "received_bytes": list(report.received_bytes),
        "retransmissions": [retransmissions.get(number) for number in numbers],
        **({"rate_limit_mbps": limit_mbps} if limit_mbps is not None else {}),
    }
