"""A made-up cycle of fifteen services with long names: everything that can make a chart overflow."""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.records import from_json, to_json
from scripts.charts.completion_rows import CompletionRow, FlowRow
from scripts.charts.model_charts import ModelRow
from scripts.charts.table_rows import (
    ChangeRow,
    FnessRow,
    MetricRow,
    OrderRow,
    PageLoadRow,
    PairRow,
    QoePairRow,
    ServiceRow,
    ShareBinRow,
    SoloRow,
    WorkloadRow,
)
from scripts.figures.catalogue import metrics_of
from scripts.figures.words import SETTLED
from scripts.model.campaign import Campaign
from tests.charts.sample_campaign import iperf_service, merged_config
from tests.charts.sample_completions import figure, flow
from tests.charts.sample_fmp import DISCIPLINES, draws, fmp_row, fmp_settings, ks, of_losses

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
MANY_FLOWS, ONE_FLOW = SERVICES[4], SERVICES[7]
"""The services of generated flows."""

LONG_PAIR = f"{ONE_FLOW}~{SERVICES[8]}~{SERVICES[14]}"
"""Three services with long titles over the settings of a sweep."""

TRIALS = 7
KINDS = ("video", "rtc", "web")


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
    config["settings"][SETTING]["clients"] = [{}, {"rtt_ms": 100, "start_s": 5}]
    drawn = {"kind": "exponential", "mean": 1000}
    config["settings"] |= {name: to_json(setting) for name, setting in fmp_settings().items()}
    for name, number in ((MANY_FLOWS, {}), (ONE_FLOW, {"most_flows": 1})):
        generator = {"sizes_bytes": drawn, "gaps_s": drawn} | number
        config["services"][name] |= {"metric": "completion", "generator": generator}
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
            utilization_n=TRIALS,
            utilization_median=chance.choice([0.0, 0.634, 1.0]) if valid else None,
            loss_rate_n=TRIALS,
            loss_rate_median=chance.choice([0.0, 0.00004, 0.0123, 0.9876]) if valid else None,
            queueing_delay_ms_n=TRIALS,
            queueing_delay_ms_median=chance.choice([0.0, 7.4, 98.6, 1234.5]) if valid else None,
            jain_median=0.5,
            harm_throughput_n=TRIALS,
            harm_throughput_median=chance.choice([None, -12.3, -0.001, 0.5, 1.0]) if valid else None,
            harm_delay_n=TRIALS,
            harm_delay_median=chance.choice([-0.05, 0.0, 0.87]) if valid else None,
            harm_loss_n=TRIALS,
            harm_loss_median=chance.choice([0.0, 0.123]) if valid else None,
            settled=chance.choice([*SETTLED]) if valid else None,
        )


