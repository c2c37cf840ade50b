"""What each of three and more services gets, beside the part of the link predicted from pairs."""

from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.median_lines import line_looks
from scripts.charts.metric_rows import PART, READING, MetricRow, line_layers
from scripts.charts.row_places import WIDTH, RowPlaces, row_places
from scripts.charts.theme import INK, Datum, chart_of, headed
from scripts.model.pairs import contender_name, members

MEASURED, PREDICTED, ERROR = "measured_fraction", "predicted_fraction", "prediction_error"
FRACTION = "Percent of the link"
BAR = "Bar: predicted from pairs. Of several clients of a service, the mean"

Key = tuple[str, str]
"""A combination of services, and one of them."""

Found = dict[tuple[str, str, str], MetricRow]
"""The figures by metric and key."""


def prediction_chart(rows: Iterable[MetricRow], setting: str, labels: Labels) -> alt.LayerChart | None:
    """A row for each combination of services, in it a line for each service. None without a prediction.

    Args:
        rows: the table `predictions`.
        setting: the setting to show.
        labels: titles of settings and services, and colours.
    """
    known = [row for row in rows if row.setting == setting and row.median is not None]
    found = {(row.metric, row.pair, row.service): row for row in known}
    keys = [(row.pair, row.service) for row in known if row.metric == ERROR]
    if not keys:
        return None
    rooms: dict[str, float] = {}
    tops = {}
    for key in keys:
        name = _combination(key[0], labels)
        tops[key] = rooms.get(name, 0.0)
        rooms[name] = tops[key] + PART
    places = row_places(rooms)
    data = [_datum(found, key, places, tops[key], labels) for key in keys]
    title = _title([found[ERROR, *key] for key in keys], labels)
    words = "; ".join(str(datum["label"]) for datum in data)
    colours = {labels.service(service): labels.colours[service] for _, service in keys}
    return alt.LayerChart(layer=_layers(data, places, colours)).properties(
        width=WIDTH,
        height=places.height,
        description=f"{title}. {labels.setting(setting)}. {FRACTION}. {words}.",
        title=headed(title, [labels.setting(setting), READING, BAR], WIDTH),
    )


def _combination(pair: str, labels: Labels) -> str:
    """The title of a combination: `2 × A and B`."""
    return labels.contender(contender_name(members(pair)))


def _title(errors: list[MetricRow], labels: Labels) -> str:
    """The largest error, of those with enough trials if there are any."""
    enough = [row for row in errors if row.enough]
    worst = max(enough or errors, key=lambda row: abs(row.value))
    side = "more" if worst.value > 0 else "less"
    words = f"{100 * abs(worst.value):.1f} percentage points {side} than predicted"
    seen = "Furthest from its prediction" if enough else "Seen furthest from its prediction"
    return f"{seen}: {labels.matchup(worst.service, worst.contender)}, {words}"


def _datum(found: Found, key: Key, places: RowPlaces, top: float, labels: Labels) -> Datum:
    """What a service gets, percent, `top` px below the name of its row. It links to the page of the pair."""
    row, predicted = found[MEASURED, *key], 100 * found[PREDICTED, *key].value
    name, line = _combination(row.pair, labels), labels.service(row.service)
    error = found[ERROR, *key].words(100, 1)
    words = f"{row.words(100, 1, ' %')}; predicted {predicted:.1f} %; error in percentage points {error}"
    y = places.top(name) + top
    return {
        "row": name,
        "line": line,
        "value": 100 * row.value,
        "low": None if row.low is None else 100 * row.low,
        "high": None if row.high is None else 100 * row.high,
        "predicted": predicted,
        "n": row.n,
        "label": f"{line} in {name}: {words}",
        "href": row.page,
        "y": y + PART / 2,
        "top": y + 1,
        "bottom": y + PART - 1,
    }


def _layers(
    data: list[Datum], places: RowPlaces, colours: dict[str, str]
) -> list[alt.Chart | alt.LayerChart]:
    """The points, and the bars of what was predicted."""
    scale = alt.Scale(domain=[0, 100], nice=False)

    def x(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=FRACTION, scale=scale, axis=alt.Axis(tickCount=5))

    bars = chart_of(data).mark_rule(color=INK, strokeWidth=2, aria=False)
    predicted = bars.encode(x=x("predicted"), y=places.y("top"), y2="bottom:Q")
    return [*line_layers(data, places, line_looks(colours), x), predicted]
