"""Build the library of labelled traces from the cycles of the campaigns that measure them.

    python -m scripts.recognition [--data DIR] [-o FOLDER]

reads every cycle of `recognition` and `recognition-stacks` that has tables: published ones, and those in the
working folders of DIR. Every valid trial of a known controller that used the link is a labelled trace. The
traces that the library has of other cycles stay, because each day may be measured on another machine. The
command writes recognition.parquet (library.py) and recognition.json, which has what the library names right
when a part of it is left out (confusion.py). It ends with the rates of the latter.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import write_text
from scripts.base.records import to_json
from scripts.model.campaign import read_campaign
from scripts.model.comparison import folders_with_tables
from scripts.model.cycle_names import order_of
from scripts.recognition import LIBRARY
from scripts.recognition.confusion import EVALUATION, OUTCOMES, PARTS, Evaluation, confusion
from scripts.recognition.families import family_of
from scripts.recognition.library import (
    TraceLabel,
    as_stored,
    library_of,
    link_distances,
    read_library,
    write_library,
)
from scripts.recognition.services import MOST_IDLE
from scripts.recognition.solos import read_solos
from scripts.recognition.traces import Trace

CAMPAIGNS = ("recognition", "recognition-stacks")


def labelled(data: Path) -> Iterator[tuple[TraceLabel, Trace]]:
    """Every labelled trace of the cycles in a folder, in the order of campaigns, cycles and trials."""
    for campaign in CAMPAIGNS:
        folders = folders_with_tables(data / campaign / "any")
        for cycle in sorted(folders, key=order_of):
            settings = read_campaign(folders[cycle] / "plan/config.json").settings
            for solo in read_solos(folders[cycle] / "tables", settings):
                family = family_of(solo.controller or "")
                if solo.link is None or solo.trace is None or not family or solo.idle_fraction > MOST_IDLE:
                    continue
                key, controller = solo.key, solo.controller or ""
                made = (solo.link, solo.stack, controller, family)
                yield TraceLabel(campaign, cycle, key.setting, key.pair, key.number, *made), solo.trace


def build(data: Path, folder: Path) -> Evaluation:
    """Write the library and its evaluation. The library keeps what it has of cycles that are not in `data`.

    Raises:
        UserError: there is no labelled trace in `data`, or the library cannot be read.
    """
    found = [(label, as_stored(trace)) for label, trace in labelled(data)]
    if not found:
        raise UserError(
            f"{data}: has no trial of a known controller alone that is long enough; "
            f"measure one first (make cycle CAMPAIGN={CAMPAIGNS[0]})"
        )
    here, earlier = {label.of_cycle for label, _ in found}, read_library(folder / LIBRARY.name)
    known = zip(earlier.labels, earlier.traces, strict=True)
    found += [(label, trace) for label, trace in known if label.of_cycle not in here]
    found.sort(key=lambda entry: (order_of(entry[0].cycle), entry[0].address))
    labels, traces = [label for label, _ in found], [trace for _, trace in found]
    between = link_distances(labels, traces)
    library = library_of(labels, traces, between)
    evaluation = Evaluation(
        library=library.version,
        cycles=tuple(sorted({label.cycle for label in labels}, key=order_of)),
        stacks=tuple(sorted({label.stack for label in labels})),
        traces=len(labels),
        named=tuple(confusion(labels, between)),
    )
    write_library(library, folder / LIBRARY.name)
    write_text(folder / EVALUATION.name, json.dumps(to_json(evaluation), indent=1) + "\n")
    return evaluation


def rates(evaluation: Evaluation) -> Iterator[str]:
    """What was named right, wrong, and not at all, in a line for each kind of part."""
    for left_out in PARTS:
        if total := (counts := evaluation.outcomes(left_out)).total():
            words = ", ".join(f"{counts[what]} {what}" for what in OUTCOMES)
            yield f"one {left_out} left out: {words} of {total}"


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.recognition", __doc__)
    parser.add_argument("--data", type=Path, default=Path("data"), help="the folder of all campaigns")
    parser.add_argument("-o", "--output", type=Path, default=LIBRARY.parent, help="the folder of the library")
    arguments = parser.parse_args(argv)
    evaluation = build(arguments.data, arguments.output)
    print(f"library {evaluation.library}: {evaluation.traces} traces; stacks: {', '.join(evaluation.stacks)}")
    print(*rates(evaluation), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
