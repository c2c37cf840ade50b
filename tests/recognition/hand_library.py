"""A library of traces made by hand: three controllers, two stacks, two days."""

from scripts.recognition.families import family_of
from scripts.recognition.library import TraceLabel, library_of, link_distances
from scripts.recognition.traces import trace_of
from tests.recognition.hand_traces import LINK, bbr, cubic, reno

MADE = {
    "reno": lambda seed: reno(15, seed),
    "cubic": lambda seed: cubic(6.5, seed),
    "bbr": bbr,
}
STACKS, DAYS, TRIALS = ("kernel", "quinn"), ("2026-01-01", "2026-01-02"), 3


def hand_labels(days=DAYS, stacks=STACKS, controllers=tuple(MADE)):
    """Labels, and the trace of each."""
    labels, traces = [], []
    for day_number, day in enumerate(days):
        for stack_number, stack in enumerate(stacks):
            for name in controllers:
                for trial in range(1, TRIALS + 1):
                    seed = 100 * day_number + 10 * stack_number + trial
                    service = f"{stack}-{name}"
                    labels.append(
                        TraceLabel("hand", day, "8mbps", service, trial, LINK, stack, name, family_of(name))
                    )
                    traces.append(trace_of(MADE[name](seed), LINK))
    return labels, traces


def hand_library(**parts):
    labels, traces = hand_labels(**parts)
    return library_of(labels, traces, link_distances(labels, traces))
