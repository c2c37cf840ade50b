"""What every service got in this cycle and in the previous one (Prudentia Fig. 9)."""

from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.row_places import AXIS, RowPlaces, row_places, rows_chart
from scripts.charts.table_rows import ChangeRow
from scripts.charts.theme import INK, LINKED, RULE, Datum, chart_of
from scripts.figures.words import several

ROOM, MOST_ROWS = 18, 40
BEFORE, AFTER = "previous cycle", "this cycle"
LEGEND = alt.Legend(columnPadding=24, symbolOpacity=1)
AXIS_TITLE = "Throughput of the incumbent (Mbps)"


def changes_chart(changes: Iterable[ChangeRow], setting: str, labels: Labels) -> alt.LayerChart:
    """Both medians of the cells that changed, largest changes first, and of those of the control group."""
    rows = [row for row in changes if row.setting == setting]
    changed = sorted(
        (row for row in rows if row.changed and not row.control),
        key=lambda row: (-abs(row.after_median_mbps - row.before_median_mbps), _name(row, labels)),
    )
    control = sorted((row for row in rows if row.control), key=lambda row: _name(row, labels))
    shown = [*changed[:MOST_ROWS], *control]
    title = _title(rows, changed, control)
    which = f"the {MOST_ROWS} largest changes" if len(changed) > MOST_ROWS else "every cell that changed"
    note = f"Medians of {which}, and of the control group: a change there is one of the testbed"
    places = row_places({_name(row, labels): ROOM for row in shown})
    words = "; ".join(_label(row, labels) for row in [*changed, *control]) or "no cell changed"
    return rows_chart(
        _layers(shown, places, labels),
        places.height,
        title,
        [labels.setting(setting), note],
        f"{title}. {labels.setting(setting)}. {words}.",
    )


def _title(rows: list[ChangeRow], changed: list[ChangeRow], control: list[ChangeRow]) -> str:
    """How many cells changed. If one of the control group did, the testbed may have."""
    tested = len(rows) - len(control)
    moved = sum(row.changed for row in control)
    count = f"{len(changed)} of {several(tested, 'cell')} changed"
    if not control:
        return f"{count}; there is no control"
    if moved:
        return f"{count}, but also {moved} of {len(control)} of the control: the testbed may have changed"
    return f"{count}, none of the control"


def _layers(rows: list[ChangeRow], places: RowPlaces, labels: Labels) -> list[alt.Chart | alt.LayerChart]:
    """A point for each cycle's median, and a line between the two."""
    values = [value for row in rows for value in (row.before_median_mbps, row.after_median_mbps)]
    scale = alt.Scale(domain=[0, 1.04 * max(values, default=0) or 1])
    spans: list[Datum] = []
    points: list[Datum] = []
    for row in rows:
        place = {"row": _name(row, labels), "y": places.middle(_name(row, labels))}
        linked = place | {"href": f"../pairs/{row.setting}/{row.pair}/", "label": _label(row, labels)}
        spans.append(place | {"before": row.before_median_mbps, "after": row.after_median_mbps})
        points.append(linked | {"cycle": BEFORE, "value": row.before_median_mbps})
        points.append(linked | {"cycle": AFTER, "value": row.after_median_mbps})
    return [
        places.frame(),
        chart_of(spans)
        .mark_rule(strokeWidth=2.5, color=RULE, aria=False)
        .encode(x=alt.X("before:Q", title=AXIS_TITLE, scale=scale, axis=AXIS), x2="after:Q", y=places.y()),
        chart_of(points)
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            x=alt.X("value:Q", title=AXIS_TITLE, scale=scale, axis=AXIS),
            y=places.y(),
            shape=alt.Shape("cycle:N", title=None, scale=_scale(["circle", "diamond"]), legend=LEGEND),
            color=alt.Color("cycle:N", title=None, scale=_scale([RULE, INK]), legend=LEGEND),
            **LINKED,
        ),
    ]


def _scale(values: list[str]) -> alt.Scale:
    """A shape or a colour for each of the two cycles."""
    return alt.Scale(domain=[BEFORE, AFTER], range=values)


def _name(row: ChangeRow, labels: Labels) -> str:
    matchup = labels.matchup(row.incumbent, row.contender, row.instance)
    return f"{matchup}{' (control)' if row.control else ''}"


def _label(row: ChangeRow, labels: Labels) -> str:
    medians = f"{row.before_median_mbps:.2f} to {row.after_median_mbps:.2f} Mbps"
    verdict = "changed" if row.changed else "did not change"
    return f"{_name(row, labels)}: {medians}, {verdict} (corrected p = {row.p_corrected:.2g})"
