"""The words of a verdict, each with what it needs and trials that get it: Hugo's data file `verdicts`.

Both the pages of a cycle and those about all cycles show them. All limits come from the code that decides.
"""

import math
from collections.abc import Sequence

from scripts.figures.figure import MOVES
from scripts.figures.words import SETTLED, VERDICTS, amount
from scripts.metrics.fairness import FEWEST, LEVEL, LOSING_BELOW, SETTLED_WITHIN, WINNING_ABOVE, verdict
from scripts.metrics.signed_rank import signed_rank_p
from scripts.metrics.statistics import median_ci
from scripts.site import Row
from scripts.site.drawn.strip import Strip, drawn_strip, shares_strip

EXAMPLES: dict[str, tuple[float, ...]] = {
    "losing": (0.41, 0.38, 0.52, 0.46, 0.62, 0.5),
    "fair": (0.94, 1.02, 0.97, 1.06, 1.01, 0.99),
    "winning": (1.46, 1.58, 1.38, 1.62, 1.51, 1.55),
    "undecided": (0.62, 1.08, 0.71, 0.85, 1.23, 0.93),
    "seen": (0.55, 0.68, 1.12),
}
"""Made-up shares, of one service beside another on a full link, that get each verdict."""


def judged(shares: Sequence[float]) -> Strip:
    """Trials of a service with their verdict, if theirs is the only pair and the other one gets the rest.

    Args:
        shares: one for each valid trial, as a fraction of the fair share, which is half of the link.

    Returns:
        The strip of the trials. Its verdict is None if they decide nothing.
    """
    trials = [(share, True) for share in shares]
    low, median, high = median_ci(shares)
    if len(shares) < FEWEST or math.isnan(low):
        return shares_strip(trials, len(shares), median, None, None)
    p = signed_rank_p([share - (2 - share) for share in shares])
    found = verdict(median, low, high, p, difference=2 * median - 2, bimodal=False)
    return shares_strip(trials, len(shares), median, (low, high), found)


def verdict_words(drawn: bool) -> Row:
    """The fair zone, the fewest trials of a verdict, the `words` of the verdicts, and what each needs.

    `judged` has the verdicts of VERDICTS. If they are `drawn`, which loads SciPy, each that follows from
    trials has the `strip` of some that get it. `settled` has the words of SETTLED.
    """
    needs, moving = _needs(), _moving()
    return {
        "losing_below": LOSING_BELOW,
        "winning_above": WINNING_ABOVE,
        "fewest": FEWEST,
        "words": VERDICTS,
        "judged": [
            {
                "verdict": key,
                "needs": needs[key],
                "strip": drawn_strip(judged(EXAMPLES[key])) if drawn and key in EXAMPLES else None,
            }
            for key in VERDICTS
        ],
        "settled": [{"words": SETTLED[key], "needs": moving[key]} for key in SETTLED],
    }


def _needs() -> dict[str, str]:
    """What each verdict needs."""
    low, high, level = (amount(value, "fraction") for value in (LOSING_BELOW, WINNING_ABOVE, LEVEL))
    test = f"corrected p at most {level}"
    return {
        "losing": f"The test of the pair finds it behind ({test}), and its median share is below {low}.",
        "fair": f"The 95\u00a0% interval of its median share lies between {low} and {high}, and its trials "
        "do not fall into two groups.",
        "winning": f"The test of the pair finds it ahead ({test}), and its median share is above {high}.",
        "undecided": "None of these: the trials do not decide, or are too few for so many pairs. It is not "
        "the same as fair.",
        "seen": f"Too few trials for a verdict: fewer than {FEWEST} are valid. Pages say what was seen.",
        "unjudged": "There is none by rule: a service meets itself, more than two services meet, or one is a "
        "call, a page or generated flows. Pages show the figures.",
        "provisional": "There is no verdict before the cycle is complete. Each look at it could be wrong.",
    }


def _moving() -> dict[str, str]:
    """What each word about a share within the steady window needs."""
    points = f"±{100 * SETTLED_WITHIN:.0f}\u00a0points"
    return {
        "settled": "The 95\u00a0% interval of the change from the first half of the steady window to the "
        f"second lies within {points}.",
        MOVES: f"The whole interval lies beyond {points}: ≠ in matrices. Longer trials may give another.",
        "undecided": f"A part of the interval lies within {points}, another beyond.",
    }
