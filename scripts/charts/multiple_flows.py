"""Services with several flows, and the shares that the others keep against them (Prudentia Fig. 3)."""

import statistics
from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.dot_chart import ENOUGH
from scripts.charts.row_places import SHARE_END, WIDTH
from scripts.charts.strips import READING, Point, Strips, strips_chart
from scripts.charts.table_rows import PairRow, WorkloadRow, cells_of, scaled
from scripts.charts.theme import headed


def multiple_flows_chart(
    pairs: Iterable[PairRow], workloads: Iterable[WorkloadRow], setting: str, labels: Labels
) -> alt.LayerChart | None:
    """The MmF share of every incumbent against each service with several flows.

    Each incumbent has a row, with a point for each such service. The service with most flows comes first.

    Args:
        pairs: the table `pairs`.
        workloads: the table `workloads`.
        setting: the setting to show.
        labels: titles and colours of the services.

    Returns:
        The chart, or None if no incumbent met a service with several flows.
    """
    several = {row.service: row for row in workloads if row.setting == setting and row.flows > 1}
    shown = [
        row
        for row in cells_of(pairs, setting)
        if row.contender in several and not row.unable and row.share_median is not None
    ]
    if not shown:
        return None
    order = sorted(
        {row.contender for row in shown}, key=lambda name: (-several[name].flows, labels.service(name))
    )
    names = {name: f"{labels.service(name)}, {_count(several[name])}" for name in order}
    points = [_point(row, names[row.contender], labels) for row in shown]
    title, words = _title(shown, names[order[0]], order[0]), "; ".join(point.label for point in points)
    reading = f"What incumbents get against a service with several flows. {READING}"
    return strips_chart(
        Strips(
            axis="MmF share (percent; 100 is fair)",
            rows=sorted({point.row for point in points}),
            colours={names[name]: labels.colours[name] for name in order},
            points=points,
            end=max([SHARE_END, *(point.end for point in points)]),
            fair=True,
        )
    ).properties(
        title=headed(title, [labels.setting(setting), reading], WIDTH),
        description=f"{title}. {labels.setting(setting)}. MmF share of each incumbent. {words}.",
    )


def _title(rows: list[PairRow], name: str, service: str) -> str:
    """What the median incumbent keeps against the service with most flows."""
    cells = [row for row in rows if row.contender == service]
    median = statistics.median(100 * (row.share_median or 0) for row in cells)
    seen = "Seen against" if any(row.share_n < ENOUGH for row in cells) else "Against"
    services = "1 service" if len(cells) == 1 else f"{len(cells)} services"
    return f"{seen} {name}: {median:.0f} % of a fair share, the median of {services}"


def _count(workload: WorkloadRow) -> str:
    return f"{workload.flows:g} flows{'' if workload.flows_measured else ' declared'}"


def _point(row: PairRow, series: str, labels: Labels) -> Point:
    """The point of a cell, in percent."""
    median = 100 * (row.share_median or 0)
    return Point(
        row=labels.service(row.incumbent),
        series=series,
        value=median,
        n=row.share_n,
        q1=scaled(row.share_q25, 100),
        q3=scaled(row.share_q75, 100),
        low=scaled(row.share_low, 100),
        high=scaled(row.share_high, 100),
        label=f"{labels.matchup(row.incumbent, row.contender, row.instance)}: {median:.0f} %, "
        f"n = {row.share_n} ({series})",
        href=f"../pairs/{row.setting}/{row.pair}/",
    )
