"""Every trial of a pair, or of a service alone, as a dot, so that readers see the spread behind a median."""

from collections.abc import Iterable, Sequence

import altair as alt

from scripts.charts.chart_labels import INSTANCES, Labels
from scripts.charts.dot_chart import Dot, DotChart, dot_chart
from scripts.charts.table_rows import PairRow, ServiceRow, SoloRow


def pair_dots(
    trials: Sequence[ServiceRow], pairs: Iterable[PairRow], setting: str, labels: Labels, pair: str
) -> alt.LayerChart:
    """MmF share of each incumbent of a pair in each trial, a row for each incumbent.

    A self-pair has two rows: the instance that got less in a trial, and the one that got more.

    Args:
        trials: the table `trial_services`.
        pairs: the table `pairs` (allocations and intervals).
        setting: the setting to show.
        labels: titles and colours.
        pair: the pair to show.
    """
    rows = sorted(
        (row for row in pairs if (row.setting, row.pair) == (setting, pair)),
        key=lambda row: (row.instance == "better_off", row.incumbent),
    )
    by_client = {(row.incumbent, row.contender, row.instance): row for row in rows}
    own = [trial for trial in trials if (trial.setting, trial.pair) == (setting, pair)]
    dots = [
        _dot(trial, _name(row, labels), 100 * trial.wire_rate_mbps / row.allocation_mbps, "percent", 1)
        for trial in own
        if trial.wire_rate_mbps is not None
        and (row := by_client.get((trial.service, trial.contender, trial.instance)))
    ]
    return dot_chart(
        DotChart(
            name=labels.pair(pair),
            lead=f"{labels.pair(pair)}: " if any(row.instance in INSTANCES for row in rows) else "",
            setting=labels.setting(setting),
            rows=[_name(row, labels) for row in rows],
            dots=dots,
            intervals={
                _name(row, labels): (100 * row.share_low, 100 * row.share_high)
                for row in rows
                if row.share_low is not None and row.share_high is not None
            },
            failed=_failed(own),
            axis="MmF share (percent; 100 is fair)",
            unit=" %",
            of=" of a fair share",
            decimals=0,
            share=True,
        ),
        labels,
    )


def solo_dots(
    trials: Sequence[ServiceRow], solo: Iterable[SoloRow], setting: str, service: str, labels: Labels
) -> alt.LayerChart:
    """Wire rate of a service alone in each trial. The arguments are those of `pair_dots`."""
    name = labels.pair(service)
    own = [trial for trial in trials if (trial.setting, trial.pair) == (setting, service)]
    return dot_chart(
        DotChart(
            name=name,
            lead="",
            setting=labels.setting(setting),
            rows=[name],
            dots=[
                _dot(trial, name, trial.wire_rate_mbps, "Mbps", 2)
                for trial in own
                if trial.wire_rate_mbps is not None
            ],
            intervals={
                labels.pair(row.service): (row.wire_rate_low_mbps, row.wire_rate_high_mbps)
                for row in solo
                if (row.setting, row.service) == (setting, service)
                and row.wire_rate_low_mbps is not None
                and row.wire_rate_high_mbps is not None
            },
            failed=_failed(own),
            axis="Wire rate (Mbps)",
            unit=" Mbps",
            of="",
            decimals=2,
            share=False,
        ),
        labels,
    )


def _name(row: PairRow, labels: Labels) -> str:
    """The incumbent. Of a self-pair, the chart's title has the service and the row only the instance."""
    instance = INSTANCES.get(row.instance, "").removeprefix(", ")
    return instance or labels.service(row.incumbent)


def _failed(trials: Iterable[ServiceRow]) -> int:
    return len({trial.trial for trial in trials if trial.wire_rate_mbps is None})


def _dot(trial: ServiceRow, row: str, value: float, unit: str, decimals: int) -> Dot:
    nn = trial.key.nn
    excluded = "" if trial.valid else ", excluded"
    return Dot(
        row=row,
        value=value,
        valid=trial.valid,
        service=trial.service,
        trial=nn,
        href=f"../trials/{trial.key.path}/",
        label=f"{row}, trial {nn}: {value:.{decimals}f} {unit}{excluded}",
    )
