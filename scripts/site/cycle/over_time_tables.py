"""The shares of each pair over the time of its trials: the chart, and its figures as a table of the page."""

from collections.abc import Mapping

from scripts.charts.chart_labels import ENOUGH
from scripts.charts.over_time import band_of, lines_of, trials_of
from scripts.charts.table_rows import CellKey, PairRow, ShareBinRow, grouped
from scripts.site.cycle.figure_pages import PairKey
from scripts.site.cycle.inputs import Inputs, Row


def shares_over_time(inputs: Inputs) -> dict[PairKey, Row]:
    """What the page of a pair shows, by setting and pair. A cycle from before the table has none.

    `lines` has the names of the services or instances. `bins` has a row for each bin of time, with the median
    of each line, its band, and the part of the link that the median is, as fractions. A line has None there
    if no trial lasts to the end of the bin.
    """
    parts = {
        row.key: row.allocation_mbps / inputs.campaign.settings[row.setting].rate_mbps
        for row in inputs.records("pairs", PairRow)
    }
    bins = grouped(inputs.records("share_over_time", ShareBinRow), lambda row: (row.setting, row.pair))
    return {key: _page(inputs, rows, parts) for key, rows in bins.items()}


def _page(inputs: Inputs, rows: list[ShareBinRow], parts: Mapping[CellKey, float]) -> Row:
    """The entry of a pair; `parts` has the fair share of each cell as a part of the link."""
    lines, trials, first = lines_of(rows, inputs.labels), trials_of(rows), rows[0]
    start_s, stop_s = first.window
    at = {name: {row.start_s: row for row in line} for name, line in lines.items()}
    ends = {row.start_s: row.stop_s for row in rows}
    return {
        "chart": inputs.chart(f"over-time-{first.setting}-{first.pair}"),
        "width_s": first.width_s,
        "n": trials,
        "quartiles": trials >= ENOUGH,
        "halves": [round(at_s, 1) for at_s in (start_s, (start_s + stop_s) / 2, stop_s)],
        "lines": list(lines),
        "bins": [
            {
                "start_s": start,
                "stop_s": ends[start],
                "shares": [_share(line.get(start), trials, parts) for line in at.values()],
            }
            for start in sorted(ends)
        ],
    }


def _share(row: ShareBinRow | None, trials: int, parts: Mapping[CellKey, float]) -> Row | None:
    if row is None:
        return None
    low, high = band_of(row, trials)
    part = parts[row.setting, row.service, row.contender, row.instance]
    return {"median": row.median, "low": low, "high": high, "link": row.median * part, "n": row.n}
