"""What services get beside the models of Mathis and Padhye, and beside what pairs predict."""

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import ENOUGH, PALETTE, Labels, seen_unless
from scripts.charts.median_lines import LineLooks, line_looks
from scripts.charts.row_places import AXIS, RowPlaces, across, interval_band, row_places, rows_chart
from scripts.charts.table_rows import MetricRow, grouped, scaled
from scripts.charts.theme import INK, LINKED, Datum, chart_of
from scripts.model.pairs import contender_name, members

PART = 15
"""The height of a line in a row, px."""

READING = f"Point: median over the trials; band: its 95 % interval (for n ≥ {ENOUGH})"


@dataclass(frozen=True)
class ModelRow(MetricRow):
    """A row of models. A cycle of an earlier version has no loss events."""

    model_median: float | None
    reason: str | None = None
    events: int | None = None


def line_layers(
    data: Sequence[Datum], places: RowPlaces, looks: LineLooks, x: Callable[[str], alt.X]
) -> list[alt.Chart | alt.LayerChart]:
    """The names of the rows, and a point for each figure in front of its interval.

    Args:
        data: the figures, each with its `line`, `y`, `value`, the interval `low` to `high` (or None), `label`
            and `href`.
        places: the places of the rows.
        looks: the looks of the lines.
        x: gives the horizontal channel of a column.
    """
    rows = chart_of(data).encode(y=places.y())
    points = rows.mark_point(filled=True, size=55, opacity=1).encode(
        x=x("value"), color=looks.colour, shape=looks.shape, **LINKED
    )
    return [places.frame(), interval_band(rows, x), points]


MODELS = {"mathis_ratio": "Mathis", "padhye_ratio": "Padhye"}
RATIO = "Goodput, divided by that of the model"
ENDS = ("value", "low", "high")
SHORTEST, ROOM = (0.5, 2), 1.1
"""The axis has this part at least, and it is so much longer than the ratios on both sides."""

TICKS = [0.01, 0.1, 0.5, 1, 2, 10, 100, 1000]
EQUAL = "Dashed: 1, as much as the model says at these loss events per packet"


def model_ratios(rows: Iterable[MetricRow], setting: str, labels: Labels) -> alt.LayerChart | None:
    """A row for each service and what it meets, in it the ratio to each model. None without a ratio."""
    shown = [
        row for row in rows if row.setting == setting and row.metric in MODELS and row.median is not None
    ]
    if not shown:
        return None
    places = row_places(
        dict.fromkeys((labels.matchup(row.service, row.contender) for row in shown), PART * len(MODELS))
    )
    data = [_ratio_datum(row, places, labels) for row in shown]
    title, words = _ratio_title(shown), "; ".join(datum["label"] for datum in data)
    return rows_chart(
        _ratio_layers(data, places),
        places.height,
        title,
        [labels.setting(setting), READING, EQUAL],
        f"{title}. {labels.setting(setting)}. {RATIO}. {words}.",
    )


def _ratio_title(rows: list[MetricRow]) -> str:
    """The middle of the ratios to each model, of those with enough trials if there are any."""
    enough = [row for row in rows if row.enough]
    ratios = {
        name: [row.value for row in enough or rows if row.metric == metric] for metric, name in MODELS.items()
    }
    words = ", ".join(
        f"{statistics.median(values):.2f} to {name}" for name, values in ratios.items() if values
    )
    return seen_unless(enough, f"Median ratio {words}")


def _ratio_datum(row: MetricRow, places: RowPlaces, labels: Labels) -> Datum:
    name, line = labels.matchup(row.service, row.contender), MODELS[row.metric]
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


