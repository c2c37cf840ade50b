"""Bulk downloads by iperf3: the baseline of a congestion control alone (Prudentia, Table 1)."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from scripts.base.records import Json
from scripts.model.problems import Code, Problem, problem
from scripts.model.services import Service
from services.drivers import ServiceError, unmet
from services.use_time import UseTime

PROGRAMS = {"iperf3": "iperf3"}
NAMES = False
PORT = 5201
POLL_S = 0.1
RETRY_S = 1
"""How long after a broken download the next one starts."""

LATE_S = 5
"""How long iperf3 may exchange its results after the end of its time."""

INTERRUPTED_S = 5
"""How long iperf3 may take to write its report once it is interrupted."""

INTERRUPTED = "interrupt"
NETWORK_ERRORS = {
    "control socket has closed": Code.IPERF_BROKEN,
    "idle timeout": Code.IPERF_BROKEN,
    "the server is busy": Code.IPERF_BUSY,
    "unable to connect": Code.IPERF_UNCONNECTED,
    "unable to read": Code.IPERF_BROKEN,
    "unable to receive": Code.IPERF_BROKEN,
    "unable to send": Code.IPERF_BROKEN,
    "unable to write": Code.IPERF_BROKEN,
}
"""How iperf3's errors begin that competition can cause. The others mean that it is misused."""

CONGESTION_CONTROL = "unable to set TCP_CONGESTION"


def serve(service: Service, address: str, directory: Path) -> None:
    """Run the iperf3 server of this service in place of this process.

    The probe uses another port than iperf3, because the iperf3 server gives up after five connections that
    are not from its client. The kernel answers on the probe's port as long as this process lives.
    """
    listener = socket.create_server((address, service.probe.port), backlog=64)
    listener.set_inheritable(True)
    os.execvp("iperf3", ["iperf3", "--server", "--forceflush", "--bind", address, "--port", str(PORT)])


@dataclass(frozen=True)
class Download:
    """What one run of iperf3 reported. `problem` is what ended it before its time."""

    received_bytes: int
    seconds: float
    retransmits: int | None
    intervals: list[Json]
    problem: Problem | None


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Download for `seconds` over `flows` connections.

    The route of the service's side sets its congestion control: an unprivileged client may not.

    A connection that is refused, times out or breaks is opened again until the time is over.

    Returns:
        `received_bytes` and `seconds` over all connections; `retransmits`, if the sender could still tell;
        `intervals`: [start_s, end_s, received bytes] of every second since the beginning; `unmet` if a
        connection broke or nothing was received.

    Raises:
        ServiceError: iperf3 is misused, or wrote no report.
    """
    use_time, start = UseTime(seconds, directory), time.monotonic()
    downloads = [_download(service, address, use_time, directory, 0.0)]
    while use_time.left_s >= 1 + RETRY_S:
        use_time.wait(RETRY_S)
        start_s = time.monotonic() - start
        downloads.append(_download(service, address, use_time, directory, start_s))
    use_time.wait()
    received_bytes = sum(download.received_bytes for download in downloads)
    retransmits = [download.retransmits for download in downloads if download.retransmits is not None]
    cause = next((download.problem for download in downloads if download.problem), None)
    return {
        "received_bytes": received_bytes,
        "seconds": sum(download.seconds for download in downloads),
        **({"retransmits": sum(retransmits)} if len(retransmits) == len(downloads) else {}),
        "intervals": [interval for download in downloads for interval in download.intervals],
        **unmet(None if received_bytes else problem(Code.NOTHING_RECEIVED), cause),
    }


def _download(service: Service, address: str, use_time: UseTime, directory: Path, start_s: float) -> Download:
    """Run iperf3 until the time is over; `start_s` is when it starts, in seconds since the beginning."""
    path = directory / "iperf3.json"
    is_late = _run(_command(service, address, max(1, round(use_time.left_s))), use_time, path)
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError:
        raise ServiceError(problem(Code.IPERF_UNREPORTED)) from None
    error = report.get("error", "")
    sums = [interval["sum"] for interval in report.get("intervals", [])]
    end = report.get("end", {})
    received = end.get("sum_received", {})
    return Download(
        received_bytes=received.get("bytes", sum(total["bytes"] for total in sums)),
        seconds=received.get("seconds", sums[-1]["end"] if sums else 0),
        retransmits=end.get("sum_sent", {}).get("retransmits"),
        intervals=[[start_s + total["start"], start_s + total["end"], total["bytes"]] for total in sums],
        problem=_problem(error, is_late),
    )


def _problem(error: str, is_late: bool) -> Problem | None:
    """What ended a download before its time. Without an error, and when the testbed ended it: nothing.

    Raises:
        ServiceError: iperf3 is misused.
    """
    if error.startswith(INTERRUPTED):
        return problem(Code.IPERF_LATE) if is_late else None
    for beginning, code in NETWORK_ERRORS.items():
        if error.startswith(beginning):
            return problem(code)
    if not error:
        return None
    print(error, file=sys.stderr)
    is_unknown = error.startswith(CONGESTION_CONTROL)
    raise ServiceError(problem(Code.IPERF_CONGESTION_CONTROL if is_unknown else Code.IPERF_MISUSED))


def _run(command: list[str], use_time: UseTime, path: Path) -> bool:
    """Run iperf3 with its report in a file; return whether it was still running LATE_S after its time.

    It is interrupted if it does, and once the testbed ends the time. Then it still writes its report.
    """
    deadline = time.monotonic() + use_time.left_s + LATE_S
    with path.open("wb") as report, subprocess.Popen(command, stdout=report) as process:
        while process.poll() is None and not use_time.finish_asked and time.monotonic() < deadline:
            time.sleep(POLL_S)
        is_late = process.poll() is None and not use_time.finish_asked
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(INTERRUPTED_S)
            except subprocess.TimeoutExpired:
                process.kill()
    return is_late


def _command(service: Service, address: str, seconds: int) -> list[str]:
    command = ["iperf3", "--client", address, "--port", str(PORT), "--reverse", "--json"]
    command += ["--parallel", str(service.flows or 1), "--time", str(seconds), "--connect-timeout", "5000"]
    if service.bitrate_mbps is not None:
        command += ["--bitrate", f"{service.bitrate_mbps}M"]
    return command
