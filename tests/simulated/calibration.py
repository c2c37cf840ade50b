"""Calibration trials of the simulated testbed: an exact link, or one that is too slow."""

import json
from pathlib import Path
from typing import Any

from tests.extract.synthetic import (
    MILLISECOND,
    SECOND,
    Trial,
    capture,
    ethernet,
    ipv4,
    queue_log,
    udp,
    write_compressed,
)

FLOOD_MS = 600
HEADERS_BYTES = 42


def write_calibration(spec: dict[str, Any], start_ns: int, slower: float, folder: Path) -> dict[str, Any]:
    """Write captures, log and the sender's report; return the record of the trial.

    Probes meet an empty queue. Of every flood one packet more than the queue and the link can hold comes
    at once and is dropped, the others come as there is room.

    Args:
        spec: the specification of the trial.
        start_ns: when it begins.
        slower: the fraction by which the link is slower than specified.
        folder: the directory to write to.
    """
    link, schedule = spec["link"], spec["clients"][0]["service"]["schedule"]
    trial = Trial(start_ns, [], [])
    bytes_per_ns = link["rate_mbps"] * (1 - slower) / 8e3
    records, packets, now = [], [], start_ns + MILLISECOND
    for frame_bytes, count, held, gap_ns in _parts(schedule, link):
        link_ns = round((frame_bytes + 24) / bytes_per_ns)
        frame = ethernet(False, 0x0800, ipv4(False, 17, udp(False, frame_bytes - HEADERS_BYTES)))
        for number in range(count):
            departure = now + number * max(link_ns, gap_ns)
            arrival = max(now + min(number, held), departure - held * link_ns)
            records.append((arrival, departure, 0, 0, 0, frame_bytes, frame_bytes - 14, 0, 0, 0, 1, 0))
            packets.append((departure + link_ns + trial.one_way_ns, frame))
        if held:
            late = now + held + 1
            records.append((late, 0, late, 0, 0, frame_bytes, frame_bytes - 14, held, 0, 1, 1, 0))
        now += count * max(link_ns, gap_ns) + 10 * MILLISECOND
    folder.mkdir(parents=True)
    write_compressed(folder / "client-c1.pcapng.zst", capture(packets))
    write_compressed(folder / "queue.bin.zst", queue_log(records))
    (folder / "flows.json").write_text(json.dumps([{"protocol": 17}]))
    lateness = {"late_p50_us": 1, "late_p99_us": 2, "late_max_us": 3}
    sent = {str(frame_bytes): count + 1 for frame_bytes, count, held, _ in _parts(schedule, link) if held}
    report = {"probes_sent": schedule["probes"]["count"], "sent": sent} | lateness
    (folder / "qoe.json").write_text(json.dumps({"c1": report}))
    record: dict[str, Any] = trial.report()
    record["bottleneck"]["downlink"]["clients"] = [_counters(records)]
    record["clients"][0]["devices"]["service"]["sent_packets"] = len(records)
    last = {"stop_ns": now, "window_start_ns": start_ns, "window_stop_ns": now - SECOND}
    return record | last | {"calibration": spec["calibration"]}


def _parts(schedule: dict[str, Any], link: dict[str, Any]) -> list[tuple[int, int, int, int]]:
    """Frame size, packets delivered, packets held at once, and gap of each part."""
    probes = schedule["probes"]
    parts = [(probes["frame_bytes"], probes["count"], 0, probes["gap_us"] * 1000)]
    for flood in schedule["floods"]:
        frame_bytes, held = flood["frame_bytes"], link["queue_packets"]
        count = held + round(FLOOD_MS * 1e3 * link["rate_mbps"] / 8 / (frame_bytes + 24))
        parts.append((frame_bytes, count, held, 0))
    return parts


def _counters(records: list[tuple[int, ...]]) -> dict[str, object]:
    """The counters that the switch would report."""
    counts: dict[str, object] = {"name": "c1"}
    forwarded = [record for record in records if record[1]]
    dropped = [record for record in records if not record[1]]
    for name, mine in (("arrived", records), ("forwarded", forwarded), ("dropped", dropped), ("left", [])):
        counts[f"{name}_packets"] = len(mine)
        counts[f"{name}_bytes"] = sum(record[5] for record in mine)
    return counts
