"""A made-up cycle of fifteen services with long names: everything that can make a chart overflow."""

import json
import random
from collections.abc import Iterator
from functools import cache

from scripts.base.records import from_json
from scripts.charts.table_rows import PairRow, ServiceRow, SoloRow
from scripts.model.campaign import Campaign
from tests.charts.sample_campaign import iperf_service, merged_config

SETTING = "8mbps"
TITLES = (
    *("A", "iPerf (BBR)", "Video over four flows (Reno)", "Web page of images from several hosts (BBR)"),
    *("Stand-in for a service with the longest title", "File, limited to 45 Mbps (Cubic)"),
    *(
        "Google Drive",
        "Microsoft Teams in a meeting of four persons",
        "File in batches of five over QUIC (BBR)",
    ),
    *("Call, at most 2.6 Mbps (WebRTC)", "Netflix", "OneDrive", "Web page of text and thumbnails (BBR)"),
    *("Wikipedia", "Vimeo in 4K over two connections (BBR)"),
)
SERVICES = [f"service-{number:02d}" for number in range(len(TITLES))]
UNABLE, SPARSE = SERVICES[4], SERVICES[7]
TRIALS = 7


@cache
def wide_campaign() -> Campaign:
    """The campaign: every service against every other, in a setting with a long title."""
    config = json.loads(json.dumps(merged_config()))
    config["settings"][SETTING]["title"] = (
        "Highly constrained, with a random loss of one packet in a thousand"
    )
    config["services"] = {
        name: iperf_service("iperf-bbr", "") | {"name": name, "title": title}
        for name, title in zip(SERVICES, TITLES, strict=True)
    }
    return from_json(Campaign, config, "wide")


def wide_pairs() -> list[PairRow]:
    """Rows of `pairs` with all kinds of cells: extreme values, unable, without a valid trial, and gaps."""
    chance = random.Random(1)
    return [
        row
        for incumbent in SERVICES
        for contender in SERVICES
        if not (SPARSE in (incumbent, contender) and chance.random() < 0.5)
        for row in _rows(incumbent, contender, chance)
    ]


def _rows(incumbent: str, contender: str, chance: random.Random) -> Iterator[PairRow]:
    instances = ("worse_off", "better_off") if incumbent == contender else ("first",)
    for instance in instances:
        valid = chance.random() > 0.05
        share = chance.choice([0.0, 0.04, 0.35, 0.9, 1.0, 1.6, 12.5]) if valid else None
        yield PairRow(
            setting=SETTING,
            pair="~".join(sorted((incumbent, contender))),
            incumbent=incumbent,
            contender=contender,
            instance=instance,
            unable=UNABLE if UNABLE in (incumbent, contender) else "",
            n=TRIALS if valid else 0,
            excluded=chance.randrange(4),
            allocation_mbps=4.0,
            share_n=TRIALS if valid else 0,
            share_median=share,
            share_q25=share,
            share_q75=share,
            share_low=share,
            share_high=share,
            wire_rate_mbps_median=share,
            utilization_n=TRIALS,
            utilization_median=chance.choice([0.0, 0.634, 1.0]) if valid else None,
            loss_rate_n=TRIALS,
            loss_rate_median=chance.choice([0.0, 0.00004, 0.0123, 0.9876]) if valid else None,
            queueing_delay_ms_n=TRIALS,
            queueing_delay_ms_median=chance.choice([0.0, 7.4, 98.6, 1234.5]) if valid else None,
            jain_median=0.5,
        )


def wide_trials(pairs: list[PairRow]) -> list[ServiceRow]:
    """Trials of these pairs, and of every service alone."""
    chance = random.Random(2)
    of_pairs = [
        _trial(row.pair, number, client, row.incumbent, row.contender, row.instance, chance)
        for row in pairs
        for number in range(1, TRIALS + 1)
        for client in ("c1" if row.pair.startswith(row.incumbent) else "c2",)
    ]
    alone = [
        _trial(service, number, "c1", service, "", "first", chance)
        for service in SERVICES
        for number in range(1, TRIALS + 1)
    ]
    return [*of_pairs, *alone]


def _trial(
    pair: str, number: int, client: str, service: str, contender: str, instance: str, chance: random.Random
) -> ServiceRow:
    clients = 2 if contender else 1
    return ServiceRow(
        SETTING, pair, number, client, service, contender, clients, True, instance, 8 * chance.random()
    )


def wide_solos() -> list[SoloRow]:
    """The solo of every service."""
    return [SoloRow(SETTING, service, 6.9, 7.8) for service in SERVICES]
