"""What BBR takes from loss-based flows, by the size of the queue, beside a model (Ware et al. 2019)."""

import statistics
from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import PALETTE, Labels, seen_unless
from scripts.charts.median_lines import LineLooks, line_looks, median_lines
from scripts.charts.model_charts import READING, ModelRow
from scripts.charts.row_places import WIDTH, panel, upwards
from scripts.charts.setting_groups import SweepGroup, axis_title
from scripts.charts.sweep_curves import sweep_axis
from scripts.charts.table_rows import grouped, scaled
from scripts.charts.text_widths import lines_of
from scripts.charts.theme import INK, SUBTITLE_SIZE, Datum, chart_of, headed
from scripts.figures.words import several
from scripts.model.campaign import Campaign
from scripts.model.pairs import contender_name, members

HEIGHT = 120
FRACTION = "Percent of the link"
MODEL = (
    "Dashed: the model of Ware et al. (2019), which is the same against any number of flows of Cubic or Reno"
)


def bbr_model(
    rows: Iterable[ModelRow], sweep: SweepGroup, campaign: Campaign, labels: Labels
) -> alt.VConcatChart | None:
    """A panel for each number of BBR clients, in it the model, and a line for what they compete with.

    Returns:
        The chart, or None without such a pair in these settings, or if the sweep is another one. Where the
        model does not hold there are points without it.
    """
    if not sweep.key.startswith("queue_") or sweep.others:
        return None
    known = [
        row
        for row in rows
        if row.metric == "link_fraction" and row.setting in sweep.at and row.median is not None
    ]
    if not known:
        return None
    known.sort(key=lambda row: (len(members(row.pair)), row.pair, [*sweep.at].index(row.setting)))
    points = [_point(row, sweep, campaign, labels) for row in known]
    names = dict.fromkeys(point["line"] for point in points)
    looks = line_looks({name: PALETTE[place % len(PALETTE)] for place, name in enumerate(names)})
    panels = grouped(points, lambda point: str(point["panel"])).values()
    title, words = _title(known), "; ".join(point["label"] for point in points)
    return alt.vconcat(*(_panel(panel, looks, sweep) for panel in panels), spacing=18).properties(
        description=f"{title}. {sweep.title}. {FRACTION}. {words}.",
        title=headed(title, [sweep.title, READING.replace("band", "bar"), MODEL], WIDTH),
    )


def _title(rows: list[ModelRow]) -> str:
    """The median error of the model where it holds, over the cells with enough trials if there are any."""
    modelled = [row for row in rows if row.model_median is not None]
    if not modelled:
        return "What BBR gets where its model does not hold"
    enough = [row for row in modelled if row.enough]
    shown = enough or modelled
    error = statistics.median(abs(100 * (row.value - (row.model_median or 0))) for row in shown)
    words = f"Median error of the model over {several(len(shown), 'cell')}: {error:.1f} percentage points"
    return seen_unless(enough, words)


def _point(row: ModelRow, sweep: SweepGroup, campaign: Campaign, labels: Labels) -> Datum:
    """What the BBR clients of a pair get together, percent. It links to the pair's page.

    They are a panel, and the clients that they compete with a line in it.
    """
    bbr: list[str] = []
    others: list[str] = []
    for name in members(row.pair):
        (bbr if campaign.services[name].cca == "bbr" else others).append(name)
    panel, opponents = (labels.contender(contender_name(names)) for names in (bbr, others))
    line, at = f"against {opponents}", sweep.at[row.setting][sweep.key]
    percent = scaled(row.model_median, 100)
    model = f"model {percent:.1f} %" if percent is not None else f"no model: {row.reason}"
    return {
        "panel": panel,
        "line": line,
        "at": at,
        "fraction": 100 * row.value,
        "low": scaled(row.low, 100),
        "high": scaled(row.high, 100),
        "model": percent,
        "n": row.n,
        "label": f"{panel} {line}, {axis_title(sweep.key)}: {at}: {row.words(100, 1, ' %')}; {model}",
        "href": row.page,
    }


def _panel(points: list[Datum], looks: LineLooks, sweep: SweepGroup) -> alt.LayerChart:
    """The lines of some BBR clients, and the line of their model."""
    y = upwards(FRACTION, alt.Scale(domain=[0, 100], nice=False), 4)
    x = sweep_axis(sweep)
    modelled = [point for point in points if point["model"] is not None]
    model = chart_of([{"at": point["at"], "model": point["model"]} for point in modelled])
    dashed = model.mark_line(color=INK, strokeDash=[4, 3], aria=False).encode(x=x, y=y("model"))
    layers = [dashed, *median_lines(points, looks, x, "fraction", y)]
    return panel(layers, HEIGHT, lines_of(points[0]["panel"], WIDTH, SUBTITLE_SIZE))
