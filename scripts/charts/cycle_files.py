"""The files of the charts of a cycle, written by several processes, or those of one chart."""

from collections.abc import Collection, Iterable
from functools import partial
from itertools import islice
from pathlib import Path

from scripts.base.processes import map_in_processes
from scripts.charts.cycle_charts import CycleChart, cycle_charts
from scripts.charts.origin import read_origin
from scripts.charts.render import write_chart
from scripts.model.campaign import Campaign

FEW = 20
"""So few charts are drawn sooner than another process starts."""


def write_cycle_charts(
    tables: Path, campaign: Campaign, output: Path, jobs: int = 1, pictures_only: bool = False
) -> None:
    """Write every chart of a cycle in every form.

    Args:
        tables: the folder of the cycle's tables.
        campaign: the merged configuration.
        output: the folder for the charts.
        jobs: processes that draw at the same time, at most.
        pictures_only: whether to write each chart as SVG only.
    """
    output.mkdir(parents=True, exist_ok=True)
    charts = list(cycle_charts(tables, campaign))
    processes = min(jobs, len(charts) // FEW)
    if processes < 2:
        _write(charts, tables, output, pictures_only)
        return
    write = partial(_write_some, tables, campaign, output, pictures_only, processes)
    list(map_in_processes(write, range(processes), processes=processes))


def write_named_charts(
    tables: Path, campaign: Campaign, output: Path, names: Collection[str], pictures_only: bool = False
) -> int:
    """Write those of the named charts that show anything; returns their number.

    The other arguments are those of `write_cycle_charts`.
    """
    charts = (chart for chart in cycle_charts(tables, campaign) if chart.name in names)
    return _write(charts, tables, output, pictures_only)


def _write_some(
    tables: Path, campaign: Campaign, output: Path, pictures_only: bool, step: int, start: int
) -> None:
    """Write each `step`th chart from `start`: the share of one process."""
    _write(islice(cycle_charts(tables, campaign), start, None, step), tables, output, pictures_only)


def _write(charts: Iterable[CycleChart], tables: Path, output: Path, pictures_only: bool) -> int:
    """Write those of the charts that show anything; returns their number."""
    origin, written = read_origin(tables), 0
    for chart in charts:
        figure = chart.draw()
        if figure is not None:
            write_chart(figure, output, chart.name, origin.of(chart.setting), pictures_only)
            written += 1
    return written
