"""The slowdown of generated flows beside another service (Zapletal and Kuipers 2023, Fig. 5)."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.completion_rows import CompletionRow, highest_words, known
from scripts.charts.median_lines import line_looks
from scripts.charts.row_places import RowPlaces, across, interval_band, row_places, rows_chart
from scripts.charts.theme import INK, LINKED, Datum, chart_of
from scripts.model.campaign import Campaign
from scripts.model.pairs import contenders

PART = 15
STATISTICS = ("mean", "maximum")
NUMBER_ROOM = 1.2
"""The axis is so much longer than its largest value, on its logarithmic scale, for the number behind it."""

TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
BESIDE, ALONE, IDEAL = "beside", "alone", "ideal"
AXIS_TITLE = "Slowdown, median over the trials"


@dataclass(frozen=True)
class _Mark:
    """A figure with its place: the name of the row, and the line in it."""

    row: CompletionRow
    name: str
    line: str

    @property
    def flows(self) -> str:
        """Which flows it is of."""
        if self.row.metric == "srpt_slowdown":
            return IDEAL
        return BESIDE if self.row.contender else ALONE

    @property
    def words(self) -> str:
        """The figure in words."""
        return f"{self.name}, {self.line}, {self.row.statistic} slowdown {self.flows}: {self.row.words()}"


def slowdown_beside(
    rows: Iterable[CompletionRow], campaign: Campaign, labels: Labels
) -> alt.LayerChart | None:
    """A row for each setting, in it a line for each pair from the mean slowdown to the maximum.

    Beside them are those of the same service alone, and of the same arrivals on an ideal link (SRPT).

    Returns:
        The chart, or None without a pair of a generator of many flows and another service.
    """
    generators = {name: service.generator for name, service in campaign.services.items()}
    several = {name for name, generator in generators.items() if generator and generator.most_flows != 1}
    figures = [
        row
        for metric in ("slowdown", "srpt_slowdown")
        for row in known(rows, metric)
        if row.size_class == "all" and row.statistic in STATISTICS and row.service in several
    ]
    names = _names(campaign)
    marks = _marks(figures, names, labels)
    beside = [mark for mark in marks if mark.flows == BESIDE]
    if not beside:
        return None
    beside.sort(key=lambda mark: mark.line)
    colours = {mark.line: labels.colours[mark.row.service] for mark in beside}
    lines = {
        name: list(dict.fromkeys(mark.line for mark in beside if mark.name == name))
        for name in names.values()
    }
    rows_at = row_places({name: PART * len(of_row) for name, of_row in lines.items() if of_row})
    places = {mark.row: f"{mark.line}, {mark.name}" for mark in beside if mark.row.statistic == "maximum"}
    title = highest_words(places, "Highest median slowdown", "{:.1f}".format)
    words = "; ".join(mark.words for mark in marks)
    settings = [campaign.settings[mark.row.setting] for mark in beside]
    rates = ", ".join(f"{rate:g}" for rate in sorted({setting.rate_mbps for setting in settings}))
    rtts = ", ".join(f"{rtt:g}" for rtt in sorted({setting.rtt_ms for setting in settings}))
    links = f"{rates} Mbps; RTT {rtts} ms"
    return rows_chart(
        _layers(marks, rows_at, lines, colours),
        rows_at.height,
        title,
        [campaign.title, links, *_readings(marks)],
        f"{title}. {campaign.title}, {links}. {words}.",
    )


def _names(campaign: Campaign) -> dict[str, str]:
    """The name of each setting's row: its title, and its own name where titles are equal."""
    titles = [setting.title for setting in campaign.settings.values()]
    return {
        name: setting.title if titles.count(setting.title) == 1 else f"{setting.title}: {name}"
        for name, setting in campaign.settings.items()
    }


