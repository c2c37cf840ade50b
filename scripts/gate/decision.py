"""The verdict of the gate at a look: of each figure beside each contender, and of all.

A figure has two intervals of the difference, candidate minus base. Both hold at all looks of the gate.

- It fails if its wide interval lies beyond the margin on the worse side. One figure is enough for the gate to
  fail, so all of them share the error (Bonferroni): in at most 5 % of gates any wide interval misses its true
  difference. Holm's correction would not change the gate, because its first step is Bonferroni's.
- It passes if its narrow interval lies inside the margin. The gate passes only if all figures do at the same
  look, so each may use the whole error (Berger 1982, intersection-union test): a narrow interval misses its
  true difference in at most 5 % of gates.

An interval of normal values that misses is as often too high as too low. So about 2.5 % of gates fail though
all differences are at their margins, or pass though one is. Other values use more of the 5 %, and some exceed
it (tests/truth/test_gate_rates.py): if values scatter more where they are larger, as loss does, 3 to 7 % pass
at a margin. With 8 trials of two modes each, 5 to 7 % fail there.
A gate that is run again because its verdict did not please spends its error again.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scripts.figures.catalogue import CATALOGUE
from scripts.gate.margins import Margin
from scripts.metrics.sequential import repeated_interval

Verdict = Literal["pass", "fail", "inconclusive"]

EXIT_STATUS: dict[Verdict, int] = {"pass": 0, "fail": 1, "inconclusive": 3}

ERROR = 0.05
"""The part of gates in which an interval may miss its true difference, at any look."""
LOOKS = (0.25, 0.5, 0.75, 1.0)
"""The parts of the planned trials at which a gate looks by default."""
FEWEST = 3
"""An arm has so many trials, or there is no verdict."""

ALIKE = 6
"""If all trials of both arms have one value, such as no loss, each arm has so many, or there is no verdict.
The interval of a median of six equal values is that value (scripts/metrics/statistics.py)."""

Interval = tuple[float, float]


@dataclass(frozen=True)
class Arms:
    """The values of one figure beside one contender until a look, one a trial, in the unit of its metric.

    Attributes:
        figure: its name in config/gate.yaml.
        margin: its margin.
        setting: the setting of the trials.
        contender: the service that candidate and base compete with.
        candidate: the values of the candidate's trials, in any order; None: the trial has no such value.
        base: those of the base's trials. Both arms may differ in size.
        unknown: why the figure cannot be judged, whatever the values are; None if it can.
    """

    figure: str
    margin: Margin
    setting: str
    contender: str
    candidate: tuple[float | None, ...]
    base: tuple[float | None, ...]
    unknown: str | None = None

    @property
    def size(self) -> int:
        """How many trials the smaller arm has."""
        return min(len(self.candidate), len(self.base))

    @property
    def title(self) -> str:
        """The figure in words: what it is, of whom, beside whom, and where."""
        candidates = f"of the candidate beside {self.contender}"
        whose = candidates if self.margin.of == "candidate" else f"of {self.contender}"
        return f"{CATALOGUE[self.margin.metric].name} {whose}, {self.setting}"


@dataclass(frozen=True)
class FigureVerdict:
    """The verdict of one figure beside one contender.

    Attributes:
        verdict: pass, fail or inconclusive.
        difference: the mean of the candidate's trials minus that of the base's; None without a verdict.
        narrow: the interval that passes inside the margin, 95 % over all looks; None without a verdict.
        wide: the interval that fails beyond the margin, 95 % over all looks and figures of the gate.
        because: why there is no verdict; None if there is one.
    """

    arms: Arms
    verdict: Verdict
    difference: float | None = None
    narrow: Interval | None = None
    wide: Interval | None = None
    because: str | None = None

    @property
    def shown(self) -> Interval | None:
        """The interval that the reports show: the narrow one of a figure that passes, else the wide one."""
        return self.narrow if self.verdict == "pass" else self.wide


@dataclass(frozen=True)
class GateVerdict:
    """The verdict of the gate, and those of its figures in the order of `judge`'s argument."""

    verdict: Verdict
    figures: tuple[FigureVerdict, ...]


