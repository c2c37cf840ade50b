"""From the rows of the trials to the tables and charts of a cycle, by the rules, on two cores.

    python -m tests.bench.cycle [TRIALS]

The benchmark has a tenth of the paper's cycle. The command measures as many trials of 600 s as it is told,
without a number all 1,800, and prints the time and the memory of all processes together.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.snapshot.rebuild import CAMPAIGN, CYCLE
from tests.bench.generated import paper_campaign
from tests.bench.process import Size, cost, cost_of_all, generated
from tests.tables.campaigns import write_campaign

TRIALS = {"full": 180, "tiny": 2}
PAPER_TRIALS = 1800
DURATION_S = {"full": 600, "tiny": 4}
CORES = 2
BARE_CHARTS = {"full": 20, "tiny": 1}
POINTS = 1200
"""In the timeline of a trial of 600 s."""

BARE = """
import sys, altair, vl_convert
points = [{"x": x, "y": x % 7} for x in range(int(sys.argv[1]))]
for _ in range(int(sys.argv[2])):
    chart = altair.Chart(altair.Data(values=points)).mark_line().encode(x="x:Q", y="y:Q")
    vl_convert.vegalite_to_svg(chart.to_dict())
"""


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """Seconds and memory of the tables and charts of a cycle, and the seconds of a bare chart."""
    yield from _measured(TRIALS[size], DURATION_S[size])
    one, many = (
        cost([sys.executable, "-c", BARE, str(POINTS), str(count)]) for count in (0, BARE_CHARTS[size])
    )
    yield "a bare chart of a trial's points (the floor)", (many.wall_s - one.wall_s) / BARE_CHARTS[size], "s"


def _measured(trials: int, duration_s: int) -> Iterator[tuple[str, float, str]]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        trial, cycle = folder / "trial", folder / CAMPAIGN / CYCLE
        generated(f"write_trial(Path({str(trial)!r}), {duration_s})")
        (cycle / "plan").mkdir(parents=True)
        config = write_campaign(cycle / "plan/config.json", paper_campaign())
        words = [sys.executable, "-m", "scripts.tables.trial_tables", trial, "--config", config]
        cost([*words, "-o", trial / "rows"])
        generated(f"write_cycle(Path({str(trial / 'rows')!r}), Path({str(cycle)!r}), {trials})")
        ours = cost_of_all(
            [
                *(sys.executable, "-m", "snakemake", "--nolock", "--cores", str(CORES), "--quiet", "all"),
                *("--rerun-triggers", "mtime", "--config", f"data={folder}", f"campaign={CAMPAIGN}"),
                *(
                    f"cycle={CYCLE}",
                    "frozen=True",
                    "--",
                    *(cycle / "charts" / name for name in ("cycle", "trials")),
                ),
            ]
        )
        charts = sum(1 for _ in (cycle / "charts").rglob("*.svg"))
        yield f"tables and {charts} charts of {trials} trials", ours.wall_s, "s"
        yield "  peak memory of all processes", ours.peak_mib, "MiB"


def main() -> None:
    """Measure a cycle of this many trials."""
    parser = parser_of("tests.bench.cycle", __doc__)
    parser.add_argument(
        "trials", type=int, nargs="?", default=PAPER_TRIALS, help="how many trials; default: 1,800"
    )
    for what, figure, unit in _measured(parser.parse_args().trials, DURATION_S["full"]):
        print(f"{what:<48} {figure:>14,.4g} {unit}")


if __name__ == "__main__":
    main()
