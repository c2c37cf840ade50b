"""K of a pair over the settings of a sweep: by the values of a key, and how many settings are enough for it.

Corbel et al., VI, Figs. 3 and 4.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import altair as alt

from scripts.charts.chart_labels import ENOUGH, Labels
from scripts.charts.row_places import WIDTH, RowPlaces, across, row_places, rows_chart, upwards
from scripts.charts.setting_groups import SweepGroup, axis_title, sweep_groups
from scripts.charts.theme import INK, MUTED, Datum, chart_of
from scripts.figures.words import several
from scripts.model.pairs import contenders
from scripts.model.settings import Setting


@dataclass(frozen=True)
class SettingK:
    """A row of fmp_settings: K of a pair in a setting, below 0 where the first client dominates."""

    sweep: str
    setting: str
    pair: str
    k: float | None


@dataclass(frozen=True)
class FmpRow:
    """A row of fmp: |K| over the settings of a sweep, or over those with the same value of a key."""

    sweep: str
    pair: str
    service: str
    contender: str
    key: str
    value: str
    n: int
    k_abs_median: float | None
    k_abs_low: float | None
    k_abs_high: float | None

    def words(self) -> str:
        """The median with its interval, such as `median |K| 0.21 (0.10 to 0.30), n = 75`."""
        if self.k_abs_median is None:
            return "no valid trial"
        interval = ""
        if self.k_abs_low is not None and self.k_abs_high is not None:
            interval = f" ({self.k_abs_low:.2f} to {self.k_abs_high:.2f})"
        return f"median |K| {self.k_abs_median:.2f}{interval}, n = {self.n}"


def fmp_sweeps(settings: dict[str, Setting]) -> list[SweepGroup]:
    """The sweeps whose settings are judged together: those of several keys. One key has its own curve."""
    return [sweep for sweep in sweep_groups(settings) if len(sweep.varied) > 1]


def fmp_pairs(rows: Iterable[FmpRow], sweep: SweepGroup) -> list[FmpRow]:
    """The rows over all settings of a sweep, of the pairs with a K in enough of them for a verdict."""
    return [row for row in rows if (row.sweep, row.key) == (sweep.name, "") and row.n >= ENOUGH]


def key_name(key: str) -> str:
    """A swept key in the name of a chart."""
    return key.replace("_", "-").replace(".", "-")


def chart_names(sweep: SweepGroup, pair: str) -> list[str]:
    """The names of all charts that a pair may have in a sweep."""
    of_pair = f"{sweep.name}-{pair}"
    return [*(f"k-by-{key_name(key)}-{of_pair}" for key in sweep.varied), f"fmp-accuracy-{of_pair}"]


def sides(row: FmpRow, labels: Labels) -> tuple[str, str]:
    """What dominates where K is below 0, and where it is above 0."""
    if row.contender == row.service:
        return "the first client", "the second client"
    alone = len(contenders(row.contender)) == 1
    return labels.service(row.service), labels.service(row.contender) if alone else "another service"


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
    """A row for each value of the key: how many settings with this value have which K."""
    by_value = {row.value: row for row in rows if row.key == key}
    shown = [row for value in sweep.values(key) if (row := by_value.get(str(value))) is not None]
    names = {row.value: f"{row.value}: {row.words()}" for row in shown}
    pair, title, what = labels.pair(shown[0].pair), _k_title(shown, key), axis_title(key)
    places = row_places(dict.fromkeys(names.values(), ROOM))
    first, other = sides(shown[0], labels)
    bars = _bars(_counts(settings, sweep, key), names, places, {FIRST: first, OTHER: other})
    words = "; ".join(names.values())
    readings = [
        f"Left of 0: {first} dominates; right: {other}",
        f"Height of a bar: number of settings; in brackets: 95 % interval (for n ≥ {ENOUGH})",
    ]
    return rows_chart(
        _k_layers(bars, places, labels, shown[0]),
        places.height,
        title,
        [pair, sweep.title, *readings],
        f"{pair}, K by {what}. {title}. {sweep.title}. {words}.",
    )


def _k_title(rows: list[FmpRow], key: str) -> str:
    """The largest and the smallest median |K|; `seen` if a value has too few settings."""
    known = [row for row in rows if row.k_abs_median is not None]
    by_k = sorted(known, key=lambda row: row.k_abs_median or 0)
    ends = dict.fromkeys((by_k[-1], by_k[0]))
    seen = "" if min(row.n for row in known) >= ENOUGH else "Seen: "
    at = ", ".join(f"{row.k_abs_median:.2f} at {row.value}" for row in ends)
    return f"{seen}{axis_title(key)}: median |K| {at}"


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
    counts: Counter[tuple[str, str, int]], names: dict[str, str], places: RowPlaces, who: dict[str, str]
) -> list[Datum]:
    """The bars, the highest one as high as the room of a row."""
    bars = []
    for (value, side, place), settings in sorted(counts.items()):
        ends = sorted((-1 if side == FIRST else 1) * BIN * edge for edge in (place, place + 1))
        low, high = (round(end, 2) for end in ends)
        number, bottom = several(settings, "setting"), places.bottom(names[value])
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


def _k_layers(
    bars: list[Datum], places: RowPlaces, labels: Labels, row: FmpRow
) -> list[alt.Chart | alt.LayerChart]:
    """The bars of each row on its line, and the line of fairness."""
    other = labels.colours.get(row.contender, MUTED)
    colours = alt.Scale(domain=[FIRST, OTHER], range=[labels.colours[row.service], other])
    x = across(AXIS_TITLE, SCALE, AXIS)
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


ACCURACY_HEIGHT, BOX = 220, 14
CLOSE = 0.05
"""Draws that differ less from the value over all settings are close to it."""

PERCENTILE = "1 − 90th percentile of |K|"
PERCENTILES = alt.Scale(domain=[0.5, 1], nice=False, zero=False)


@dataclass(frozen=True)
class AccuracyRow:
    """A row of fmp_accuracy: the draws of so many settings."""

    sweep: str
    pair: str
    service: str
    drawn_settings: int
    n: int
    exact: float
    draws: int
    lowest: float
    p5: float
    q25: float
    median: float
    q75: float
    p95: float
    highest: float

    @property
    def close(self) -> bool:
        """Whether 90 % of the draws are close to the value over all settings."""
        return self.exact - self.p5 <= CLOSE and self.p95 - self.exact <= CLOSE


def fmp_accuracy(rows: Iterable[AccuracyRow], sweep: SweepGroup, labels: Labels) -> alt.LayerChart:
    """A box for each number of settings drawn, and the line of the value over all settings.

    The rows are those of one pair, at least one.
    """
    boxes = sorted(rows, key=lambda row: row.drawn_settings)
    last = boxes[-1]
    pair, title = labels.pair(last.pair), _accuracy_title(boxes)
    words = "; ".join(_draw_words(row) for row in boxes)
    readings = [
        f"{last.draws} random draws for each number of settings",
        "Box: quartiles and median; thick line: 90 % of the draws; thin line: all",
        f"Dashed: all {last.n} settings, {last.exact:.2f}",
    ]
    return rows_chart(
        _accuracy_layers(boxes, labels),
        ACCURACY_HEIGHT,
        title,
        [pair, sweep.title, *readings],
        f"{pair}. {title}. {sweep.title}. {PERCENTILE}. {words}. All {last.n}: {last.exact:.2f}.",
    )


def _accuracy_title(boxes: list[AccuracyRow]) -> str:
    """From how many settings on draws are close, or how far those of the largest number are apart."""
    last, enough = boxes[-1], None
    for row in reversed(boxes):
        if not row.close:
            break
        enough = row.drawn_settings
    if enough is None:
        return (
            f"90 % of the draws of {last.drawn_settings} settings give {last.p5:.2f} to {last.p95:.2f}, "
            f"all {last.n} give {last.exact:.2f}"
        )
    return f"From {enough} settings on, 90 % of the draws are within {CLOSE:g} of {last.exact:.2f}"


def _draw_words(row: AccuracyRow) -> str:
    most = f"90 % of the draws {row.p5:.2f} to {row.p95:.2f}"
    return f"{row.drawn_settings} settings: median {row.median:.2f}, {most}"


def _accuracy_layers(boxes: list[AccuracyRow], labels: Labels) -> list[alt.Chart]:
    """The boxes in front of their lines, and the value over all settings."""
    colour = labels.colours[boxes[0].service]
    data: list[Datum] = [asdict(row) | {"label": _draw_words(row)} for row in boxes]
    numbers = [row.drawn_settings for row in boxes]
    axis = alt.Axis(values=numbers, grid=False)
    places = alt.Scale(domain=[0, numbers[-1] + 20], nice=False)
    chart = chart_of(data).encode(
        x=alt.X("drawn_settings:Q", title="Number of settings drawn", scale=places, axis=axis)
    )
    y = upwards(None, PERCENTILES, 5)
    return [
        chart.mark_rule(color=colour, aria=False).encode(y=y("lowest"), y2="highest:Q"),
        chart.mark_rule(color=colour, strokeWidth=4, aria=False).encode(y=y("p5"), y2="p95:Q"),
        chart.mark_bar(color=colour, size=BOX).encode(
            y=y("q25"), y2="q75:Q", description="label:N", tooltip="label:N"
        ),
        chart.mark_tick(
            color=INK, size=BOX + 6, thickness=2.5, opacity=1, orient="horizontal", aria=False
        ).encode(y=y("median")),
        chart_of([{"exact": boxes[0].exact}])
        .mark_rule(color=INK, strokeDash=[4, 3], aria=False)
        .encode(y=y("exact")),
    ]
