"""The rows of clients.parquet, one for each client: what the SQL needs of trial.json and of the captures."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from scripts.base.errors import UserError
from scripts.extract.capture_facts import CaptureEnd
from scripts.extract.testbed_columns import columns_on_testbed
from scripts.extract.trial_json import published_reason
from scripts.model.pairs import contender_name
from scripts.model.trial_record import BottleneckReport, ClientRecord, ClockOffset, Counters, TrialRecord

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
        ("lateness_p99_ns", pa.int64()),
        ("longest_stall_ns", pa.int64()),
        ("uplink_arrived_packets", pa.int64()),
        ("uplink_forwarded_packets", pa.int64()),
        ("uplink_left_packets", pa.int64()),
        ("device_dropped_packets", pa.int64()),
        ("service_sent_packets", pa.int64()),
        ("service_device_dropped_packets", pa.int64()),
        ("self_hosted", pa.bool_()),
        ("receive_window_maximum_bytes", pa.int64()),
        ("handshakes_lost_packets", pa.int64()),
        ("host", pa.string()),
        ("kernel", pa.string()),
        ("switch", pa.string()),
        ("sender_wait_fraction", pa.float64()),
        ("client_wait_fraction", pa.float64()),
        ("stack", pa.string()),
        ("stack_version", pa.string()),
        ("controller", pa.string()),
        ("gso", pa.bool_()),
        ("pacing", pa.bool_()),
        ("shipped", pa.bool_()),
        ("server_run_s", pa.float64()),
        ("client_run_s", pa.float64()),
    ]
)

CLIENT_HOST, SERVICE_HOST = "client-", "service-"
"""The hosts of client c1 are `client-c1` and `service-c1` (HostRecord.program_times)."""

# Counts of packets in a client's capture. They are null if the capture is missing or cannot be read.
CAPTURE_COUNTS = ("not_ip", "cut_headers", "time_jumps", "zero_length")

# What only newer trials have recorded.
NEWER = (
    "lateness_p99_ns",
    "longest_stall_ns",
    "uplink_arrived_packets",
    "uplink_forwarded_packets",
    "uplink_left_packets",
    "device_dropped_packets",
    "service_sent_packets",
    "service_device_dropped_packets",
    "receive_window_maximum_bytes",
    "handshakes_lost_packets",
    "host",
    "kernel",
    "sender_wait_fraction",
    "client_wait_fraction",
    "server_run_s",
    "client_run_s",
)

# What only an endpoint says of itself.
OF_ENDPOINTS = ("stack", "stack_version", "controller", "gso", "pacing", "shipped")

# Columns that may be null in a completed trial: a service may name no congestion control, a kernel may have
# no pressure counter, the length of a queue is given in one unit only, a bottleneck may not report losses
# before it, and a capture may be missing.
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
    *(f"capture_{count}" for count in CAPTURE_COUNTS),
    *NEWER,
    *OF_ENDPOINTS,
)


def clients_table(trial: TrialRecord, captures: Mapping[str, CaptureEnd], path: Path) -> pa.Table:
    """The rows of clients.parquet.

    Args:
        trial: the trial's record.
        captures: how the capture of each client ended, by the client's name.
        path: the file to name in errors.

    Raises:
        UserError: a value that a completed trial must have is missing, or a number is too large.
    """
    rows = [
        _trial_columns(trial)
        | _client_columns(trial, client)
        | _bottleneck_columns(trial.bottleneck, client.client)
        | columns_on_testbed(trial, client)
        | _wait_columns(trial, client.client)
        | _run_columns(trial, client.client)
        | _capture_columns(captures.get(client.client))
        for client in trial.clients
    ]
    needed = [] if trial.failed else [name for name in CLIENTS_SCHEMA.names if name not in OPTIONAL]
    for row in rows:
        for name in needed:
            if row[name] is None:
                raise UserError(
                    f"{path}: {name} of client {row['client']} is missing; a completed trial must have it"
                )
    try:
        return pa.Table.from_pylist(rows, schema=CLIENTS_SCHEMA)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise UserError(f"{path}: a value does not fit its column: {error}") from error


def _trial_columns(trial: TrialRecord) -> dict[str, object]:
    """The columns with the same value for every client."""
    link, host = trial.link, trial.host
    return {
        "setting": trial.setting,
        "pair": trial.pair,
        "trial": trial.trial,
        "clients": len(trial.clients),
        "status": trial.status,
        "reason": None if trial.reason is None else published_reason(trial.reason),
        "trial_start_ns": trial.start_ns,
        "trial_stop_ns": trial.stop_ns,
        "window_start_ns": trial.window_start_ns,
        "window_stop_ns": trial.window_stop_ns,
        "rate_mbps": link.rate_mbps,
        "queue_packets": link.queue_packets,
        "queue_bytes": link.queue_bytes,
        "discipline": link.discipline,
        "cpu_pressure_fraction": host.cpu_pressure_fraction if host else None,
        "steal_fraction": host.steal_fraction if host else None,
    }


def _client_columns(trial: TrialRecord, client: ClientRecord) -> dict[str, object]:
    """The columns of one client and its service."""
    others = sorted(other.service for other in trial.clients if other is not client)
    capture = client.capture
    return {
        "client": client.client,
        "service": client.service,
        "contender": contender_name(others),
        "self_pair": set(others) == {client.service},
        "driver": client.driver,
        "cca_asked": client.cca_asked,
        "cca": ",".join(sorted(set(client.cca))) if client.cca else None,
        "address": client.address,
        "start_ns": client.start_ns,
        "stop_ns": client.stop_ns,
        "base_rtt_ns": client.base_rtt_ns,
        "delay_down_ns": client.delay_down_ns,
        "delay_up_ns": client.delay_up_ns,
        "rtt_ms": trial.link.rtt_ms if client.rtt_ms is None else client.rtt_ms,
        "capture_received": capture.received if capture else None,
        "capture_dropped": capture.dropped if capture else None,
        "handshakes_lost_packets": client.handshakes.lost_packets if client.handshakes else None,
    } | _endpoint_columns(client)


def _endpoint_columns(client: ClientRecord) -> dict[str, object]:
    """What an endpoint says that it sends with; null for another service."""
    if client.endpoint is None:
        return dict.fromkeys(OF_ENDPOINTS)
    return {name: getattr(client.endpoint, name.removeprefix("stack_")) for name in OF_ENDPOINTS}


def _wait_columns(trial: TrialRecord, client: str) -> dict[str, object]:
    """How long programs waited for a processor, in seconds for each second of the trial.

    Senders are what runs on no client's host: the services, the switch, and the rest of the testbed. Of their
    waits, what is beyond 0.1 ms a turn counts.
    """
    host, duration_s = trial.host, ((trial.stop_ns or 0) - (trial.start_ns or 0)) / 1e9
    if host is None or duration_s <= 0:
        return {"sender_wait_fraction": None, "client_wait_fraction": None}
    senders_s = host.delayed_s(lambda name: not name.startswith(CLIENT_HOST))
    client_s = host.wait_s(lambda name: name == CLIENT_HOST + client)
    return {
        "sender_wait_fraction": None if senders_s is None else senders_s / duration_s,
        "client_wait_fraction": None if client_s is None else client_s / duration_s,
    }


def _run_columns(trial: TrialRecord, client: str) -> dict[str, object]:
    """How long the programs of a client and of its service ran on a processor, in seconds."""
    host = trial.host
    return {
        "server_run_s": host.run_s(SERVICE_HOST + client) if host else None,
        "client_run_s": host.run_s(CLIENT_HOST + client) if host else None,
    }


def _bottleneck_columns(report: BottleneckReport, client: str) -> dict[str, object]:
    """The bottleneck's own counters: those of this client's downlink, and those of the whole trial."""
    downlinks = report.downlink.clients if report.downlink else ()
    counters = next((counters for counters in downlinks if counters.name == client), Counters())
    offset = report.clock_offset_ns or ClockOffset()
    step_ns = None if offset.start is None or offset.end is None else offset.end - offset.start
    return {name: count for name, count in vars(counters).items() if name in CLIENTS_SCHEMA.names} | {
        "backend": report.backend,
        "overhead_bytes": report.parameters.get("overhead_bytes"),
        "write_errors": report.write_errors,
        "log_lost": report.log.lost if report.log else None,
        "clock_step_ns": step_ns,
    }


def _capture_columns(end: CaptureEnd | None) -> dict[str, object]:
    """How this client's capture ended, and what was counted in it."""
    return {f"capture_{name}": getattr(end, name, None) for name in ("status", *CAPTURE_COUNTS)}
