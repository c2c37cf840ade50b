"""The median shares of each pair over the time of its trials."""

import math
from collections.abc import Mapping

from scripts.charts.over_time import lines_of, trials_of
from scripts.charts.table_rows import CellKey, PairRow, ShareBinRow, grouped
from scripts.site import Row
from scripts.site.cycle.cell_series import look_of
from scripts.site.cycle.figure_pages import PairKey
from scripts.site.cycle.inputs import Inputs
from scripts.site.drawn.series import SeriesLine, SmallSeries, drawn_series

MOST_SHARE = 200
"""The end of the axis of shares, percent, as everywhere. One flow beside many may take more."""


def shares_over_time(inputs: Inputs) -> dict[PairKey, Row]:
    """What the page of a pair shows, by setting and pair. A cycle from before the table has none.

    `series` draws the medians over `n` trials in bins of `width_s`. `chart` has the quartiles, too.
    `bins` has the medians of the services or instances in `names`, as parts of their fair share and of the
    link. One of them is null where no trial lasts to the end of the bin.
    """
    fair = {
        row.key: row.allocation_mbps / inputs.campaign.settings[row.setting].rate_mbps
        for row in inputs.records("pairs", PairRow)
    }
    bins = grouped(inputs.records("share_over_time", ShareBinRow), lambda row: (row.setting, row.pair))
    return {key: _page(inputs, rows, fair) for key, rows in bins.items()}


def _page(inputs: Inputs, rows: list[ShareBinRow], fair: Mapping[CellKey, float]) -> Row:
    first, named = rows[0], lines_of(rows, inputs.labels)
    lines = named.values()
    drawn = tuple(
        SeriesLine(
            look_of(row.pair, row.service, row.instance), [(one.middle_s, 100 * one.median) for one in line]
        )
        for line in lines
        for row in line[:1]
    )
    seconds = max(row.stop_s for row in rows)
    top = max(MOST_SHARE, *(100 * math.ceil(row.median) for row in rows))
    series = SmallSeries(drawn, seconds, top, "share, %; dotted: fair", 100, first.window)
    return {
        "chart": inputs.chart(f"over-time-{first.setting}-{first.pair}"),
        "width_s": first.width_s,
        "n": trials_of(rows),
        "series": drawn_series(series),
        "names": list(named),
        "bins": [
            {"start_s": start_s, "stop_s": rows_of[0].stop_s, "shares": _shares(list(lines), start_s, fair)}
            for start_s, rows_of in sorted(grouped(rows, lambda row: row.start_s).items())
        ],
    }


def _shares(
    lines: list[list[ShareBinRow]], start_s: float, fair: Mapping[CellKey, float]
) -> list[Row | None]:
    """What each line has in the bin that starts then."""
    return [next((_parts(row, fair) for row in line if row.start_s == start_s), None) for line in lines]


def _parts(row: ShareBinRow, fair: Mapping[CellKey, float]) -> Row:
    part = fair[row.setting, row.service, row.contender, row.instance]
    return {"share": row.median, "link": row.median * part}
