"""Write every chart of a cycle: `python -m scripts.charts TABLES_DIR -o CHARTS_DIR`.

In: the tables pairs, solo, trial_services, trial_series, changes, workloads, qoe_pairs, qoe_web and
qoe_video_series as Parquet; the campaign's merged configuration (--config) for titles, queue sizes and
sweeps; names stand where it is not given.
Out: `<name>.json` (Vega-Lite) and `<name>.svg` for each chart:

    share-<setting>, utilization-…, loss-…, delay-…   heatmaps of a setting
    dots-<setting>                                     every trial of every pair of a setting
    dots-<setting>-<pair>                              every trial of one pair or solo
    sweep-<setting>-<pair>                             one pair in all settings of a sweep
    flows-<setting>                                    services of several flows, and what the others keep
    video-<setting>, rtc-<setting>, web-<setting>      what people get of videos, calls and pages
    changes-<setting>                                  what changed since the cycle before
    trial-<setting>-<pair>-<nn>                        one trial over time
    bitrate-<setting>-<pair>-<nn>                      the videos of a trial over time

A chart that has nothing to show is not written.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.compute as pc

from scripts.base.errors import reporting
from scripts.base.files import read_json
from scripts.charts.bitrate import bitrate_chart
from scripts.charts.changes import changes_chart
from scripts.charts.dots import pair_dots, solo_dots
from scripts.charts.experience import EXPERIENCES, experience_chart
from scripts.charts.flows import flows_chart
from scripts.charts.heatmap import HEATMAPS, cells_of, heatmap
from scripts.charts.labels import Labels, make_labels
from scripts.charts.render import write_chart
from scripts.charts.sweep_curves import sweep_charts, sweeps
from scripts.charts.tables import by_trial, read_table
from scripts.charts.theme import Figure
from scripts.charts.timeline import timeline


def all_charts(tables: Path, config: Path | None = None) -> Iterator[tuple[str, Figure]]:
    """Every chart of a cycle with its name, in a fixed order."""
    trials = read_table(tables, "trial_services")
    labels = make_labels(trials["service"].to_pylist(), config)
    yield from _pair_charts(tables, labels)
    yield from _solo_charts(tables, labels)
    for sweep in sweeps(read_json(config).get("settings", {}) if config else {}):
        yield from sweep_charts(read_table(tables, "pairs"), sweep, labels)
    yield from _experience_charts(tables, labels)
    changes = read_table(tables, "changes")
    for setting in sorted(set(changes["setting"].to_pylist())):
        yield f"changes-{setting}", changes_chart(changes, setting, labels)
    for (setting, pair, trial), rows in by_trial(read_table(tables, "trial_series")):
        yield f"trial-{setting}-{pair}-{trial:02d}", timeline(rows, labels)
    seen = read_table(tables, "qoe_video_series")
    for (setting, pair, trial), rows in by_trial(seen.filter(pc.is_valid(seen["bitrate_kbps"]))):
        yield f"bitrate-{setting}-{pair}-{trial:02d}", bitrate_chart(rows, labels)


def _pair_charts(tables: Path, labels: Labels) -> Iterator[tuple[str, Figure]]:
    trials, pairs = read_table(tables, "trial_services"), read_table(tables, "pairs")
    rows = pairs.to_pylist()
    for setting in sorted({row["setting"] for row in rows}):
        if cells_of(rows, setting):
            for kind in HEATMAPS:
                yield f"{kind}-{setting}", heatmap(pairs, setting, kind, labels)
        yield f"dots-{setting}", pair_dots(trials, pairs, setting, labels)
    # Of two calls or pages no share is taken, so they have no row in `pairs`.
    judged = {(row["setting"], row["pair"]) for row in rows}
    met = {(row["setting"], row["pair"]) for row in trials.to_pylist() if row["clients"] == 2}
    for setting, pair in sorted(met & judged):
        yield f"dots-{setting}-{pair}", pair_dots(trials, pairs, setting, labels, pair)


def _solo_charts(tables: Path, labels: Labels) -> Iterator[tuple[str, Figure]]:
    trials, solo = read_table(tables, "trial_services"), read_table(tables, "solo")
    for setting, service in sorted((row["setting"], row["service"]) for row in solo.to_pylist()):
        yield f"dots-{setting}-{service}", solo_dots(trials, solo, setting, service, labels)


def _experience_charts(tables: Path, labels: Labels) -> Iterator[tuple[str, Figure]]:
    """What several flows do to others, and what people get of videos, calls and pages, by setting."""
    pairs, workloads, qoe_pairs, qoe_web = (
        read_table(tables, name).to_pylist() for name in ("pairs", "workloads", "qoe_pairs", "qoe_web")
    )
    for setting in sorted({row["setting"] for row in [*workloads, *qoe_pairs]}):
        several = flows_chart(pairs, workloads, setting, labels)
        if several is not None:
            yield f"flows-{setting}", several
        for kind in EXPERIENCES:
            chart = experience_chart(qoe_pairs, qoe_web, setting, kind, labels)
            if chart is not None:
                yield f"{kind}-{setting}", chart


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
