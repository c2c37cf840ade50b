"""Which family of congestion controllers a service runs, by the queue that it makes alone.

A trial of a service alone becomes a trace (traces.py). Dynamic time warping gives its distance to each
labelled trace of the same link (distances.py). The labels come from trials of known controllers (library.py).
The nearest family is the answer if it is near enough, and clearly nearer than the next one; else the answer
is unknown (answers.py). confusion.py says how often that is right.

Others use the occupancy of the bottleneck's queue (CCAnalyzer, Ware et al., SIGCOMM 2024) or the bytes in
flight (Nebby, Mishra et al., SIGCOMM 2024). A trace has both, because the log of the queue gives both.
"""

from scripts.base.files import ROOT

LIBRARY = ROOT / "data/library/recognition.parquet"
"""The labelled traces of the repository. Cycles are made without them if there is no such file."""
