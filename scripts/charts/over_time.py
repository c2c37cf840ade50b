"""The share of each service of a pair over the time of its trials: median and band of all valid ones."""

from collections.abc import Sequence
from statistics import fmean

import altair as alt

from scripts.charts.chart_labels import ENOUGH, INSTANCES, Labels
from scripts.charts.row_places import share_scale, upwards
from scripts.charts.table_rows import ShareBinRow, grouped
from scripts.charts.theme import INK, LEGEND, MUTED, Datum, chart_of, headed
from scripts.charts.timeline import WIDTH, Window, panel_of, shade, time_axis
from scripts.model.pairs import members

HEIGHT = 120


def over_time(rows: Sequence[ShareBinRow], labels: Labels) -> alt.VConcatChart:
    """A panel for each service, over one time axis and with one scale.

    All but the steady window is shaded. Rules mark its start, its middle and its end.

    Args:
        rows: those of share_over_time of one pair in one setting.
        labels: titles and colours.
    """
    lines = lines_of(rows, labels)
    panels = [
        _panel(name, line, rows, labels, last=place == len(lines))
        for place, (name, line) in enumerate(lines.items(), start=1)
    ]
    pair, setting, title = labels.pair(rows[0].pair), labels.setting(rows[0].setting), _title(lines, labels)
    medians = {
        name: ", ".join(f"{row.start_s:g}–{row.stop_s:g} s {100 * row.median:.0f} %" for row in line)
        for name, line in lines.items()
    }
    words = "; ".join(f"{name}: {shown}" for name, shown in medians.items())
    return alt.vconcat(*panels, spacing=14).properties(
        title=headed(title, [setting, *_readings(rows)], WIDTH),
        description=f"{pair}, share over time. {title}. {setting}. {words}.",
    )


def lines_of(rows: Sequence[ShareBinRow], labels: Labels) -> dict[str, list[ShareBinRow]]:
    """The bins of each line in the order of time, by the name of the line.

    A line is a service, or an instance of a self-pair: the worse-off one comes first.
    """
    in_order = sorted(rows, key=lambda row: (row.instance == "better_off", row.service, row.start_s))
    return grouped(in_order, lambda row: _name(row, labels))


def trials_of(rows: Sequence[ShareBinRow]) -> int:
    """The number of valid trials. Those with a web page may end before the last bins."""
    return max(row.n for row in rows)


def band_of(row: ShareBinRow, trials: int) -> tuple[float, float]:
    """The quartiles of a bin of a pair with six valid trials or more; else its lowest and highest value."""
    return (row.q25, row.q75) if trials >= ENOUGH else (row.minimum, row.maximum)


def _name(row: ShareBinRow, labels: Labels) -> str:
    """The service, and which of its clients it is if it has several; of a self-pair only the instance."""
    if row.instance in INSTANCES:
        return INSTANCES[row.instance].removeprefix(", ")
    clients = members(row.pair).count(row.service)
    return f"{labels.service(row.service)}{f', the first of {clients} clients' if clients > 1 else ''}"


def _title(lines: dict[str, list[ShareBinRow]], labels: Labels) -> str:
    """The mean of each line in both halves of the steady window."""
    rows = [row for line in lines.values() for row in line]
    means = ", ".join(
        f"{name} {' then '.join(f'{100 * mean:.0f} %' for mean in _means(line))}"
        for name, line in lines.items()
    )
    lead = f"{labels.pair(rows[0].pair)}: " if rows[0].instance in INSTANCES else ""
    seen = "" if trials_of(rows) >= ENOUGH else "Seen: "
    return f"{seen}{lead}{means} of a fair share"


def _means(line: Sequence[ShareBinRow]) -> list[float]:
    """The mean of the medians in each half of the steady window that has bins; of all if neither has."""
    start, stop = line[0].window
    middle = (start + stop) / 2
    halves = [
        [row.median for row in line if first <= row.middle_s < last]
        for first, last in ((start, middle), (middle, stop))
    ]
    return [fmean(half) for half in halves if half] or [fmean(row.median for row in line)]


def _readings(rows: Sequence[ShareBinRow]) -> list[str]:
    """What the title compares, and the meaning of line, band, shade and rules."""
    n, row = trials_of(rows), rows[0]
    start, stop = (round(limit, 1) for limit in row.window)
    band = "quartiles" if n >= ENOUGH else "from the lowest to the highest"
    line = f"median of the trials in bins of {row.width_s:g} s; band: {band}"
    return [
        "Title: the mean of the line in the first half of the steady window, then in the second",
        f"n = {n}. Line: {line if n > 1 else f'bins of {row.width_s:g} s'}",
        f"Unshaded: the steady window, {start:g}–{stop:g} s. Dotted: its middle. Dashed: the fair share",
    ]


def _panel(
    name: str, line: Sequence[ShareBinRow], rows: Sequence[ShareBinRow], labels: Labels, last: bool
) -> alt.LayerChart:
    """A line with its band, in front of the shade and the rules; the axes have room for all rows."""
    trials, end_s, window = trials_of(rows), max(row.stop_s for row in rows), line[0].window
    y = upwards(None, share_scale(100 * band_of(row, trials)[1] for row in rows), 5)
    time, colour = time_axis(end_s, last), labels.colours[line[0].service]
    base = chart_of(_points(line, trials)).encode(x=time)
    strong = base.mark_line(color=colour, strokeWidth=2, point={"color": colour, "size": 14}, aria=False)
    layers: list[alt.Chart | alt.LayerChart] = [
        _behind(end_s, window, time, y("fair")),
        base.mark_area(color=colour, opacity=0.3, aria=False).encode(y=y("low"), y2="high:Q"),
        strong.encode(y=y("median")),
    ]
    return panel_of(layers, f"{name}: MmF share (percent)", HEIGHT)


def _points(line: Sequence[ShareBinRow], trials: int) -> list[Datum]:
    """The bins of a line: a point in the middle of each, percent of the fair share."""
    return [
        {
            "from_s": row.start_s,
            "to_s": row.stop_s,
            "time": row.middle_s,
            "n": row.n,
            "median": 100 * row.median,
            "low": 100 * low,
            "high": 100 * high,
        }
        for row in line
        for low, high in [band_of(row, trials)]
    ]


def _behind(end_s: float, window: Window, time: alt.X, fair: alt.Y) -> alt.LayerChart:
    """The shade, and rules at the start, the middle and the end of the window and at the fair share."""
    start, stop = window
    ends = chart_of([{"time": start}, {"time": stop}]).mark_rule(color=MUTED, aria=False)
    middle = chart_of([{"time": (start + stop) / 2}]).mark_rule(color=MUTED, strokeDash=[2, 3], aria=False)
    level = chart_of([{"fair": 100}]).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
    layers = [shade(end_s, window, time), ends.encode(x=time), middle.encode(x=time), level.encode(y=fair)]
    return alt.LayerChart(layer=layers).properties(name=LEGEND)
