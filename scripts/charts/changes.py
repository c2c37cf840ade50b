"""What every service got in this cycle and in the previous one (Prudentia Fig. 9)."""

from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import ChangeRow
from scripts.charts.theme import INK, RULE, Datum, chart_of

WIDTH, ROW = 520, 34
BEFORE, AFTER = "previous cycle", "this cycle"
_NAMES = alt.Axis(domain=False, ticks=False, grid=True, labelLimit=400)


def changes_chart(changes: Iterable[ChangeRow], setting: str, labels: Labels) -> alt.LayerChart:
    """Both medians of every cell that changed, and of every cell of the control group. Each cell has a row.

    Args:
        changes: the table `changes`.
        setting: the setting to show.
        labels: titles and colours.
    """
    rows = [row for row in changes if row.setting == setting]
    shown = sorted(
        (row for row in rows if row.changed or row.control),
        key=lambda row: (row.control, _name(row, labels)),
    )
    hidden = len(rows) - len(shown)
    others = (
        f"{hidden} more {'cell' if hidden == 1 else 'cells'} did not change" if hidden else "no more cells"
    )
    labelled = "; ".join(_label(row, labels) for row in shown) or "no cell changed"
    title = "What changed"
    return alt.LayerChart(layer=_layers(shown, labels)).properties(
        width=WIDTH,
        height=max(1, len(shown)) * ROW,
        description=f"{title}. {labels.setting(setting)}. {labelled}. {others}.",
        title=alt.Title(
            title,
            subtitle=[
                labels.setting(setting),
                f"Medians of the cells that changed and of the control group; {others}",
            ],
        ),
    )


def _layers(rows: list[ChangeRow], labels: Labels) -> list[alt.Chart]:
    """A point for each cycle's median, and a line between the two."""
    y = alt.Y("row:N", sort=[_name(row, labels) for row in rows], title=None, axis=_NAMES)
    x_title = "Throughput of the incumbent (Mbps)"
    line = chart_of([_cell(row, labels) for row in rows]).mark_rule(strokeWidth=2.5, color=RULE, aria=False)
    dots = chart_of([point for row in rows for point in _points(row, labels)])
    return [
        line.encode(x=alt.X("before:Q", title=x_title, scale=alt.Scale(zero=True)), x2="after:Q", y=y),
        dots.mark_point(filled=True, size=110, opacity=1).encode(
            x=alt.X("value:Q", title=x_title),
            y=y,
            shape=alt.Shape("cycle:N", title=None, scale=_scale(["circle", "diamond"])),
            color=alt.Color("cycle:N", title=None, scale=_scale([RULE, INK])),
            href="href:N",
            description="label:N",
            tooltip="label:N",
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


def _href(row: ChangeRow) -> str:
    return f"../pairs/{row.setting}/{row.pair}/"


def _cell(row: ChangeRow, labels: Labels) -> Datum:
    return {
        "row": _name(row, labels),
        "control": row.control,
        "before": row.before_median_mbps,
        "after": row.after_median_mbps,
        "href": _href(row),
        "label": _label(row, labels),
    }


def _points(row: ChangeRow, labels: Labels) -> list[Datum]:
    common: Datum = {"row": _name(row, labels), "href": _href(row), "label": _label(row, labels)}
    return [
        common | {"cycle": BEFORE, "value": row.before_median_mbps},
        common | {"cycle": AFTER, "value": row.after_median_mbps},
    ]
