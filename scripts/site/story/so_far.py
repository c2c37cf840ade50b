"""A cycle that still runs, in sentences: what was seen, without a verdict.

Its pages are made again and again. A verdict at each look would be wrong far more often than one at the end.
"""

from collections.abc import Sequence

from scripts.figures.figure import Figure
from scripts.figures.words import amount, several
from scripts.site.story.cells import outcome_of
from scripts.site.story.names import Part, Sentence

NO_VERDICT = "There is no verdict before the cycle is complete"


def shares_so_far(figures: Sequence[Figure], setting: str) -> list[Sentence]:
    """Between what shares the cells of a setting lie."""
    cells = outcome_of(figures, setting).cells
    shares = [cell.median for cell in cells if cell.median is not None]
    if not shares:
        return [(Part(f"{NO_VERDICT}."),)]
    lowest, highest = (amount(end, "fraction") for end in (min(shares), max(shares)))
    seen = f"So far, the median shares of {several(len(shares), 'cell')} lie between {lowest} and {highest}."
    return [(Part(seen),), (Part(f"{NO_VERDICT}."),)]
