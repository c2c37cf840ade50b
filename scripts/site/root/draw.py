"""Draw the charts of the root's pages, on all processors."""

import os
from collections.abc import Mapping
from pathlib import Path

from scripts.base.files import write_text
from scripts.base.processes import drawing_pool
from scripts.site.root.history_chart import HistoryChart, to_svg

FEW = 12
"""So few charts are drawn sooner than other processes start."""


def draw(charts: Mapping[str, HistoryChart], output: Path) -> None:
    """Write every chart as SVG at its address below `output`."""
    paths, listed = [output / address for address in charts], list(charts.values())
    processes = min(len(os.sched_getaffinity(0)), len(listed) // FEW)
    if processes < 2:
        for path, chart in zip(paths, listed, strict=True):
            write_chart(path, chart)
        return
    with drawing_pool(processes) as pool:
        for _done in pool.map(write_chart, paths, listed, chunksize=FEW):
            pass


def write_chart(path: Path, chart: HistoryChart) -> None:
    """Write one chart."""
    write_text(path, to_svg(chart))
