"""Services of several flows, and what the others keep against them (Prudentia Fig. 3)."""

from collections.abc import Iterable

import altair as alt

from scripts.charts.heatmap import cells_of
from scripts.charts.labels import Labels
from scripts.charts.strips import READING, Strip, strips_chart
from scripts.charts.theme import Row

TITLE = "What several flows do to others"


def flows_chart(
    pairs: Iterable[Row], workloads: Iterable[Row], setting: str, labels: Labels
) -> alt.HConcatChart | None:
    """The MmF share of every incumbent against each service of several flows, a panel each, most flows first.

    Args:
        pairs: the rows of `pairs`.
        workloads: the rows of `workloads`; its flows as measured alone count, or as the catalogue declares
            them where that is not known.
        setting: the setting to show.
        labels: titles and colours of the services.

    Returns:
        The chart, or None where no service of several flows was met.
    """
    rows = [row for row in cells_of(pairs, setting) if row["share_median"] is not None]
    met = {row["contender"] for row in rows}
    several = {row["service"]: row for row in workloads if row["setting"] == setting and flows(row) > 1}
    order = sorted(met & set(several), key=lambda service: (-flows(several[service]), service))
    if not order:
        return None
    shown = [_point(row, labels) for row in rows if row["contender"] in order]
    end = max(point[name] or 0 for point in shown for name in ("value", "q3", "high"))
    strips = [_strip(several[service], shown, max(110, 1.04 * end), labels) for service in order]
    incumbents = sorted({row["incumbent"] for row in rows if row["contender"] in order})
    told = "; ".join(f"{point['label']} ({_count(several[point['contender']])})" for point in shown)
    chart = strips_chart(
        strips, [labels.service(name) for name in incumbents], incumbents, labels, many_a_row=False
    )
    return chart.properties(
        title=alt.Title(
            TITLE,
            subtitle=[
                f"{labels.setting(setting)}: what incumbents get against a service of several flows",
                READING,
            ],
        ),
        description=f"{TITLE}. {labels.setting(setting)}. MmF share of each incumbent. {told}.",
    )


def flows(workload: Row) -> float:
    """The flows that carry a service's workload at once: as measured, else as declared, else one."""
    return float(workload["flows_measured"] or workload["flows_declared"] or 1)


def _count(workload: Row) -> str:
    said = "" if workload["flows_measured"] else " declared"
    return f"{flows(workload):g} flows{said}"


def _strip(workload: Row, points: list[Row], end: float, labels: Labels) -> Strip:
    """The panel of a service: its name on two lines if need be, and below it its flows."""
    contender = workload["service"]
    name = labels.service(contender).replace(" (", "\n(").split("\n")
    return Strip(
        "MmF share (percent)",
        [point for point in points if point["contender"] == contender],
        title=(*name, _count(workload)),
        mark=100,
        end=end,
    )


def _point(row: Row, labels: Labels) -> Row:
    incumbent = labels.service(row["incumbent"])
    names = {"value": "median", "q1": "q25", "q3": "q75", "low": "low", "high": "high"}
    values = {
        name: None if row[f"share_{column}"] is None else 100 * row[f"share_{column}"]
        for name, column in names.items()
    }
    told = f"{values['value']:.0f} %, n = {row['n']}"
    return values | {
        "row": incumbent,
        "service": incumbent,
        "contender": row["contender"],
        "label": f"{incumbent} against {labels.service(row['contender'])}: {told}",
        "href": f"../pairs/{row['setting']}/{row['pair']}/",
    }