def look(candidate: int, base: int, planned: int) -> float:
    """The part of the planned trials that a look has: what `judge` needs of it.

    Args:
        candidate: the trials of the candidate until the look, > 0.
        base: those of the base, > 0.
        planned: the trials of each arm at the last look, > 0.

    Returns:
        A fraction in (0, 1]. Arms of unequal size count with their harmonic mean, which is the size of equal
        arms with the same standard error.
    """
    return min(1.0, 2 / (1 / candidate + 1 / base) / planned)


def judge(gate: Sequence[Arms], looks: tuple[float, ...]) -> GateVerdict:
    """Judge all figures beside all contenders at a look.

    Args:
        gate: every figure of the gate beside every contender, also those without values: their number is what
            the error is shared by, so it must not depend on what was measured.
        looks: the part of the planned trials that each look until this one has (`look`), rising. The last
            one of a gate may be 1 though trials are missing: it then spends what is left of the error.

    Returns:
        fail if any figure fails, pass if all pass, else inconclusive.

    Raises:
        ValueError: there is no figure, a value is not finite, or the looks do not rise within (0, 1].
    """
    if not gate:
        raise ValueError("a gate has at least one figure")
    figures = tuple(_judge_figure(arms, looks, len(gate)) for arms in gate)
    return GateVerdict(_together([figure.verdict for figure in figures]), figures)


def _together(verdicts: Sequence[Verdict]) -> Verdict:
    if "fail" in verdicts:
        return "fail"
    return "pass" if all(verdict == "pass" for verdict in verdicts) else "inconclusive"


def _judge_figure(arms: Arms, looks: tuple[float, ...], tests: int) -> FigureVerdict:
    because = _no_verdict(arms)
    if because is not None:
        return FigureVerdict(arms, "inconclusive", because=because)
    if len({*arms.candidate, *arms.base}) == 1:
        return FigureVerdict(arms, "pass", 0.0, (0.0, 0.0), (0.0, 0.0))
    base, candidate = np.array(arms.base, dtype=float), np.array(arms.candidate, dtype=float)
    (low, high), (lowest, highest) = (
        repeated_interval(base, candidate, looks, error / 2) for error in (ERROR, ERROR / tests)
    )
    narrow, wide = (float(low), float(high)), (float(lowest), float(highest))
    difference = float(candidate.mean() - base.mean())
    return FigureVerdict(arms, verdict_of(narrow, wide, arms.margin), difference, narrow, wide)


def verdict_of(narrow: Interval, wide: Interval, margin: Margin) -> Verdict:
    """The verdict of a figure from its two intervals."""
    most = math.inf if margin.worse == "less" else margin.margin
    least = -math.inf if margin.worse == "more" else -margin.margin
    if wide[0] > most or wide[1] < least:
        return "fail"
    return "pass" if least < narrow[0] and narrow[1] < most else "inconclusive"


def _no_verdict(arms: Arms) -> str | None:
    """Why two arms cannot be compared; None if they can.

    A trial without a value is not left out: that it has none may follow from what the candidate does. Equal
    values tell nothing about how much an arm scatters, unless both arms have them and no others.
    """
    if arms.unknown:
        return arms.unknown
    alike = len({*arms.candidate, *arms.base}) == 1 and arms.size >= ALIKE
    for name, values in (("candidate", arms.candidate), ("base", arms.base)):
        if not all(value is None or math.isfinite(value) for value in values):
            raise ValueError(f"{arms.figure}: a value of the {name} is not finite")
        if unknown := values.count(None):
            return f"{unknown} of {len(values)} trials of the {name} have no value"
        if len(values) < FEWEST:
            return f"the {name} has {len(values)} trials; {FEWEST} are needed"
        if len(set(values)) == 1 and not alike:
            return f"all trials of the {name} have the same value"
    return None
