"""Services with several flows, and the shares that the others keep against them (Prudentia Fig. 3)."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.strips import READING, Point, Strip, strips_chart
from scripts.charts.table_rows import PairRow, WorkloadRow, cells_of, scaled

TITLE = "How services with several flows affect others"


@dataclass(frozen=True)
class SharePoint(Point):
    """The median share of an incumbent against `contender` (its name), percent."""

    contender: str


def multiple_flows_chart(
    pairs: Iterable[PairRow], workloads: Iterable[WorkloadRow], setting: str, labels: Labels
) -> alt.HConcatChart | None:
    """The MmF share of every incumbent against each service with several flows.

    Each such service has a panel. The service with most flows comes first.

    Args:
        pairs: the table `pairs`.
        workloads: the table `workloads`.
        setting: the setting to show.
        labels: titles and colours of the services.

    Returns:
        The chart, or None if no incumbent met a service with several flows.
    """
    rows = [row for row in cells_of(pairs, setting) if not row.unable]
    points = [point for row in rows if (point := _point(row, labels)) is not None]
    several = {row.service: row for row in workloads if row.setting == setting and row.flows > 1}
    shown = [point for point in points if point.contender in several]
    order = sorted({point.contender for point in shown}, key=lambda name: (-several[name].flows, name))
    if not order:
        return None
    end = max(110, 1.04 * max(point.end for point in shown))
    strips = [_strip(several[service], shown, end, labels) for service in order]
    incumbents = sorted(
        {row.incumbent for row in rows if row.contender in order and row.share_median is not None}
    )
    words = "; ".join(f"{point.label} ({_count(several[point.contender])})" for point in shown)
    chart = strips_chart(
        strips, [labels.service(name) for name in incumbents], incumbents, labels, several_per_row=False
    )
    return chart.properties(
        title=alt.Title(
            TITLE,
            subtitle=[
                f"{labels.setting(setting)}: what incumbents get against a service with several flows",
                READING,
            ],
        ),
        description=f"{TITLE}. {labels.setting(setting)}. MmF share of each incumbent. {words}.",
    )


def _count(workload: WorkloadRow) -> str:
    return f"{workload.flows:g} flows{'' if workload.flows_measured else ' declared'}"


def _strip(workload: WorkloadRow, points: list[SharePoint], end: float, labels: Labels) -> Strip:
    """The panel of a service. Its title has the service, on up to two lines, and its flows."""
    lines = labels.service(workload.service).replace(" (", "\n(").split("\n")
    return Strip(
        "MmF share (percent)",
        [point for point in points if point.contender == workload.service],
        title=(*lines, _count(workload)),
        mark=100,
        end=end,
    )


def _point(row: PairRow, labels: Labels) -> SharePoint | None:
    """The point of a cell; None without a valid trial."""
    if row.share_median is None:
        return None
    incumbent = labels.service(row.incumbent)
    share = f"{100 * row.share_median:.0f} %, n = {row.share_n}"
    return SharePoint(
        row=incumbent,
        service=incumbent,
        value=100 * row.share_median,
        q1=scaled(row.share_q25, 100),
        q3=scaled(row.share_q75, 100),
        low=scaled(row.share_low, 100),
        high=scaled(row.share_high, 100),
        label=f"{labels.matchup(row.incumbent, row.contender, row.instance)}: {share}",
        href=f"../pairs/{row.setting}/{row.pair}/",
        contender=row.contender,
    )
