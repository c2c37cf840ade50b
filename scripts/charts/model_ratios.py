"""The goodput of Cubic and Reno beside the models of Mathis and Padhye (slides)."""

import statistics
from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import PALETTE, Labels
from scripts.charts.median_lines import line_looks
from scripts.charts.metric_rows import PART, READING, MetricRow, line_layers
from scripts.charts.row_places import WIDTH, RowPlaces, row_places
from scripts.charts.theme import INK, Datum, chart_of, headed

MODELS = {"mathis_ratio": "Mathis", "padhye_ratio": "Padhye"}
RATIO = "Goodput, divided by that of the model"
ENDS = ("value", "low", "high")
SHORTEST, ROOM = (0.5, 2), 1.1
"""The axis has this part at least, and it is so much longer than the ratios on both sides."""

TICKS = [0.01, 0.1, 0.5, 1, 2, 10, 100, 1000]
EQUAL = "Dashed: 1, as much as the model says. The models are of Reno"


def model_ratios(rows: Iterable[MetricRow], setting: str, labels: Labels) -> alt.LayerChart | None:
    """A row for each service and what it meets, in it the ratio to each model. None without a ratio.

    Args:
        rows: the table `models`.
        setting: the setting to show.
        labels: titles of settings and services.
    """
    shown = [
        row for row in rows if row.setting == setting and row.metric in MODELS and row.median is not None
    ]
    if not shown:
        return None
    places = row_places(dict.fromkeys((_name(row, labels) for row in shown), PART * len(MODELS)))
    data = [_datum(row, places, labels) for row in shown]
    title, words = _title(shown), "; ".join(str(datum["label"]) for datum in data)
    return alt.LayerChart(layer=_layers(data, places)).properties(
        width=WIDTH,
        height=places.height,
        description=f"{title}. {labels.setting(setting)}. {RATIO}. {words}.",
        title=headed(title, [labels.setting(setting), READING, EQUAL], WIDTH),
    )


def _name(row: MetricRow, labels: Labels) -> str:
    return labels.matchup(row.service, row.contender) if row.contender else labels.pair(row.service)


def _title(rows: list[MetricRow]) -> str:
    """The middle of the ratios to each model, of those with enough trials if there are any."""
    enough = [row for row in rows if row.enough]
    ratios = {
        name: [row.value for row in enough or rows if row.metric == metric] for metric, name in MODELS.items()
    }
    words = ", ".join(
        f"{statistics.median(values):.2f} to {name}" for name, values in ratios.items() if values
    )
    return f"{'M' if enough else 'Seen: m'}edian ratio {words}"


def _datum(row: MetricRow, places: RowPlaces, labels: Labels) -> Datum:
    name, line = _name(row, labels), MODELS[row.metric]
    return {
        "row": name,
        "line": line,
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "n": row.n,
        "label": f"{name}, ratio to {line}: {row.words()}",
        "href": row.page,
        "y": places.top(name) + PART * ([*MODELS].index(row.metric) + 0.5),
    }


def _layers(data: list[Datum], places: RowPlaces) -> list[alt.Chart | alt.LayerChart]:
    """The points, and the line of ratio 1 through each row."""
    scale, axis = _ratio_axis(data)

    def x(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=RATIO, scale=scale, axis=axis)

    equal: list[Datum] = [
        {"equal": 1, "top": places.top(name), "bottom": places.bottom(name)} for name in places.names
    ]
    dashed = chart_of(equal).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
    looks = line_looks(dict(zip(MODELS.values(), PALETTE, strict=False)))
    return [
        *line_layers(data, places, looks, x),
        dashed.encode(x=x("equal"), y=places.y("top"), y2="bottom:Q"),
    ]


def _ratio_axis(data: list[Datum]) -> tuple[alt.Scale, alt.Axis]:
    """A logarithmic axis around 1, because models may be off by two orders of magnitude. It begins above 0."""
    ratios = [float(str(datum[name])) for datum in data for name in ENDS if datum[name] is not None]
    start = min(SHORTEST[0], *(ratio / ROOM for ratio in ratios if ratio > 0))
    end = max(SHORTEST[1], *(ROOM * ratio for ratio in ratios))
    scale = alt.Scale(type="log", domain=[start, end], nice=False, clamp=True)
    return scale, alt.Axis(values=[tick for tick in TICKS if start <= tick <= end], format="~g")