def _ratio_layers(data: list[Datum], places: RowPlaces) -> list[alt.Chart | alt.LayerChart]:
    """The points, and the line of ratio 1 through each row."""
    x = across(RATIO, *_ratio_axis(data))
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
    """A logarithmic axis around 1, because models may be off by two orders of magnitude."""
    ratios = [datum[name] for datum in data for name in ENDS if datum[name] is not None]
    start = min(SHORTEST[0], *(ratio / ROOM for ratio in ratios if ratio > 0))
    end = max(SHORTEST[1], *(ROOM * ratio for ratio in ratios))
    scale = alt.Scale(type="log", domain=[start, end], nice=False, clamp=True)
    return scale, alt.Axis(values=[tick for tick in TICKS if start <= tick <= end], format="~g")


MEASURED, PREDICTED, ERROR = "measured_fraction", "predicted_fraction", "prediction_error"
FRACTION = "Percent of the link"
BAR = "Bar: predicted from pairs. Of several clients of a service, the mean"

FiguresByService = dict[tuple[str, str, str], MetricRow]
"""The figures by metric, combination of services, and one of these."""


def prediction_chart(rows: Iterable[MetricRow], setting: str, labels: Labels) -> alt.LayerChart | None:
    """A row for each combination of services, in it a line for each service. None without a prediction."""
    known = [row for row in rows if row.setting == setting and row.median is not None]
    figures = {(row.metric, row.pair, row.service): row for row in known}
    errors = [row for row in known if row.metric == ERROR]
    if not errors:
        return None
    of_rows = grouped(errors, lambda row: labels.contender(contender_name(members(row.pair))))
    places = row_places({name: PART * len(lines) for name, lines in of_rows.items()})
    data = [
        _prediction_datum(figures, error, name, places.top(name) + PART * place, labels)
        for name, lines in of_rows.items()
        for place, error in enumerate(lines)
    ]
    title, words = _prediction_title(errors, labels), "; ".join(datum["label"] for datum in data)
    colours = {labels.service(row.service): labels.colours[row.service] for row in errors}
    return rows_chart(
        _prediction_layers(data, places, colours),
        places.height,
        title,
        [labels.setting(setting), READING, BAR],
        f"{title}. {labels.setting(setting)}. {FRACTION}. {words}.",
    )


def _prediction_title(errors: list[MetricRow], labels: Labels) -> str:
    """The largest error, of those with enough trials if there are any."""
    enough = [row for row in errors if row.enough]
    worst = max(enough or errors, key=lambda row: abs(row.value))
    side = "more" if worst.value > 0 else "less"
    words = f"{100 * abs(worst.value):.1f} percentage points {side} than predicted"
    seen = "Largest median error" if enough else "Largest error seen"
    return f"{seen}: {labels.matchup(worst.service, worst.contender)}, {words}"


def _prediction_datum(
    figures: FiguresByService, error: MetricRow, name: str, y: float, labels: Labels
) -> Datum:
    """What a service gets, percent, in the row of its name, from `y` on. It links to the page of the pair."""
    row = figures[MEASURED, error.pair, error.service]
    line, predicted = labels.service(row.service), 100 * figures[PREDICTED, row.pair, row.service].value
    error_words = f"error in percentage points {error.words(100, 1)}"
    words = f"{row.words(100, 1, ' %')}; predicted {predicted:.1f} %; {error_words}"
    return {
        "row": name,
        "line": line,
        "value": 100 * row.value,
        "low": scaled(row.low, 100),
        "high": scaled(row.high, 100),
        "predicted": predicted,
        "n": row.n,
        "label": f"{line} in {name}: {words}",
        "href": row.page,
        "y": y + PART / 2,
        "top": y + 1,
        "bottom": y + PART - 1,
    }


def _prediction_layers(
    data: list[Datum], places: RowPlaces, colours: dict[str, str]
) -> list[alt.Chart | alt.LayerChart]:
    """The points, and the bars of what was predicted."""
    x = across(FRACTION, alt.Scale(domain=[0, 100], nice=False), AXIS)
    bars = chart_of(data).mark_rule(color=INK, strokeWidth=2, aria=False)
    predicted = bars.encode(x=x("predicted"), y=places.y("top"), y2="bottom:Q")
    return [*line_layers(data, places, line_looks(colours), x), predicted]
