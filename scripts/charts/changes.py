"""What every service got in this cycle and in the one before (Prudentia Fig. 9)."""

import altair as alt
import pyarrow as pa

from scripts.charts.labels import Labels
from scripts.charts.theme import INK, RULE, Row, chart_of

WIDTH, ROW = 520, 34
BEFORE, AFTER = "the cycle before", "this cycle"
_NAMES = alt.Axis(domain=False, ticks=False, grid=True, labelLimit=400)


def changes_chart(changes: pa.Table, setting: str, labels: Labels) -> alt.LayerChart:
    """Both medians of every cell that changed, and of every cell of the control, one row each.

    Args:
        changes: the table `changes`.
        setting: the setting to show.
        labels: titles and colours.
    """
    known = [row for row in changes.to_pylist() if row["setting"] == setting]
    shown = [row for row in known if row["changed"] or row["control"]]
    cells = [_cell(row, labels) for row in shown]
    order = [cell["row"] for cell in sorted(cells, key=lambda cell: (cell["control"], cell["row"]))]
    y = alt.Y("row:N", sort=order, title=None, axis=_NAMES)
    x_title = "Throughput of the incumbent (Mbps)"
    points = [point for cell in cells for point in _points(cell)]
    line = chart_of(cells).mark_rule(strokeWidth=2.5, color=RULE, aria=False)
    dots = chart_of(points).mark_point(filled=True, size=110, opacity=1)
    marks = [
        line.encode(x=alt.X("before:Q", title=x_title, scale=alt.Scale(zero=True)), x2="after:Q", y=y),
        dots.encode(
            x=alt.X("value:Q", title=x_title),
            y=y,
            shape=alt.Shape("cycle:N", title=None, scale=_two(["circle", "diamond"])),
            color=alt.Color("cycle:N", title=None, scale=_two([RULE, INK])),
            href="href:N",
            description="label:N",
            tooltip="label:N",
        ),
    ]
    title = "What changed"
    others = len(known) - len(shown)
    left = f"{others} more {'cell' if others == 1 else 'cells'} did not change" if others else "no more cells"
    told = "; ".join(cell["label"] for cell in cells) or "no cell changed"
    return alt.LayerChart(layer=marks).properties(
        width=WIDTH,
        height=max(1, len(cells)) * ROW,
        description=f"{title}. {labels.setting(setting)}. {told}. {left}.",
        title=alt.Title(
            title,
            subtitle=[
                labels.setting(setting),
                f"Medians of cells that changed and of the control; {left}",
            ],
        ),
    )


def _two(signs: list[str]) -> alt.Scale:
    return alt.Scale(domain=[BEFORE, AFTER], range=signs)


def _cell(row: Row, labels: Labels) -> Row:
    itself = row["contender"] == row["incumbent"]
    against = "itself" if itself else " and ".join(map(labels.service, row["contender"].split("~")))
    name = f"{labels.service(row['incumbent'])} against {against}{' (control)' if row['control'] else ''}"
    before, after = row["before_median_mbps"], row["after_median_mbps"]
    said = "changed" if row["changed"] else "did not change"
    return {
        "row": name,
        "control": row["control"],
        "before": before,
        "after": after,
        "href": f"../pairs/{row['setting']}/{row['pair']}/",
        "label": f"{name}: {before:.2f} to {after:.2f} Mbps, {said} (corrected p = {row['p_corrected']:.2g})",
    }


def _points(cell: Row) -> list[Row]:
    kept = {name: cell[name] for name in ("row", "href", "label")}
    return [
        kept | {"cycle": BEFORE, "value": cell["before"]},
        kept | {"cycle": AFTER, "value": cell["after"]},
    ]
