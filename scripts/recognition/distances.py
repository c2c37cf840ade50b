"""The distance of two traces: dynamic time warping within a band.

Warping lets a controller's next loss come earlier or later than that of another trial, by BAND_S at most.
The distance is the root of the mean square of what is left: 0.1 means that the two differ by a tenth of the
queue. dtaidistance computes it in C (Sakoe and Chiba 1978).
"""

from collections.abc import Sequence

import numpy as np
from dtaidistance import dtw_ndim

from scripts.recognition.traces import SAMPLES, SLOT_S, Numbers, Trace

BAND_S = 5
BAND = round(BAND_S / SLOT_S)
DECIMALS = 6
"""Processors may differ in the last digits of a sum, and tables must not."""


def distances(traces: Sequence[Trace], others: Sequence[Trace]) -> Numbers:
    """The distance of every trace to every other one; a row for each of `traces`."""
    if not traces or not others:
        return np.zeros((len(traces), len(others)))
    rows, columns = len(traces), len(others)
    block = ((0, rows), (rows, rows + columns), False)
    every = [np.ascontiguousarray(trace) for trace in [*traces, *others]]
    found = dtw_ndim.distance_matrix_fast(every, window=BAND, block=block, compact=True)
    roots: Numbers = np.round(np.asarray(found, dtype=np.float64) / np.sqrt(SAMPLES), DECIMALS)
    return roots.reshape(rows, columns)