def _marks(rows: list[CompletionRow], names: dict[str, str], labels: Labels) -> list[_Mark]:
    """Every figure of the pairs, and those of their flows alone in the same settings."""
    pairs = {
        (row.setting, row.service, row.contender)
        for row in rows
        if row.contender and row.service not in contenders(row.contender)
    }
    return [
        _Mark(row, names[setting], labels.matchup(service, contender))
        for setting, service, contender in sorted(pairs)
        for row in rows
        if (row.setting, row.service) == (setting, service)
        and (row.contender == contender or (row.contender, row.metric) == ("", "slowdown"))
    ]


def _readings(marks: list[_Mark]) -> list[str]:
    """The meaning of the marks that the chart has."""
    flows = {mark.flows for mark in marks}
    lines = ["Filled: mean of the flows, and maximum with its number; band: 95 % interval (for n ≥ 6)"]
    if ALONE in flows:
        lines.append("Hollow: mean and maximum of such flows alone")
    if IDEAL in flows:
        lines.append("Bars: the same flows on an ideal link (SRPT)")
    if any(mark.row.open for mark in marks):
        lines.append("≥: at least so much, because a flow had not ended with its trial")
    return lines


def _datum(mark: _Mark, y: float) -> Datum:
    row = mark.row
    return {
        "row": mark.name,
        "line": mark.line,
        "flows": mark.flows,
        "statistic": row.statistic,
        "slowdown": row.value,
        "low": row.low,
        "high": row.high,
        "n": row.n,
        "label": mark.words,
        "text": f"{'≥ ' if row.open else ''}{row.value:.1f}",
        "href": row.page,
        "y": y,
        "top": y - PART / 2 + 2,
        "bottom": y + PART / 2 - 2,
    }


def _layers(
    marks: list[_Mark], places: RowPlaces, lines: dict[str, list[str]], colours: dict[str, str]
) -> list[alt.Chart | alt.LayerChart]:
    """Filled points with their line in front of the bands, the ideal and the flows alone."""
    data = {
        flows: [
            _datum(mark, places.top(mark.name) + PART * (lines[mark.name].index(mark.line) + 0.5))
            for mark in marks
            if mark.flows == flows
        ]
        for flows in (BESIDE, ALONE, IDEAL)
    }
    end = max(2, max(mark.row.end for mark in marks) ** NUMBER_ROOM)
    scale = alt.Scale(type="log", domain=[1, end], nice=False, clamp=True)
    axis = alt.Axis(values=[tick for tick in TICKS if tick <= end], format="d")
    x, looks = across(AXIS_TITLE, scale, axis), line_looks(colours)
    beside = chart_of(data[BESIDE]).encode(y=places.y())
    maxima = beside.transform_filter("datum.statistic == 'maximum'")
    return [
        places.frame(),
        interval_band(beside, x),
        chart_of(data[IDEAL])
        .mark_rule(color=INK, strokeWidth=1.5, aria=False)
        .encode(x=x("slowdown"), y=places.y("top"), y2="bottom:Q"),
        chart_of(_spans(data[BESIDE]))
        .mark_rule(strokeWidth=1.5, aria=False)
        .encode(x=x("mean"), x2="maximum:Q", y=places.y(), color=looks.colour),
        chart_of(data[ALONE])
        .mark_point(filled=False, size=55, opacity=1, aria=False)
        .encode(x=x("slowdown"), y=places.y(), color=looks.colour, shape=looks.shape),
        beside.mark_point(filled=True, size=55, opacity=1).encode(
            x=x("slowdown"), color=looks.colour, shape=looks.shape, **LINKED
        ),
        maxima.mark_text(align="left", dx=8, fontSize=12, color=INK, aria=False).encode(
            x=x("slowdown"), text="text:N"
        ),
    ]


def _spans(beside: list[Datum]) -> list[Datum]:
    """From the mean to the maximum of each pair."""
    spans: dict[tuple[object, object], Datum] = {}
    for datum in beside:
        place = {name: datum[name] for name in ("row", "line", "y")}
        span = spans.setdefault((datum["row"], datum["line"]), place)
        span[datum["statistic"]] = datum["slowdown"]
    return list(spans.values())
