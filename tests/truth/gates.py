"""Gates whose truth is known, thousands at once: draws of both arms, and how each gate ends.

`scripts/gate/decision.py` judges one gate. Here the same rule is written for arrays;
`tests/gate/test_decision.py` compares both.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scripts.gate.decision import ERROR, FEWEST, LOOKS
from scripts.metrics.sequential import Sample, repeated_interval

MARGIN = 0.1
"""Of all figures. More is worse."""

Draw = Callable[[np.random.Generator, tuple[int, ...]], Sample]


@dataclass(frozen=True)
class Gates:
    """Many gates of the same size: the values of both arms, by gate, figure and trial."""

    base: Sample
    candidate: Sample
    looks: tuple[float, ...] = LOOKS

    @cached_property
    def ends(self) -> tuple[tuple[Sample, Sample, Sample], ...]:
        """At each look: both ends of the narrow intervals, the lower one of the wide ones, by gate, figure.

        An arm with too few trials, or whose values are all equal, has none: its ends are NaN.
        """
        return tuple(self._at(self.looks[:count]) for count in range(1, len(self.looks) + 1))

    def _at(self, looks: tuple[float, ...]) -> tuple[Sample, Sample, Sample]:
        trials = round(self.base.shape[-1] * looks[-1])
        arms = self.base[..., :trials], self.candidate[..., :trials]
        unknown = np.any([np.ptp(arm, axis=-1) == 0 for arm in arms], axis=0)
        narrow = repeated_interval(*arms, looks, ERROR / 2)
        wide = repeated_interval(*arms, looks, ERROR / self.base.shape[1] / 2)
        unknown |= trials < FEWEST
        low, high, lowest = (np.where(unknown, np.nan, end) for end in (*narrow, wide[0]))
        return low, high, lowest

    def verdicts(self, shifts: float | Sequence[float], either: bool = False) -> np.ndarray:
        """How each gate ends that stops at the first look with a verdict.

        Args:
            shifts: what is added to the difference of each figure.
            either: whether less is worse, too. It then passes as such, but fails for more only.
        """
        found = np.full(len(self.base), "inconclusive")
        for low, high, lowest in self.ends:
            fails = (lowest + shifts > MARGIN).any(axis=1)
            inside = (high + shifts < MARGIN) & ((low + shifts > -MARGIN) | (not either))
            running = found == "inconclusive"
            found[running & inside.all(axis=1)] = "pass"
            found[running & fails] = "fail"
        return found

    def rate(self, verdict: str, shifts: float | Sequence[float], either: bool = False) -> float:
        """The part of the gates that end so."""
        return float(np.mean(self.verdicts(shifts, either) == verdict))

    def first_fails_from(self, power: float) -> float:
        """The shift from which on the first figure fails with this power, at any look."""
        return float(np.quantile(MARGIN - np.nanmax([ends[2][:, 0] for ends in self.ends], axis=0), power))


def normal(count: int, tests: int, trials: int, scatter: float, seed: int, common: float = 0.0) -> Gates:
    """Gates without a difference, with normal values.

    Args:
        count: how many gates.
        tests: figures × contenders of each.
        trials: of each arm.
        scatter: the standard deviation of the values.
        seed: of the draws.
        common: the correlation between the figures of a trial.
    """

    def draw(random: np.random.Generator, shape: tuple[int, ...]) -> Sample:
        shared = random.normal(size=(shape[0], 1, shape[2]))
        return scatter * (np.sqrt(common) * shared + np.sqrt(1 - common) * random.normal(size=shape))

    return drawn(count, tests, trials, [seed, round(1000 * scatter)], draw, draw)


def drawn(count: int, tests: int, trials: int, seed: Sequence[int], base: Draw, candidate: Draw) -> Gates:
    """Gates with values of these distributions; the other arguments as for `normal`."""
    random = np.random.default_rng([*seed, tests, trials])
    return Gates(*(draw(random, (count, tests, trials)) for draw in (base, candidate)))
