"""A claim of a cycle, and what a rebuild of it takes (claims.py finds them)."""

from dataclasses import dataclass

CORES = 2
"""The processor cores that the times are told for."""


@dataclass(frozen=True)
class Effort:
    """What a rebuild takes: the files and bytes that it reads, about how many seconds on CORES cores, and its
    last line.
    """

    files: int
    bytes: int
    seconds: float
    expected: str


@dataclass(frozen=True)
class Claim:
    """A claim of a cycle.

    Attributes:
        option: what `make reproduce` takes for it, such as `CHART=share-8mbps`; empty for the whole cycle.
        words: what it shows.
        trials: of how many trials it is made, calibrations too.
        captures: what a rebuild from captures takes; None if files that it needs were removed or left
            out.
        rows: what a rebuild from the published rows of trials takes; None if it is not made from these.
    """

    option: str
    words: str
    trials: int
    captures: Effort | None = None
    rows: Effort | None = None
