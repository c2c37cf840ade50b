"""Whether an endpoint can be measured: one trial of its own, and what it shows, point by point.

The trial is alone on a link of 50 Mbps, 50 ms and 5 BDP, confined as every trial. Its server is ended and
started again meanwhile, so that all connections break.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.base.records import from_json, write_record
from scripts.model.endpoint import Endpoint, Versions
from scripts.model.given import PROBE_PORT
from scripts.model.link import queue_packets
from scripts.model.problems import Code
from scripts.model.services import Probe, Schedule, Service
from scripts.model.settings import Link
from scripts.model.specification import SCHEMA_VERSION, Specification, SpecifiedClient
from scripts.model.trial_record import TESTBED
from services.endpoint import ENDED, STOP_S, TOLD, ServerEnd

RATE_MBPS, RTT_MS, QUEUE_BDP = 50, 50, 5
DURATION_S = 60
RESTART_S = 15
"""When the server is started again. A connection that gives up after 30 s still leaves time for another."""

CLIENT, SETTING = "c1", "50mbps"
FULL = 0.9
"""The part of the link that an endpoint must fill, as in the rule unfilled_fraction."""

BEST_S, LAST_S = 8, 5
WHOLE_PROCESSOR = 0.9
MOST_RUNS = 5
"""A client that runs more often ends by itself, and not only because the server was started again."""

FEW_BYTES, HANDSHAKE_BYTES, WORKLOAD_BYTES = 100_000, 10_000, 1_000_000

STARTABLE = (
    "run chmod +x on it, or, if it is a link, as the python of a venv, name the folder that it leads to in "
    "`reads`"
)

ADVICE = {
    Code.ENDPOINT_UNTOLD: (
        "let `versions` print the JSON that docs/settings.md describes; plain words have letters and digits, "
        "inside also . _ + ~ -, and no space"
    ),
    Code.ENDPOINT_UNSUPPORTED: "offer only what it supports in `controllers`",
    Code.ENDPOINT_SERVER_MISSING: f"correct the first word of `server`, {STARTABLE}",
    Code.ENDPOINT_SERVER_ENDED: (
        "let it run until SIGTERM, over IPv4; name files that it lacks in `reads`; with TCP choose what "
        "net.ipv4.tcp_allowed_congestion_control lists, or let root add to it by sysctl -w"
    ),
    Code.ENDPOINT_SERVER_DEAF: "let the server listen at {address}, {port}",
    Code.ENDPOINT_CLIENT_MISSING: f"correct the first word of `client`, {STARTABLE}",
}
"""What to do about each reason of a failed trial."""


@dataclass(frozen=True)
class Evidence:
    """What a trial showed of an endpoint.

    Attributes:
        reason: why the trial failed; None if it did not.
        versions: what the endpoint says of itself.
        observation: what the driver of the client observed.
        server: how the server ended.
        dropped_packets: what the bottleneck dropped.
        run_s: the processor time of each side with its driver, in seconds.
        last_lines: the last line of each program's output, by the name of its log.
        unread_datagrams: how many found no room in the socket of the client.
    """

    reason: str | None = None
    versions: Versions | None = None
    observation: dict[str, Any] = field(default_factory=dict)
    server: ServerEnd | None = None
    dropped_packets: int = 0
    run_s: dict[str, float] = field(default_factory=dict)
    last_lines: dict[str, str] = field(default_factory=dict)
    unread_datagrams: int = 0


@dataclass(frozen=True)
class ContractPoint:
    """One thing that an endpoint must do: whether it does, and what was seen, or what to do.

    `kept` is None if the trial did not try it.
    """

    name: str
    kept: bool | None
    words: str


def check_specification(endpoint: Endpoint, cca: str) -> Specification:
    """The trial that checks an endpoint with one of its congestion controls."""
    service = Service(
        name="endpoint",
        title="Endpoint",
        category="Baseline",
        driver="endpoint",
        cca=cca,
        probe=Probe(PROBE_PORT),
        endpoint=str(endpoint.folder),
        schedule=Schedule(restart_s=RESTART_S),
    )
    link = Link(
        title="Check",
        rate_mbps=RATE_MBPS,
        rtt_ms=RTT_MS,
        queue_packets=queue_packets(RATE_MBPS, RTT_MS, QUEUE_BDP, "none"),
        queue_bdp=QUEUE_BDP,
        discipline="droptail",
    )
    return Specification(
        schema=SCHEMA_VERSION,
        campaign="check",
        cycle="check",
        setting=SETTING,
        pair=service.name,
        trial=1,
        link=link,
        bottleneck="embedded",
        seed=1,
        duration_s=DURATION_S,
        ignore_first_s=RESTART_S,
        ignore_last_s=1,
        clients=(SpecifiedClient(CLIENT, service, instance=1, start_offset_s=0),),
    )


def run_check(endpoint: Endpoint, cca: str, folder: Path) -> Evidence:
    """Run the trial in a folder, and return what it showed.

    Raises:
        UserError: this machine cannot run trials. Its message stands above.
    """
    file = folder / "specification.json"
    trial = folder / "trials" / SETTING / "endpoint" / "01"
    write_record(file, check_specification(endpoint, cca))
    command = [sys.executable, "-m", "testbed", "run", str(file), "--into", str(trial)]
    if subprocess.run(command, check=False).returncode != 0:
        raise UserError(f"{endpoint.folder}: was not checked, because the trial could not be run; see above")
    return evidence_of(trial)


def evidence_of(trial: Path) -> Evidence:
    """What the files of a trial show."""
    record: Any = read_json(trial / "trial.json")
    logs = trial / "logs"
    own = logs / f"{CLIENT}-serve"
    times = (record.get("host") or {}).get("program_times") or {}
    downlink = record["bottleneck"].get("downlink") or {}
    devices = next((client.get("devices") for client in record["clients"]), None) or {"client": {}}
    return Evidence(
        reason=record["reason"],
        versions=from_json(Versions, read_json(own / TOLD), TOLD) if (own / TOLD).is_file() else None,
        observation=json.loads((trial / "qoe.json").read_text())[CLIENT] if record["reason"] is None else {},
        server=from_json(ServerEnd, read_json(own / ENDED), ENDED) if (own / ENDED).is_file() else None,
        dropped_packets=downlink.get("dropped_packets", 0),
        run_s={
            side: sum(one["run_s"] for one in programs.values())
            for side, programs in times.items()
            if side != TESTBED
        },
        last_lines={
            path.name: lines[-1]
            for path in sorted(logs.glob(f"{CLIENT}-*/*.log"))
            if (lines := path.read_text(encoding="utf-8", errors="replace").strip().splitlines())
        },
        unread_datagrams=devices["client"].get("unread_datagrams") or 0,
    )


def points_of(evidence: Evidence, offered: Sequence[str]) -> list[ContractPoint]:
    """What an endpoint does and does not, in the order in which to mend it.

    Args:
        evidence: what its trial showed.
        offered: the controllers of its endpoint.yaml.
    """
    if evidence.reason is not None:
        return [_failure(evidence)]
    received = evidence.observation["received_bytes"]
    points = [*_versions(evidence.versions, offered), _handshake(evidence), _arrival(received)]
    later = [*_transfer(evidence), *_ends(evidence)]
    if received < HANDSHAKE_BYTES:
        later.insert(0, points.pop())
    if received < WORKLOAD_BYTES:
        words = f"{received} bytes arrived, too few to tell"
        later = [ContractPoint(point.name, None, words) for point in later]
    return [*points, *later]


def _failure(evidence: Evidence) -> ContractPoint:
    """The point of an endpoint whose trial failed."""
    reason = str(evidence.reason)
    advice = next(
        (words for code, words in ADVICE.items() if code.value.partition("{")[0] in reason), "correct it"
    )
    return ContractPoint("runs", False, f"{reason}. To do: {advice}. {_said(evidence, 'server.log')}".strip())


def _said(evidence: Evidence, log: str) -> str:
    return f"Its last words: {evidence.last_lines[log][:200]}" if log in evidence.last_lines else ""


def _versions(versions: Versions | None, offered: Sequence[str]) -> Iterator[ContractPoint]:
    """Whether the endpoint says what it is, with all its controllers."""
    if versions is None:
        yield ContractPoint("versions", False, "the server's driver kept no versions; run it again")
        return
    missing = [name for name in offered if name not in versions.controllers]
    known = {None: "unknown", True: "yes", False: "no"}
    words = (
        f"{versions.stack} {versions.version}, GSO {known[versions.gso]}, pacing {known[versions.pacing]}, "
        + (", ".join(f"{name} is {told}" for name, told in versions.controllers.items()))
    )
    if missing:
        words = f"`versions` does not say what {', '.join(missing)} is; add it to its `controllers`"
    yield ContractPoint("versions", not missing, words)


def _handshake(evidence: Evidence) -> ContractPoint:
    """Whether client and server understand each other."""
    received = evidence.observation["received_bytes"]
    if received >= HANDSHAKE_BYTES:
        return ContractPoint("handshake", True, "client and server understand each other")
    words = (
        f"the client got {received} bytes; compare ALPN, certificate and port of both, and what the client "
        f"asks for. {_said(evidence, 'client.log')}"
    )
    return ContractPoint("handshake", False, words.strip())


def _arrival(received: int) -> ContractPoint:
    """Whether a download goes on."""
    if received >= WORKLOAD_BYTES:
        return ContractPoint("bytes arrive", True, f"{received / 1e6:.0f} MB arrived")
    return ContractPoint("bytes arrive", False, f"{received} bytes; let the download never end")


def _transfer(evidence: Evidence) -> Iterator[ContractPoint]:
    """Whether bytes fill the link, and go on after a break."""
    received, intervals = evidence.observation["received_bytes"], evidence.observation["intervals"]
    rate_mbps = best_rate_mbps(intervals)
    filled = rate_mbps >= FULL * RATE_MBPS
    costs_s = {side: run_s / max(received, 1) * 1e9 for side, run_s in evidence.run_s.items()}
    words = f"{rate_mbps:.1f} of {RATE_MBPS} Mbps over {BEST_S} s"
    if not filled:
        words = f"{rate_mbps:.2f} of {RATE_MBPS} Mbps over {BEST_S} s, less than {100 * FULL:.0f} %: "
        words += _limit(evidence, costs_s, rate_mbps)
    times = [f"{side} {cost_s:.1f} s" for side, cost_s in costs_s.items()]
    words += f"; processor time per GB, with our drivers: {', '.join(times)}"
    yield ContractPoint("fills the link", filled, words)
    last = sum(size for start, _, size in intervals if start >= intervals[-1][1] - LAST_S)
    words = "it downloads again after the server was started again"
    if last < FEW_BYTES:
        words = (
            f"nothing arrived in the last {LAST_S} s, {DURATION_S - RESTART_S} s after the server was "
            "started again; let the client connect again, or end after 30 s without a packet"
        )
    yield ContractPoint("goes on after a break", last >= FEW_BYTES, words)


def _limit(evidence: Evidence, costs_s: Mapping[str, float], rate_mbps: float) -> str:
    """What kept an endpoint, with these processor times per GB, from filling the link, and what to do."""
    for side, cost_s in costs_s.items():
        processors = cost_s * rate_mbps / 8000
        if processors >= WHOLE_PROCESSOR:
            return (
                f"at this rate the programs of {side} use {100 * processors:.0f} % of a processor; let them "
                "handle several packets a call (GSO, GRO), or measure on slower links, such as that of 8 Mbps"
            )
    if (runs := evidence.observation["client_runs"]) > MOST_RUNS:
        return f"the client ended {runs - 1} times before its time, and was started again; let it download on"
    if unread := evidence.unread_datagrams:
        return f"{unread} datagrams found no room in the client's socket; ask for 8 MiB by SO_RCVBUF"
    if evidence.dropped_packets == 0:
        return (
            "nothing was lost, so its own window or its controller limits it; allow 64 MiB in flight on both "
            "sides; if they have it, a slow controller is a result, and pair and gate measure it"
        )
    return "packets were lost and its congestion control went back; that is a result, if you expected it"


def _ends(evidence: Evidence) -> Iterator[ContractPoint]:
    """Whether both sides end when they are told to, store nothing, and leave nothing behind."""
    client, server = evidence.observation, evidence.server or ServerEnd(STOP_S, 0, 0)
    late = [
        side
        for side, stop_s in (("client", client.get("stop_s", 0)), ("server", server.stop_s))
        if stop_s >= STOP_S
    ]
    words = f"the {' and the '.join(late)} still ran {STOP_S} s after SIGTERM; end on it"
    yield ContractPoint("stops on SIGTERM", not late, words if late else "both sides ended")
    written = client["written_bytes"] + server.written_bytes
    words = f"{written / 1e6:.1f} MB were written into files; discard what is downloaded"
    yield ContractPoint(
        "stores nothing", written < FEW_BYTES, words if written >= FEW_BYTES else "no file was written"
    )
    left = client["left_processes"] + server.left_processes
    words = f"{left} processes went on after the program that started them; end them with it"
    yield ContractPoint("leaves nothing", left == 0, words if left else "no process was left")


def best_rate_mbps(intervals: Sequence[Sequence[float]]) -> float:
    """The highest mean rate of BEST_S consecutive intervals of a second, in Mbps; 0 with fewer.

    Args:
        intervals: [start_s, end_s, bytes] each.
    """
    groups = [intervals[place : place + BEST_S] for place in range(len(intervals) - BEST_S + 1)]
    return max(
        (sum(size for *_, size in group) * 8e-6 / (group[-1][1] - group[0][0]) for group in groups),
        default=0.0,
    )
