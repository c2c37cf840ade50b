"""The slowdown of two equal flows whose RTTs differ (Zapletal and Kuipers 2023, Fig. 6)."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import PALETTE, Labels
from scripts.charts.completion_rows import BOUND, MEDIAN, CompletionRow, has_one_flow, highest_words, known
from scripts.charts.median_lines import LineLooks, line_looks, median_lines
from scripts.charts.row_places import WIDTH
from scripts.charts.text_widths import lines_of
from scripts.charts.theme import INK, SUBTITLE_SIZE, Datum, chart_of, headed
from scripts.model.campaign import Campaign
from scripts.model.disciplines import DISCIPLINES
from scripts.model.settings import Setting

HEIGHT = 120
EQUAL = 2
LINES = {"first": "First flow", "second": "Second flow"}
RTT = "RTT of the second flow (ms)"


@dataclass(frozen=True)
class _RttCell:
    """A figure with its place: the panel, and the RTT of the second flow in ms."""

    row: CompletionRow
    panel: str
    rtt_ms: float

    @property
    def place(self) -> str:
        """Which of the two flows, and the RTT of the second."""
        flow = "second flow at" if self.row.instance == "second" else "first flow beside one at"
        return f"{flow} {self.rtt_ms:g} ms, {self.panel}"


def slowdown_by_rtt(
    rows: Iterable[CompletionRow], campaign: Campaign, labels: Labels
) -> alt.VConcatChart | None:
    """A panel for each service and link, in it a line for each of the two flows over the RTT of the second.

    Args:
        rows: the table `completions`.
        campaign: the merged configuration, which has the RTTs.
        labels: titles of the services.

    Returns:
        The chart, or None without pairs of one flow each in settings that give the second client an RTT.
    """
    cells = [cell for row in known(rows, "slowdown") if (cell := _cell(row, campaign, labels)) is not None]
    if not cells:
        return None
    order = list(campaign.settings)
    cells.sort(key=lambda cell: (labels.service(cell.row.service), order.index(cell.row.setting)))
    points = [_point(cell) for cell in cells]
    looks = line_looks(dict(zip(LINES.values(), PALETTE, strict=False)))
    rtts = sorted({cell.rtt_ms for cell in cells})
    end = 1.1 * max(EQUAL, *(cell.row.end for cell in cells))
    names = list(dict.fromkeys(cell.panel for cell in cells))
    panels = [
        _panel([point for point in points if point["panel"] == name], looks, rtts, end, name == names[-1])
        for name in names
    ]
    places = {cell.row: cell.place for cell in cells}
    title = highest_words(
        [*places], "Highest median slowdown", lambda row: f"{row.value:.2f}", places.__getitem__
    )
    words = "; ".join(str(point["label"]) for point in points)
    return alt.vconcat(*panels, spacing=18).properties(
        description=f"{title}. {campaign.title}. {words}.",
        title=headed(title, [campaign.title, *_readings(cells)], WIDTH),
    )


def _cell(row: CompletionRow, campaign: Campaign, labels: Labels) -> _RttCell | None:
    """The figure's place; None if it is not one of the two flows."""
    setting = campaign.settings[row.setting]
    if len(setting.clients) < 2 or setting.clients[1].rtt_ms is None:
        return None
    if row.contender != row.service or not has_one_flow(campaign.services[row.service]):
        return None
    if row.instance not in LINES or (row.size_class, row.statistic) != ("all", "median"):
        return None
    panel = f"{labels.service(row.service)}, {_link_words(setting)}"
    return _RttCell(row, panel, setting.clients[1].rtt_ms)


def _link_words(setting: Setting) -> str:
    """What may differ between panels: `First flow at 20 ms; 100 Mbps, drop-tail, 250 packets`."""
    queue = (
        f"{setting.queue_bytes} bytes"
        if setting.queue_packets is None
        else f"{setting.queue_packets} packets"
    )
    discipline = DISCIPLINES[setting.discipline].title
    first_ms = setting.clients[0].rtt_ms or setting.rtt_ms
    return f"first flow at {first_ms:g} ms; {setting.rate_mbps:g} Mbps, {discipline}, {queue}"


def _readings(cells: list[_RttCell]) -> list[str]:
    """The meaning of the marks that the chart has."""
    bound = [BOUND] if any(cell.row.open for cell in cells) else []
    return [MEDIAN, *bound, f"Dashed: {EQUAL}, both flows at half the rate all the time"]


def _point(cell: _RttCell) -> Datum:
    """The median of one flow. It links to the pair's page."""
    row, line = cell.row, LINES[cell.row.instance]
    return {
        "panel": cell.panel,
        "line": line,
        "rtt_ms": cell.rtt_ms,
        "slowdown": row.value,
        "low": row.low,
        "high": row.high,
        "end": row.end if row.open else None,
        "label": f"{cell.place}: {row.words()}",
        "href": row.page,
    }


def _panel(
    points: list[Datum], looks: LineLooks, rtts: list[float], end: float, last: bool
) -> alt.LayerChart:
    """The two lines of one service on one link. The last panel has the title of the axis that all share."""
    lines = lines_of(str(points[0]["panel"]), WIDTH, SUBTITLE_SIZE)
    heading = alt.Title(lines, fontSize=SUBTITLE_SIZE, fontWeight="normal", offset=8)
    scale = alt.Scale(domain=[0, end], nice=False)
    x = alt.X(
        "rtt_ms:Q",
        title=RTT if last else None,
        scale=alt.Scale(type="log", domain=[rtts[0], rtts[-1]], nice=False, padding=20),
        axis=alt.Axis(values=rtts, grid=False, labelOverlap="greedy"),
    )

    def y(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title="Slowdown", scale=scale, axis=alt.Axis(tickCount=4))

    equal = chart_of([{"slowdown": EQUAL}]).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
    layers = [equal.encode(y=y("slowdown")), *median_lines(points, looks, x, "slowdown", y)]
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=HEIGHT, title=heading)
