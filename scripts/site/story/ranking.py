"""Who takes, who loses: what each service gets, and what it leaves, with a dot for each opponent."""

from collections.abc import Iterable, Sequence

from scripts.figures.figure import Figure, matrix
from scripts.site import Row
from scripts.site.drawn.strip import drawn_strip, opponents_strip
from scripts.site.heatmap_table import service_order
from scripts.site.story.names import Names


def ranking_rows(figures: Sequence[Figure], settings: Sequence[str], names: Names) -> list[Row]:
    """A row for each service that is in the matrix of one of these settings, the one that takes most first.

    Returns:
        Rows with `name`, `title`, `stands_for`, and `strips`: for each setting what it gets and what it
        leaves others (drawn_strip), each None if no opponent has a result.
    """
    cells = [cell for name in settings for cell in matrix(figures, name) if not cell.against_itself]
    ranked = {cell.service for cell in cells} | {cell.contender for cell in cells}
    return [
        {
            "name": name,
            "title": names.short(name),
            "stands_for": names.stands_for(name),
            "strips": [
                strip
                for setting in settings
                for strip in (
                    _strip(cell for cell in cells if (cell.setting, cell.service) == (setting, name)),
                    _strip(cell for cell in cells if (cell.setting, cell.contender) == (setting, name)),
                )
            ],
        }
        for name in service_order(figures)
        if name in ranked
    ]


def _strip(cells: Iterable[Figure]) -> Row | None:
    strip = opponents_strip(cells)
    return drawn_strip(strip) if strip.dots else None
