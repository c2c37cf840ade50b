"""Write the charts of a cycle, or those of single trials.

    python -m scripts.charts cycle TABLES_DIR --config MERGED.json -o CHARTS_DIR [--jobs N] [--only NAME]
    python -m scripts.charts trials TABLES_DIR --config MERGED.json -o CHARTS_DIR [--jobs N]

TABLES_DIR holds the tables of a cycle as Parquet, and cycle.json (data/<campaign>/<cycle>/tables).
MERGED.json is the campaign's merged configuration (plan/config.json): titles, queue sizes and sweeps.

`cycle` writes each chart as `<name>.svg`, `.png`, `.csv` (the data that it shows) and `.json` (Vega-Lite).
With --only, it writes one chart, such as `share-8mbps`. The kinds of charts are the entries of CHARTS in
scripts/charts/cycle_charts.py; behind the name of a kind stand a setting, a pair, a service or a sweep.

`trials` writes `<setting>/<pair>/<name>.svg` for the typical and the worst trial of each pair or solo
(scripts/charts/chosen_trials.py), and chosen.json, which lists these trials:

    trial-<setting>-<pair>-<nn>                        one trial over time, from trial_series
    senders-<setting>-<pair>-<nn>                      windows and BBR's estimates, from trial_senders
    bitrate-<setting>-<pair>-<nn>                      the trial's videos over time, from qoe_video_series

A chart without data is not written.
"""

import os
import sys
from pathlib import Path

from scripts.base.commands import parser_of, whole_number
from scripts.base.errors import UserError, reporting
from scripts.charts.cycle_files import write_cycle_charts, write_named_charts
from scripts.charts.trial_charts import write_trial_charts
from scripts.model.campaign import read_campaign


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Write the charts; returns the exit status."""
    parser = parser_of("scripts.charts", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    cycle = commands.add_parser("cycle", help="write the charts that need more than one trial")
    trials = commands.add_parser("trials", help="write the charts of typical and worst trials")
    cycle.add_argument("--only", metavar="NAME", help="write this chart only, such as share-8mbps")
    for command in (cycle, trials):
        command.add_argument(
            "--jobs",
            type=whole_number(1),
            default=os.cpu_count(),
            metavar="N",
            help="processes (default: %(default)s)",
        )
        command.add_argument("tables", type=Path, metavar="TABLES_DIR", help="folder of the cycle's tables")
        command.add_argument(
            "--config", type=Path, required=True, metavar="MERGED.json", help="the merged configuration"
        )
        command.add_argument(
            "-o", "--output", type=Path, required=True, metavar="CHARTS_DIR", help="folder for the charts"
        )
    options = parser.parse_args(arguments)
    campaign = read_campaign(options.config)
    options.output.mkdir(parents=True, exist_ok=True)
    if options.command == "trials":
        write_trial_charts(options.tables, campaign, options.output, options.jobs)
    elif options.only is not None:
        if not write_named_charts(options.tables, campaign, options.output, [options.only]):
            problem = f"{options.tables}: no chart {options.only!r}"
            raise UserError(f"{problem}; without --only, every chart is written")
    else:
        write_cycle_charts(options.tables, campaign, options.output, options.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
