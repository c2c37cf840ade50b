"""The median shares of each pair over the time of its trials."""

from scripts.charts.over_time import lines_of, trials_of
from scripts.charts.table_rows import ShareBinRow, grouped
from scripts.site.cycle.cell_series import look_of
from scripts.site.cycle.figure_pages import PairKey
from scripts.site.cycle.inputs import Inputs, Row
from scripts.site.drawn.series import Line, SmallSeries, drawn_series

MOST_SHARE = 200
"""The end of the axis of shares, percent, as everywhere."""


def shares_over_time(inputs: Inputs) -> dict[PairKey, Row]:
    """What the page of a pair shows, by setting and pair. A cycle from before the table has none.

    `series` draws the medians over `n` trials in bins of `width_s`. `chart` has the quartiles, too.
    """
    bins = grouped(inputs.records("share_over_time", ShareBinRow), lambda row: (row.setting, row.pair))
    return {key: _page(inputs, rows) for key, rows in bins.items()}


def _page(inputs: Inputs, rows: list[ShareBinRow]) -> Row:
    first, lines = rows[0], lines_of(rows, inputs.labels).values()
    drawn = tuple(
        Line(look_of(row.pair, row.service, row.instance), [(one.middle_s, 100 * one.median) for one in line])
        for line in lines
        for row in line[:1]
    )
    seconds = max(row.stop_s for row in rows)
    series = SmallSeries(drawn, seconds, MOST_SHARE, "share, %; dotted: fair", 100, first.window)
    return {
        "chart": inputs.chart(f"over-time-{first.setting}-{first.pair}"),
        "width_s": first.width_s,
        "n": trials_of(rows),
        "series": drawn_series(series),
    }