def write_wide(folder: Path) -> Path:
    """The tables from which the charts of this cycle are drawn, with the columns that charts read."""
    pairs = wide_pairs()
    tables: dict[str, list] = {
        "pairs": pairs,
        "trial_services": [*_trials(pairs)],
        "solo": [SoloRow(SETTING, service, 6.9, 7.8) for service in SERVICES],
        "workloads": [WorkloadRow(SETTING, name, place % 3, None) for place, name in enumerate(SERVICES)],
        "qoe_pairs": [*_qoe()],
        "qoe_web": [*_loads()],
        "changes": [*_changes(pairs)],
        "completions": [*_completions()],
        "trial_completions": [*_flows()],
        "fmp_settings": ks(-0.5, -0.2, 0.1, 0.5, 0.2, None, pair=LONG_PAIR),
        "fmp": [
            replace(row, pair=LONG_PAIR, service=ONE_FLOW, contender=f"{SERVICES[8]}~{SERVICES[14]}")
            for row in [*of_losses(0.1, 0.2, None), *(fmp_row("discipline", name) for name in DISCIPLINES)]
        ],
        "fmp_accuracy": [draws(size, 0.1, pair=LONG_PAIR, service=ONE_FLOW) for size in range(20, 201, 20)],
        "orders": [*_orders()],
        "trial_fairness": [*_fairness()],
        "models": [*_models()],
        "predictions": [*_predictions()],
        "share_over_time": [*_over_time()],
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        counted = {"valid": True, "counted": True} if name == "trial_completions" else {}
        columns = [asdict(row) | counted for row in rows]
        pq.write_table(pa.Table.from_pylist(columns), folder / f"{name}.parquet")
    (folder / "cycle.json").write_text(json.dumps({"campaign": "wide", "cycle": "2026-11-21"}))
    return folder


def _trials(pairs: list[PairRow]) -> Iterator[ServiceRow]:
    """Trials of these pairs, and of every service alone."""
    chance = random.Random(2)
    incumbents = [(row.pair, row.incumbent, row.contender, row.instance, 2) for row in pairs]
    for pair, service, contender, instance, clients in [
        *incumbents,
        *((service, service, "", "first", 1) for service in SERVICES),
    ]:
        client = "c2" if instance == "better_off" or not pair.startswith(service) else "c1"
        for number in range(1, TRIALS + 1):
            yield ServiceRow(
                *(SETTING, pair, number, client, service, contender),
                *(clients, True, instance, 8 * chance.random()),
            )


def _over_time() -> Iterator[ShareBinRow]:
    """Two services, one against sixteen, and one against itself, with very different shares."""
    many, few, other = SERVICES[4], SERVICES[7], SERVICES[8]
    for pair, service, contender, instance, share in (
        (f"{many}~{few}", many, few, "first", 1.9),
        (f"{many}~{few}", few, many, "first", 0.01),
        (f"{many}~{other}_16", many, "~".join([other] * 16), "first", 12.5),
        (f"{many}~{other}_16", other, "~".join([many, *[other] * 15]), "first", 0.3),
        (f"{other}~{other}", other, other, "worse_off", 0.5),
        (f"{other}~{other}", other, other, "better_off", 1.5),
    ):
        for place in range(30):
            yield ShareBinRow(
                *(SETTING, pair, service, contender, instance, 20.0 * place, 20.0, TRIALS, share),
                *(0.8 * share, 1.2 * share, 0.5 * share, 1.5 * share, 123.456, 480.0),
            )


def _qoe() -> Iterator[QoePairRow]:
    """Each third service is a video, a call or a page; it meets nobody and seven others."""
    for place, service in enumerate(SERVICES):
        for metric in (name for name in metrics_of("qoe_pairs") if name.startswith(KINDS[place % 3])):
            for contender in ("", *SERVICES[place % 5 : place % 5 + 7]):
                censored = 2 if contender == SERVICES[4] else 0
                value = 45.0 if censored else 3.25
                yield QoePairRow(
                    *(SETTING, service, contender, metric, TRIALS, value, value - 2, value + 2),
                    *("worse_off" if contender == service else "first", censored),
                    *(value if censored else None, value - 1, value + 1),
                )


def _loads() -> Iterator[PageLoadRow]:
    for place, service in enumerate(SERVICES):
        for contender in ("", *SERVICES[place % 5 : place % 5 + 7]) if KINDS[place % 3] == "web" else ():
            pair = "~".join(sorted(filter(None, (service, contender))))
            for number in range(1, TRIALS + 1):
                yield PageLoadRow(
                    SETTING, pair, number, "c1", service, contender, True, number == 1, 3.0 + number
                )


def _completions() -> Iterator[CompletionRow]:
    """Flows of all sizes alone, against five services and against themselves; some did not end."""
    for kilobytes in (1, 10, 1000):
        sizes = {
            "from_bytes": 1000 * kilobytes,
            "to_bytes": 3000 * kilobytes,
            "size_class": f"{kilobytes} kB",
        }
        yield figure(MANY_FLOWS, median=2.5, at_least=2.6, setting=SETTING, **sizes)
    for contender in ("", *SERVICES[:4], SERVICES[14]):
        for metric, value in (("slowdown", 95.0), ("srpt_slowdown", 1.1)):
            for statistic in ("mean", "maximum"):
                yield figure(
                    MANY_FLOWS,
                    contender,
                    value,
                    metric=metric,
                    statistic=statistic,
                    at_least=value,
                    censored=2,
                )
        for statistic in ("q1", "median", "q3"):
            yield figure(ONE_FLOW, contender, 12_000.0, metric="data_ms", statistic=statistic, censored=1)
    for instance in ("first", "second", "both"):
        yield figure(ONE_FLOW, ONE_FLOW, 2.25, instance=instance, at_least=2.0)


def _flows() -> Iterator[FlowRow]:
    for number in range(1, TRIALS + 1):
        yield flow(MANY_FLOWS, trial=number, size_bytes=1000 * number)
        for contender in SERVICES[:4]:
            yield flow(ONE_FLOW, contender, number, data_ms=2000.0 * number, censored=number == TRIALS)


def _orders() -> Iterator[OrderRow]:
    """The first service against every other one, from one end of the axis to the other."""
    for place, contender in enumerate(SERVICES):
        median = place / 7 - 1
        yield OrderRow(
            *(SETTING, SERVICES[0], contender, "fness_in_order", TRIALS, median, median, median),
            *(f"{SERVICES[0]}~{contender}", "c1", "first", median, median),
        )


def _fairness() -> Iterator[FnessRow]:
    for row in _orders():
        for number in range(1, TRIALS + 1):
            yield FnessRow(SETTING, row.pair, number, "c1", row.service, True, row.median)


def _models() -> Iterator[ModelRow]:
    """Ratios of two services, alone and against four others."""
    for service in (SERVICES[0], SERVICES[4]):
        for contender in ("", *SERVICES[5:9]):
            pair = "~".join(sorted(filter(None, (service, contender))))
            for metric, ratio in (("mathis_ratio", 0.9), ("padhye_ratio", 4.5)):
                figure = (TRIALS, ratio, 0.1, 5.5)
                yield ModelRow(SETTING, service, contender, metric, *figure, pair, 3.5)


def _predictions() -> Iterator[MetricRow]:
    """Four services at once, two clients of one and one of another."""
    for services in (SERVICES[3:7], [SERVICES[4], SERVICES[4], SERVICES[14]]):
        for place, service in enumerate(services):
            others = "~".join(services[:place] + services[place + 1 :])
            figures = {"measured_fraction": 0.97, "predicted_fraction": 0.02, "prediction_error": 0.95}
            for metric, value in figures.items() if service not in services[:place] else ():
                yield MetricRow(
                    *(SETTING, service, others, metric, TRIALS, value, value - 0.02, value + 0.02),
                    "~".join(services),
                )


def _changes(pairs: list[PairRow]) -> Iterator[ChangeRow]:
    for place, row in enumerate(pairs[:60]):
        yield ChangeRow(
            *(SETTING, row.pair, row.incumbent, row.contender, row.instance),
            *("control" if place < 9 else "others", 1.0 + place / 20, 5.0, 0.01 * place, place % 4 == 0),
        )
