"""The picture of a gate: differences with their intervals. The unit is the margin, so all share one axis."""

from collections.abc import Sequence

import altair as alt

from scripts.charts.scales import LOST, WON
from scripts.charts.theme import INK, RULE, AnyChart, Datum, chart_of, headed
from scripts.gate.decision import FigureVerdict

WIDTH, ROW = 560, 34
REACH = 3.0
"""The axis ends at so many margins on each side. What is beyond is drawn at its end."""

COLOURS = {"pass": WON, "fail": LOST, "inconclusive": RULE}


def picture(figures: Sequence[FigureVerdict]) -> AnyChart | None:
    """A row for each figure: a dot at the difference, a line for the interval, a band where it passes.

    A figure that cannot be judged yet has no row. None: there is no other.
    """
    rows = [row for figure in figures if (row := _row(figure))]
    if not rows:
        return None
    names = [str(row["figure"]) for row in rows]
    y = alt.Y(
        "figure:N",
        sort=names,
        title=None,
        axis=alt.Axis(labelLimit=480, labelPadding=10, ticks=False, domain=False),
    )
    scale = alt.Scale(domain=[-REACH, REACH], nice=False)
    x = alt.X(
        "low:Q",
        scale=scale,
        title="Candidate minus base, in margins",
        axis=alt.Axis(values=[-3, -2, -1, 0, 1, 2, 3]),
    )
    colour = alt.Color("verdict:N", scale=alt.Scale(domain=[*COLOURS], range=[*COLOURS.values()]), title=None)
    data = chart_of(rows)
    band = data.mark_rect(color=RULE, opacity=0.18, aria=False)
    layers = [
        band.encode(x=alt.X("least:Q", scale=scale, title=None), x2="most:Q", y=y),
        chart_of([{"low": 0}]).mark_rule(color=INK, aria=False).encode(x=x),
        data.mark_rule(strokeWidth=3).encode(x=x, x2="high:Q", y=y, color=colour),
        data.mark_point(filled=True, size=80, opacity=1).encode(x="middle:Q", y=y, color=colour),
    ]
    title = headed(
        "Candidate minus base",
        ["A dot is the difference of the means, the line its interval, the band what the margin allows."],
        WIDTH,
    )
    words = "; ".join(f"{row['figure']}: {row['verdict']}" for row in rows)
    chart = alt.LayerChart(layer=layers)
    return chart.properties(width=WIDTH, height=ROW * len(rows), title=title, description=words)


def _row(figure: FigureVerdict) -> Datum | None:
    """The figure in margins; None if it has no difference."""
    arms = figure.arms
    if figure.difference is None or figure.shown is None:
        return None

    def place(value: float) -> float:
        return max(-REACH, min(REACH, value / arms.margin.margin))

    low, high = figure.shown
    return {
        "figure": arms.title,
        "verdict": figure.verdict,
        "middle": place(figure.difference),
        "low": place(low),
        "high": place(high),
        "least": -REACH if arms.margin.worse == "more" else -1,
        "most": REACH if arms.margin.worse == "less" else 1,
    }
