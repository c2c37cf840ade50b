"""Print what each client of one trial got, and draw its charts.

    python -m scripts.charts.one_trial ROWS_DIR --config MERGED.json -o FOLDER

ROWS_DIR is `<setting>/<pair>/<nn>` with the rows of the trial (scripts/tables/measured_trial.py). The charts
are those of scripts/charts/trial_charts.py, each as SVG and PNG.

Exit status: 0 the trial counts; 1 it failed, or breaks a rule of the testbed; 2 an error that the user can
fix.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import write_bytes, write_text
from scripts.base.plain import aligned
from scripts.charts.chart_labels import Labels, make_labels
from scripts.charts.render import to_png, to_spec, to_svg
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import WindowRow
from scripts.charts.trial_charts import trial_charts
from scripts.model.campaign import read_campaign
from scripts.model.rules import broken_rules
from scripts.model.trials import TrialKey

COLUMNS = ("service", "sends with", "of the link", "IP Mbps", "loss", "delay", "95th")


@dataclass(frozen=True)
class GotRow(WindowRow):
    """A row of trial_services: what a client got. A failed trial has null figures."""

    reason: str | None
    cca: str | None
    wire_rate_mbps: float | None
    loss_rate: float | None
    queueing_delay_mean_ms: float | None
    queueing_delay_p95_ms: float | None
    utilization: float | None
    stack: str | None
    stack_version: str | None
    controller: str | None

    @property
    def sends_with(self) -> str:
        """The congestion control in effect, or the endpoint's own words."""
        if self.stack is not None:
            return f"{self.controller} of {self.stack} {self.stack_version}"
        return self.cca or "not known"


def summary(rows: Sequence[GotRow], labels: Labels) -> list[str]:
    """What the clients of a trial got, as lines: shares of the link as wire rate, loss, queueing delay."""
    first = rows[0]
    if first.utilization is None:
        return [f"The trial failed: {first.reason}"]
    cells = [COLUMNS, *(_cells(row, labels) for row in sorted(rows, key=lambda row: row.number))]
    counts = "The trial counts." if first.valid else f"The trial does not count: {first.reason}."
    window = f"From second {first.window_start_s:g} to {first.window_stop_s:g}"
    meanings = [f"{rule}: {text}." for rule, text in broken_rules([first.reason or ""]).items()]
    return [
        *aligned(cells),
        f"{window} the link was {100 * first.utilization:.1f} % full. {counts}",
        *meanings,
    ]


def _cells(row: GotRow, labels: Labels) -> tuple[str, ...]:
    share = None if row.wire_rate_mbps is None else row.wire_rate_mbps / row.rate_mbps
    return (
        labels.service(row.service),
        row.sends_with,
        _number(share, 100, "{:.1f} %"),
        _number(row.throughput_mbps, 1, "{:.2f}"),
        _number(row.loss_rate, 100, "{:.2f} %"),
        _number(row.queueing_delay_mean_ms, 1, "{:.0f} ms"),
        _number(row.queueing_delay_p95_ms, 1, "{:.0f} ms"),
    )


def _number(value: float | None, times: float, words: str) -> str:
    return "–" if value is None else words.format(times * value)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.charts.one_trial", __doc__)
    parser.add_argument("rows", type=Path, metavar="ROWS_DIR", help="the rows of the trial")
    parser.add_argument(
        "--config", type=Path, required=True, metavar="MERGED.json", help="the merged configuration"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="for the charts")
    arguments = parser.parse_args(argv)
    campaign = read_campaign(arguments.config)
    rows = read_rows(arguments.rows, "trial_services", GotRow)
    for line in summary(rows, make_labels(campaign.services, campaign)):
        print(line)
    if rows[0].utilization is not None:
        for name, chart in trial_charts(arguments.rows, campaign, TrialKey.of(arguments.rows)):
            svg = to_svg(to_spec(chart))
            write_text(arguments.output / f"{name}.svg", svg)
            write_bytes(arguments.output / f"{name}.png", to_png(svg))
            print(f"Picture: {arguments.output / name}.svg, .png")
    return 0 if rows[0].valid else 1


if __name__ == "__main__":
    sys.exit(main())
