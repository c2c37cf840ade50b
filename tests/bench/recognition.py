"""The table recognition of a cycle of 15 services, with a library of two days of every controller.

Traces are made by hand. Beside it is one distance, by the library's C code and by its Python code.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from dtaidistance import dtw_ndim

from scripts.model.comparison import LABELS
from scripts.plan.campaign_file import load_campaign
from scripts.recognition.distances import BAND, distances
from scripts.recognition.families import family_of
from scripts.recognition.library import TraceLabel, library_of, write_library
from scripts.recognition.traces import trace_of
from tests.bench.process import RUNS, Size, cost
from tests.recognition.hand_cycle import CONTROLLERS, hand_series, trial, write_cycle
from tests.recognition.hand_traces import LINK

CAMPAIGN = "recognition-stacks"
SERVICES = {"full": 15, "tiny": 2}
TRIALS = {"full": 10, "tiny": 2}
"""Trials of every service alone."""
LABELLED = {"full": 276, "tiny": 6}
"""The traces of a link: 23 controllers, six trials a day, two days."""

COMMAND = """
import sys
from pathlib import Path
from scripts.tables.cycle import make_tables
make_tables(Path(sys.argv[1]), {"recognition"})
"""


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """The cost of a cycle, and the time of one distance."""
    with tempfile.TemporaryDirectory() as scratch:
        trials = [
            trial(name, number, hand_series(_like(place), 100 * place + number), cca="cubic")
            for place, name in enumerate([*load_campaign(CAMPAIGN).services][: SERVICES[size]])
            for number in range(1, TRIALS[size] + 1)
        ]
        cycle = write_cycle(Path(scratch), "2026-01-01", trials, CAMPAIGN)
        (cycle / LABELS).parent.mkdir()
        _write_labels(cycle / LABELS, LABELLED[size])
        ours = cost([sys.executable, "-c", COMMAND, cycle], RUNS[size])
        yield f"{SERVICES[size]} services, {len(trials)} trials, {LABELLED[size]} labelled", ours.wall_s, "s"
        yield "  its processor time", ours.cpu_s, "s"
        yield "  its peak memory", ours.peak_mib, "MiB"
    one, other = (trace_of(hand_series("iperf-reno", seed), LINK) for seed in (1, 2))
    yield "one distance", _ms(lambda: distances([one], [other])), "ms"
    yield "  dtaidistance in Python", _ms(lambda: dtw_ndim.distance(one, other, window=BAND)), "ms"


def _like(place: int) -> str:
    """The service of the kernel that the service, or the label, of this place is like."""
    return [*CONTROLLERS][place % len(CONTROLLERS)]


def _write_labels(path: Path, count: int) -> None:
    """Labelled traces of both days in turn. Their distances to each other are not what is measured."""
    labels, traces = [], []
    for place in range(count):
        like = _like(place)
        name, day = CONTROLLERS[like], f"2026-01-0{1 + place // 3 % 2}"
        made = LINK, "kernel", name, family_of(name) or ""
        labels.append(TraceLabel("hand", day, "8mbps", like, place, *made))
        traces.append(trace_of(hand_series(like, 5000 + place), LINK))
    few = distances(traces[:6], traces[:6])
    library = library_of(labels[:6], traces[:6], {LINK: few})
    limit_of = {label.service: limit for label, limit in zip(library.labels, library.limits, strict=True)}
    limits = tuple(limit_of[label.service] for label in labels)
    write_library(type(library)(tuple(labels), tuple(traces), limits, library.version), path)


def _ms(call: Callable[[], object]) -> float:
    """Milliseconds of one call, after a first one."""
    call()
    begun = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - begun)
