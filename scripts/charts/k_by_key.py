"""K of a pair in the settings of a sweep, by the values of a swept key (Corbel et al., Fig. 3)."""

from collections import Counter
from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.dot_chart import ENOUGH
from scripts.charts.fmp_rows import FmpRow, SettingK, sides
from scripts.charts.row_places import WIDTH, RowPlaces, row_places
from scripts.charts.sweep_groups import SweepGroup, axis_title
from scripts.charts.theme import INK, MUTED, Datum, chart_of, headed

ROOM = 44
BIN, BINS = 0.05, 10
"""The width of a bar in K, and the number of bars on each side of 0."""

AXIS = alt.Axis(values=[-0.5, -0.25, 0, 0.25, 0.5], format=".2~f")
SCALE = alt.Scale(domain=[-0.5, 0.5], nice=False)
AXIS_TITLE = "K (0 is fair)"
FIRST, OTHER = "first", "other"


def k_by_key(
    settings: Iterable[SettingK], rows: Iterable[FmpRow], sweep: SweepGroup, key: str, labels: Labels
) -> alt.LayerChart:
    """A row for each value of the key: how many settings with this value have which K.

    Args:
        settings: the K of one pair in each setting of the sweep.
        rows: the rows of the table `fmp` of that pair.
        sweep: the sweep.
        key: one of its keys.
        labels: titles and colours of the services.
    """
    by_value = {row.value: row for row in rows if row.key == key}
    shown = [row for value in sweep.values(key) if (row := by_value.get(str(value))) is not None]
    names = {row.value: f"{row.value}: {row.words()}" for row in shown}
    counts = _counts(settings, sweep, key)
    pair, title, what = labels.pair(shown[0].pair), _title(shown, key), axis_title(key)
    places = row_places(dict.fromkeys(names.values(), ROOM))
    bars = _bars(counts, names, places, labels, shown[0])
    words = "; ".join(names.values())
    return alt.LayerChart(layer=_layers(bars, places, labels, shown[0])).properties(
        width=WIDTH,
        height=places.height,
        description=f"{pair}, K by {what}. {title}. {sweep.title}. {words}.",
        title=headed(title, [pair, sweep.title, *_readings(shown[0], labels)], WIDTH),
    )


def _title(rows: list[FmpRow], key: str) -> str:
    """The largest and the smallest median |K|; `seen` if a value has too few settings."""
    known = [row for row in rows if row.k_abs_median is not None]
    by_k = sorted(known, key=lambda row: row.k_abs_median or 0)
    ends = dict.fromkeys((by_k[-1], by_k[0]))
    seen = "" if min(row.n for row in known) >= ENOUGH else "Seen: "
    at = ", ".join(f"{row.k_abs_median:.2f} at {row.value}" for row in ends)
    return f"{seen}{axis_title(key)}: median |K| {at}"


def _readings(row: FmpRow, labels: Labels) -> list[str]:
    """How to read the bars."""
    first, other = sides(row, labels)
    return [
        f"Left of 0: {first} dominates; right: {other}",
        f"Height of a bar: number of settings; in brackets: 95 % interval (for n ≥ {ENOUGH})",
    ]


def _counts(settings: Iterable[SettingK], sweep: SweepGroup, key: str) -> Counter[tuple[str, str, int]]:
    """The number of settings by value of the key, side of 0 and bar, counted from 0."""
    return Counter(
        (
            str(sweep.at[row.setting][key]),
            FIRST if row.k < 0 else OTHER,
            min(BINS - 1, int(round(abs(row.k) / BIN, 9))),
        )
        for row in settings
        if row.k is not None
    )


def _bars(
    counts: Counter[tuple[str, str, int]],
    names: dict[str, str],
    places: RowPlaces,
    labels: Labels,
    row: FmpRow,
) -> list[Datum]:
    """The bars, the highest one as high as the room of a row."""
    who = dict(zip((FIRST, OTHER), sides(row, labels), strict=True))
    bars: list[Datum] = []
    for (value, side, place), settings in sorted(counts.items()):
        ends = sorted((-1 if side == FIRST else 1) * BIN * edge for edge in (place, place + 1))
        low, high = (round(end, 2) for end in ends)
        number = f"{settings} {'setting' if settings == 1 else 'settings'}"
        bottom = places.bottom(names[value])
        bars.append(
            {
                "value": value,
                "side": side,
                "low": low,
                "high": high,
                "settings": settings,
                "top": bottom - ROOM * settings / max(counts.values()),
                "bottom": bottom,
                "label": f"{value}, K {low:g} to {high:g} ({who[side]} dominates): {number}",
            }
        )
    return bars


def _layers(
    bars: list[Datum], places: RowPlaces, labels: Labels, row: FmpRow
) -> list[alt.Chart | alt.LayerChart]:
    """The bars of each row on its line, and the line of fairness."""
    other = labels.colours.get(row.contender, MUTED)
    colours = alt.Scale(domain=[FIRST, OTHER], range=[labels.colours[row.service], other])

    def x(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=AXIS_TITLE, scale=SCALE, axis=AXIS)

    lines = chart_of(
        [{"fair": 0, "top": places.top(name), "bottom": places.bottom(name)} for name in places.names]
    )
    return [
        places.headings(),
        chart_of(bars)
        .mark_rect(opacity=0.9)
        .encode(
            x=x("low"),
            x2="high:Q",
            y=places.y("top"),
            y2="bottom:Q",
            color=alt.Color("side:N", legend=None, scale=colours),
            description="label:N",
            tooltip="label:N",
        ),
        lines.mark_rule(color=MUTED, aria=False).encode(
            y=places.y("bottom"), x=alt.value(0), x2=alt.value(WIDTH)
        ),
        lines.mark_rule(color=INK, strokeDash=[4, 3], aria=False).encode(
            x=x("fair"), y=places.y("top"), y2="bottom:Q"
        ),
    ]
