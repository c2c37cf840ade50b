"""Write the charts of a cycle, or those of single trials.

    python -m scripts.charts cycle TABLES_DIR --config MERGED.json -o CHARTS_DIR
    python -m scripts.charts trials TRIAL_DIR … --config MERGED.json -o CHARTS_DIR

TABLES_DIR holds the tables of a cycle as Parquet (data/<campaign>/<cycle>/tables), TRIAL_DIR those of a trial
(rows/<setting>/<pair>/<nn>). MERGED.json is the campaign's merged configuration (plan/config.json), which has
titles, queue sizes and sweeps.

Writes `<name>.json` (Vega-Lite) and `<name>.svg` for each chart. `cycle` writes

    share-<setting>, utilization-…, loss-…, delay-…    heatmaps of a setting, from pairs
    dots-<setting>                                     every trial of each pair, from trial_services and pairs
    dots-<setting>-<pair>                              every trial of one pair or solo, from these and solo
    sweep-<sweep>-<pair>                               one pair in all settings of a sweep, from pairs
    flows-<setting>                                    services with several flows, from pairs and workloads
    video-<setting>, rtc-<setting>, web-<setting>      videos, calls and pages, from qoe_pairs and qoe_web
    changes-<setting>                                  what changed since the previous cycle, from changes

and `trials` writes

    trial-<setting>-<pair>-<nn>                        one trial over time, from trial_series
    bitrate-<setting>-<pair>-<nn>                      the trial's videos over time, from qoe_video_series

A chart without data is not written.
"""

import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.charts.chart_labels import make_labels
from scripts.charts.cycle_charts import cycle_charts
from scripts.charts.render import write_chart
from scripts.charts.theme import Charts
from scripts.charts.trial_charts import trial_charts
from scripts.model.campaign import Campaign, read_campaign


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Write the charts; returns the exit status."""
    parser = parser_of("scripts.charts", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    cycle = commands.add_parser("cycle", help="write the charts that need more than one trial")
    cycle.add_argument("tables", type=Path, metavar="TABLES_DIR", help="folder of the cycle's tables")
    trials = commands.add_parser("trials", help="write the charts of single trials")
    trials.add_argument(
        "trials", type=Path, nargs="+", metavar="TRIAL_DIR", help="folder of a trial's tables"
    )
    for command in (cycle, trials):
        command.add_argument(
            "--config", type=Path, required=True, metavar="MERGED.json", help="the merged configuration"
        )
        command.add_argument(
            "-o", "--output", type=Path, required=True, metavar="CHARTS_DIR", help="folder for the charts"
        )
    options = parser.parse_args(arguments)
    campaign = read_campaign(options.config)
    if options.command == "cycle":
        charts = cycle_charts(options.tables, campaign)
    else:
        charts = _charts_of_trials(options.trials, campaign)
    options.output.mkdir(parents=True, exist_ok=True)
    for name, chart in charts:
        write_chart(chart, options.output, name)
    return 0


def _charts_of_trials(trials: list[Path], campaign: Campaign) -> Charts:
    """The charts of these trials. The rows of one trial at a time are in memory."""
    labels = make_labels(campaign.services, campaign)
    for trial in trials:
        yield from trial_charts(trial, labels)


if __name__ == "__main__":
    sys.exit(main())
