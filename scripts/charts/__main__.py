"""Write every chart of a cycle: `python -m scripts.charts TABLES_DIR -o CHARTS_DIR`.

In: the tables pairs, solo, trial_services, trial_series and changes as Parquet; the campaign's merged
configuration (--config) for titles, queue sizes and sweeps; names stand where it is not given.
Out: `<name>.json` (Vega-Lite) and `<name>.svg` for each chart:

    share-<setting>, utilization-…, loss-…, delay-…   heatmaps of a setting
    dots-<setting>                                     every trial of every pair of a setting
    dots-<setting>-<pair>                              every trial of one pair or solo
    sweep-<setting>-<pair>                             one pair in all settings of a sweep
    changes-<setting>                                  what changed since the cycle before
    trial-<setting>-<pair>-<nn>                        one trial over time
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.charts.changes import changes_chart
from scripts.charts.dots import pair_dots, solo_dots
from scripts.charts.heatmap import HEATMAPS, heatmap
from scripts.charts.labels import Labels, make_labels
from scripts.charts.render import write_chart
from scripts.charts.sweep import sweep_charts, sweeps
from scripts.charts.tables import by_trial, read_table
from scripts.charts.theme import Figure
from scripts.charts.timeline import timeline
from scripts.errors import reporting
from scripts.files import read_json


def all_charts(tables: Path, config: Path | None = None) -> Iterator[tuple[str, Figure]]:
    """Every chart of a cycle with its name, in a fixed order."""
    trials = read_table(tables, "trial_services")
    labels = make_labels(trials["service"].to_pylist(), config)
    yield from _pair_charts(tables, labels)
    yield from _solo_charts(tables, labels)
    for sweep in sweeps(read_json(config).get("settings", {}) if config else {}):
        yield from sweep_charts(read_table(tables, "pairs"), sweep, labels)
    changes = read_table(tables, "changes")
    for setting in sorted(set(changes["setting"].to_pylist())):
        yield f"changes-{setting}", changes_chart(changes, setting, labels)
    for (setting, pair, trial), rows in by_trial(read_table(tables, "trial_series")):
        yield f"trial-{setting}-{pair}-{trial:02d}", timeline(rows, labels)


def _pair_charts(tables: Path, labels: Labels) -> Iterator[tuple[str, Figure]]:
    trials, pairs = read_table(tables, "trial_services"), read_table(tables, "pairs")
    for setting in sorted(set(pairs["setting"].to_pylist())):
        for kind in HEATMAPS:
            yield f"{kind}-{setting}", heatmap(pairs, setting, kind, labels)
        yield f"dots-{setting}", pair_dots(trials, pairs, setting, labels)
    met = {(row["setting"], row["pair"]) for row in trials.to_pylist() if row["clients"] == 2}
    for setting, pair in sorted(met):
        yield f"dots-{setting}-{pair}", pair_dots(trials, pairs, setting, labels, pair)


def _solo_charts(tables: Path, labels: Labels) -> Iterator[tuple[str, Figure]]:
    trials, solo = read_table(tables, "trial_services"), read_table(tables, "solo")
    for setting, service in sorted((row["setting"], row["service"]) for row in solo.to_pylist()):
        yield f"dots-{setting}-{service}", solo_dots(trials, solo, setting, service, labels)


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Write the charts; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts.charts", description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=Path, help="folder of the cycle's Parquet tables")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder to write the charts into")
    parser.add_argument("--config", type=Path, help="the campaign's merged configuration (JSON), for titles")
    options = parser.parse_args(arguments)
    for name, chart in all_charts(options.tables, options.config):
        write_chart(chart, options.output, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
