"""Trials with captures and queue logs of every packet, in a cycle that is generated."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.extract.extract_trial import extract
from scripts.extract.published_trial import publish
from scripts.model.link import OVERHEAD_BYTES
from scripts.model.pairs import members
from scripts.model.trials import TrialKey
from scripts.tables.trial_tables import build_trial
from tests.bench.generated import START_NS
from tests.bench.generated_snapshot import CAMPAIGN, CYCLE
from tests.extract.synthetic import ACK, MILLISECOND, SECOND, SYN, Downlink, Trial

RATE_MBPS, PAYLOAD_BYTES, RTT_NS = 8, 1460, 50 * MILLISECOND
SPACING_NS = (54 + PAYLOAD_BYTES + OVERHEAD_BYTES) * 8 * 1000 // RATE_MBPS
DROPPED = 0.01


@dataclass(frozen=True)
class Measured:
    """Folders of a trial: its published files, and its rows."""

    published: Path
    rows: Path


def measured_trial(key: TrialKey, duration_s: int, config: Path, folder: Path) -> Measured:
    """Write a trial of 8 Mbps, its published form, and the rows that are made from this form.

    Args:
        key: the trial.
        duration_s: its length.
        config: the campaign's merged configuration.
        folder: the folder to write to.
    """
    raw, published, parquet, rows = (
        folder / name / key.path for name in ("raw", "published", "parquet", "rows")
    )
    _write_raw(key, duration_s, raw)
    published.parent.mkdir(parents=True, exist_ok=True)
    publish(raw, published)
    extract(published, parquet)
    build_trial(parquet, rows, config)
    return Measured(published, rows)


def _write_raw(key: TrialKey, duration_s: int, folder: Path) -> None:
    services = members(key.pair)
    numbers = range(1, len(services) + 1)
    start = START_NS + key.number * 2 * duration_s * SECOND
    rng = random.Random(key.path.as_posix())
    downlink = _downlink(numbers, start, duration_s, rng)
    uplink = [(number, start + 10 * MILLISECOND, SYN) for number in numbers]
    uplink += [
        (packet.client, packet.arrival_ns + packet.wait_ns + RTT_NS // 2 + rng.randrange(MILLISECOND), ACK)
        for packet in downlink[::2]
        if packet.wait_ns is not None
    ]
    trial = Trial(start, downlink, uplink, RTT_NS // 2, duration_s)
    report = trial.report(numbers)
    name = {"campaign": CAMPAIGN, "cycle": CYCLE, "setting": key.setting, "pair": key.pair}
    clients = [
        client | {"service": service, "cca_asked": "bbr", "cca": ["bbr"]}
        for client, service in zip(report["clients"], services, strict=False)
    ]
    trial.write(folder, **report | name | {"trial": key.number, "programs": {}, "clients": clients})
    if len(services) == 1:
        (folder / "client-c2.pcapng.zst").unlink()


def _downlink(numbers: Sequence[int], start: int, duration_s: int, rng: random.Random) -> list[Downlink]:
    """A full link: each packet is of one of the clients, waits for some time, and may be dropped."""
    packets = [
        Downlink(number, start + 35 * MILLISECOND, 2 * MILLISECOND, 999, 0, SYN | ACK) for number in numbers
    ]
    sequence = dict.fromkeys(numbers, 1000)
    wait = 20 * MILLISECOND
    for departure in range(start + 100 * MILLISECOND, start + duration_s * SECOND - RTT_NS, SPACING_NS):
        wait = min(60 * MILLISECOND, max(MILLISECOND, wait + rng.randint(-SPACING_NS, SPACING_NS)))
        client = rng.choice(numbers)
        if rng.random() < DROPPED:
            packets.append(Downlink(client, departure - wait, None, sequence[client], PAYLOAD_BYTES))
        packets.append(Downlink(client, departure - wait, wait, sequence[client], PAYLOAD_BYTES))
        sequence[client] += PAYLOAD_BYTES
    return packets
