"""What the SQL needs of trial.json, one row a client: clients.parquet."""

import re
from pathlib import Path
from typing import Any

import pyarrow as pa

from scripts.base.errors import UserError
from scripts.base.files import read_json

SCHEMA_VERSION = 1

CLIENTS_SCHEMA = pa.schema(
    [
        ("setting", pa.string()),
        ("pair", pa.string()),
        ("trial", pa.int32()),
        ("client", pa.string()),
        ("service", pa.string()),
        ("contender", pa.string()),
        ("clients", pa.int32()),
        ("self_pair", pa.bool_()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("driver", pa.string()),
        ("cca_asked", pa.string()),
        ("cca", pa.string()),
        ("address", pa.string()),
        ("start_ns", pa.int64()),
        ("stop_ns", pa.int64()),
        ("trial_start_ns", pa.int64()),
        ("trial_stop_ns", pa.int64()),
        ("window_start_ns", pa.int64()),
        ("window_stop_ns", pa.int64()),
        ("base_rtt_ns", pa.int64()),
        ("delay_down_ns", pa.int64()),
        ("delay_up_ns", pa.int64()),
        ("rate_mbps", pa.float64()),
        ("rtt_ms", pa.float64()),
        ("queue_packets", pa.int32()),
        ("discipline", pa.string()),
        ("backend", pa.string()),
        ("capture_received", pa.int64()),
        ("capture_dropped", pa.int64()),
        ("arrived_packets", pa.int64()),
        ("arrived_bytes", pa.int64()),
        ("forwarded_packets", pa.int64()),
        ("forwarded_bytes", pa.int64()),
        ("dropped_packets", pa.int64()),
        ("dropped_bytes", pa.int64()),
        ("left_packets", pa.int64()),
        ("left_bytes", pa.int64()),
        ("lost_before_packets", pa.int64()),
        ("lost_before_bytes", pa.int64()),
        ("write_errors", pa.int64()),
        ("log_lost", pa.int64()),
        ("clock_step_ns", pa.int64()),
        ("cpu_pressure_fraction", pa.float64()),
        ("steal_fraction", pa.float64()),
        ("capture_status", pa.string()),
        ("queue_bytes", pa.int64()),
        ("capture_not_ip", pa.int64()),
        ("capture_cut_headers", pa.int64()),
        ("capture_time_jumps", pa.int64()),
        ("capture_zero_length", pa.int64()),
        ("overhead_bytes", pa.int32()),
    ]
)

ALWAYS = ("setting", "pair", "trial", "client", "service", "status", "rate_mbps", "rtt_ms")

# What was found in the capture; null if it is missing.
CAPTURE = ("not_ip", "cut_headers", "time_jumps", "zero_length")

# What a completed trial may lack: a service without a named congestion control, a host without the counter,
# the length of a queue in the unit it was not given in, a switch that knew of nothing before the bottleneck,
# a capture.
OPTIONAL = (
    "reason",
    "driver",
    "cca_asked",
    "cca",
    "base_rtt_ns",
    "queue_packets",
    "queue_bytes",
    "lost_before_packets",
    "lost_before_bytes",
    "cpu_pressure_fraction",
    "steal_fraction",
    *(f"capture_{what}" for what in CAPTURE),
)

COUNTERS = [
    f"{what}_{unit}"
    for what in ("arrived", "forwarded", "dropped", "left", "lost_before")
    for unit in ("packets", "bytes")
]


# An address with a query or fragment, but for the punctuation behind it.
ADDRESS_WITH_QUERY = re.compile(r"(https?://[^\s?#]+)[?#]\S*?(?=[.,:;]?(?:\s|$))")


def read_trial(path: Path) -> dict[str, Any]:
    """Read a trial.json.

    Raises:
        UserError: it is missing, no JSON, of another version, or without clients.
    """
    trial = read_json(path)
    if trial.get("schema") != SCHEMA_VERSION:
        raise UserError(f"{path}: is no trial of schema version {SCHEMA_VERSION}")
    if trial.get("status") not in ("completed", "failed"):
        raise UserError(f"{path}: its status must be completed or failed")
    if not trial.get("clients"):
        raise UserError(f"{path}: names no clients")
    return trial


def clients_table(trial: dict[str, Any], captures: dict[str, dict[str, Any]], path: Path) -> pa.Table:
    """The rows of clients.parquet.

    Args:
        trial: what read_trial gave.
        captures: what was found in each client's capture.
        path: the file to name in errors.

    Raises:
        UserError: a value that a trial of this status must have is missing, or has the wrong type.
    """
    rows = [
        _row(trial, client) | _capture(captures.get(_get(client, "client"), {}))
        for client in trial["clients"]
    ]
    needed = ALWAYS
    if trial["status"] == "completed":
        needed = tuple(name for name in CLIENTS_SCHEMA.names if name not in OPTIONAL)
    for row in rows:
        for name in needed:
            if row[name] is None:
                raise UserError(f"{path}: {name} of client {row['client']} is missing")
    try:
        return pa.Table.from_pylist(rows, schema=CLIENTS_SCHEMA)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise UserError(f"{path}: a value has the wrong type: {error}") from error


def published_reason(reason: str) -> str:
    """Why a trial failed, as readers may see it: what stands behind the path of an address may be private."""
    return ADDRESS_WITH_QUERY.sub(r"\1", reason)


def _row(trial: dict[str, Any], client: dict[str, Any]) -> dict[str, Any]:
    """One client's row but for what its capture says; what is not known is null."""
    others = [other for other in trial["clients"] if other is not client]
    services = [str(_get(other, "service")) for other in others]
    cca = _get(client, "cca")
    row = {
        name: _get(trial, name)
        for name in ("setting", "pair", "trial", "status", "reason", "window_start_ns", "window_stop_ns")
    }
    row |= {
        name: _get(client, name)
        for name in (
            "client",
            "service",
            "driver",
            "cca_asked",
            "address",
            "start_ns",
            "stop_ns",
            "base_rtt_ns",
            "delay_down_ns",
            "delay_up_ns",
        )
    }
    row |= {
        name: _get(trial, "link", name)
        for name in ("rate_mbps", "rtt_ms", "queue_packets", "queue_bytes", "discipline")
    }
    if _get(client, "rtt_ms") is not None:  # the client's own, which may be another than the link's
        row["rtt_ms"] = _get(client, "rtt_ms")
    row |= {
        "reason": None if row["reason"] is None else published_reason(str(row["reason"])),
        "contender": "~".join(services),
        "clients": len(trial["clients"]),
        "self_pair": bool(services) and set(services) == {_get(client, "service")},
        "cca": ",".join(sorted(set(cca))) if cca else None,
        "trial_start_ns": _get(trial, "start_ns"),
        "trial_stop_ns": _get(trial, "stop_ns"),
        "capture_received": _get(client, "capture", "received"),
        "capture_dropped": _get(client, "capture", "dropped"),
        "cpu_pressure_fraction": _get(trial, "host", "cpu_pressure_fraction"),
        "steal_fraction": _get(trial, "host", "steal_fraction"),
    }
    return row | _bottleneck(_get(trial, "bottleneck"), row["client"])


def _capture(facts: dict[str, Any]) -> dict[str, Any]:
    """What was found in this client's capture."""
    return {f"capture_{what}": facts.get(what) for what in ("status", *CAPTURE)}


def _bottleneck(report: Any, client: str | None) -> dict[str, Any]:
    """The switch's own counters: this client's downlink, and what concerns all."""
    counts = next(
        (each for each in _get(report, "downlink", "clients") or [] if _get(each, "name") == client), None
    )
    offsets = [_get(report, "clock_offset_ns", end) for end in ("start", "end")]
    return {name: _get(counts, name) for name in COUNTERS} | {
        "backend": _get(report, "backend"),
        "overhead_bytes": _get(report, "parameters", "overhead_bytes"),
        "write_errors": _get(report, "write_errors"),
        "log_lost": _get(report, "log", "lost"),
        "clock_step_ns": None if None in offsets else offsets[1] - offsets[0],
    }


def _get(document: Any, *keys: str) -> Any:
    """A value deep in a JSON document; None where a key on the way is missing."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document
