"""The columns of clients.parquet on the testbed itself: host, switch, lateness, uplink, devices and buffers.

They are null for an older trial whose record lacks them.
"""

from scripts.extract.trial_json import public_versions
from scripts.model.trial_record import BottleneckReport, ClientRecord, Counters, TrialRecord, UplinkCounters

SECOND_NS = 1_000_000_000


def columns_on_testbed(trial: TrialRecord, client: ClientRecord) -> dict[str, object]:
    """The columns of one client."""
    report = trial.bottleneck
    downlinks = report.downlink.clients if report.downlink else ()
    downlink = next((counters for counters in downlinks if counters.name == client.client), None)
    uplink = next((counters for counters in report.uplink.clients if counters.name == client.client), None)
    return {
        "lateness_p99_ns": report.lateness_ns.p99,
        "longest_stall_ns": longest_stall_ns(trial),
        "uplink_arrived_packets": uplink.arrived_packets if uplink else None,
        "uplink_forwarded_packets": uplink.packets if uplink else None,
        "uplink_left_packets": uplink.left_packets if uplink else None,
        "self_hosted": client.self_hosted,
        "receive_window_maximum_bytes": receive_window_maximum_bytes(trial, client),
        "host": trial.host.name if trial.host else None,
        "kernel": trial.host.kernel if trial.host else None,
        "switch": switch(report),
    } | _device_columns(client, downlink, uplink)


def switch(report: BottleneckReport) -> str | None:
    """The bottleneck and its version, such as `embedded 0.1.0`. That of BESS is the version of its plugin.

    A version that is not a word is left out, here as in the published trial.json.
    """
    if report.backend is None:
        return None
    return " ".join([report.backend, *public_versions({"switch": report.version or ""}).values()])


def longest_stall_ns(trial: TrialRecord) -> int | None:
    """The longest time for which the bottleneck did nothing although it should have, during the trial.

    It covers every second that began after the trial's start and ended before the last client stopped. Before
    them the captures start; after them programs are killed and BESS pauses. For an older trial it is the
    largest delay of a packet in the whole run of the bottleneck.
    """
    lateness = trial.bottleneck.lateness_ns
    if lateness.start_ns is None or trial.start_ns is None:
        return lateness.max
    stops = [client.stop_ns for client in trial.clients if client.stop_ns is not None]
    first = max(0, -((lateness.start_ns - trial.start_ns) // SECOND_NS))
    last = (max(stops) - lateness.start_ns) // SECOND_NS if stops else len(lateness.by_second)
    return max(lateness.by_second[first:last], default=0)


def receive_window_maximum_bytes(trial: TrialRecord, client: ClientRecord) -> int | None:
    """The receive window from which on the client's configured receive buffer is what limits it: half of it.

    The third value of net.ipv4.tcp_rmem is the largest buffer. The kernel counts the whole memory of a packet
    against it, and advertises the part that payload can take: half of the buffer at first, then the part that
    it measures on the packets that arrive (0.66 for full frames over a TAP). A smaller window means that data
    waits in the buffer, or that a program chose a smaller buffer.
    """
    sysctls = (trial.sysctls or {}).get(f"client-{client.client}", {})
    buffers = sysctls.get("net.ipv4.tcp_rmem", "").split()
    return int(buffers[2]) // 2 if len(buffers) == 3 else None


def _device_columns(
    client: ClientRecord, downlink: Counters | None, uplink: UplinkCounters | None
) -> dict[str, object]:
    """What the devices of the client, of its service and of the bottleneck itself dropped, and what was sent.

    A packet that its own device drops counts as sent.
    """
    if client.devices is None:
        return {}
    missed_down = (downlink.missed_packets if downlink else None) or 0
    missed_up = (uplink.missed_packets if uplink else None) or 0
    service = client.devices.service
    return {
        "device_dropped_packets": client.devices.client.dropped + service.dropped + missed_down + missed_up,
        "service_sent_packets": service.sent_packets + service.sent_dropped,
        "service_device_dropped_packets": service.sent_dropped + missed_down,
    }
