"""The chart of a history as an SVG file: a row for each figure of each side (Prudentia Fig. 9).

The pages of pairs show it, and so do the pages of published cycles, which never change.
"""

from collections.abc import Iterable, Sequence
from html import escape

from scripts.charts.scales import LOST, WON
from scripts.charts.svg_finish import finished
from scripts.charts.text_widths import lines_of
from scripts.charts.theme import INK, MUTED
from scripts.site.drawn.cycles import HEIGHT as VIEW_HEIGHT
from scripts.site.drawn.cycles import WIDTH as VIEW_WIDTH
from scripts.site.drawn.cycles import DrawnCycles

WIDTH, HEIGHT, MARGIN = 500, 48, 32
"""The width and the height of a row's picture, and the margins beside it, px."""

SIZE, LINE, GAP = 13, 17, 8
MOST_TICKS = 5
"""How many cycles the axis names, the last one among them."""

LETTERS = {"method": "M", "code": "C", "host": "H"}

STYLE = (
    "<style>svg{--mid:#6b7280;--track:#f3f0ea;--zone:#ddd8ca;"
    f"--losing:{LOST};--winning:{WON}}}"
    "@media(prefers-color-scheme:dark){"
    "svg{--mid:#98a1ac;--track:#20252a;--zone:#3a424b;--losing:#e3a857;--winning:#6fcabf}}"
    "path{fill:none;stroke:var(--mid);vector-effect:non-scaling-stroke}.e{stroke-width:1.3}.i{stroke-width:3.5}"
    ".d{stroke-width:8;stroke-linecap:round}.h{stroke:var(--track);stroke-width:4.5;stroke-linecap:round}"
    ".lo{stroke:var(--losing)}.wi{stroke:var(--winning)}</style>"
)
"""The looks of the site's style sheet (verdicts.css)."""


def history_svg(
    rows: Iterable[tuple[str, DrawnCycles]],
    cycles: Sequence[str],
    breaks: Sequence[tuple[int, str]],
    description: str,
) -> str:
    """The chart as SVG. The same chart gives the same bytes.

    Args:
        rows: the rows from top to bottom, each with its words.
        cycles: the names of the cycles on the axis.
        breaks: the places of the cycles that differ from the one before, each with what differs: method, code
            or host. It has a letter above the rows, those of a kind in one line.
        description: the chart in words.
    """
    step, kinds = WIDTH / len(cycles), [*LETTERS]
    parts = [
        _text(MARGIN + step * place, LINE * (kinds.index(kind) + 1), LETTERS[kind], "middle")
        for place, kind in breaks
    ]
    y = LINE * len(kinds) if breaks else 0
    for words, row in rows:
        for line in lines_of(words, WIDTH, SIZE):
            y += LINE
            parts.append(_text(MARGIN, y, line))
        parts.append(_picture(row, y + GAP))
        y += HEIGHT + 2 * GAP
    y += LINE
    for place in range(len(cycles) - 1, -1, -len(cycles) // MOST_TICKS):
        parts.append(_text(MARGIN + step * (place + 0.5), y, cycles[place], "middle", MUTED))
    size = f'width="{WIDTH + 2 * MARGIN}" height="{y + GAP}" viewBox="0 0 {WIDTH + 2 * MARGIN} {y + GAP}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" class="marks" {size}>'
    return finished(f"{opening}{STYLE}{''.join(parts)}</svg>", description)


def _picture(row: DrawnCycles, y: int) -> str:
    """The marks of a row, in front of the fair zone if it is a share."""
    zone = '<rect y="18" width="100%" height="4" fill="var(--zone)"/>' if row.share else ""
    paths = "".join(f'<path class="{mark["class"]}" d="{mark["d"]}"/>' for mark in row.marks)
    return (
        f'<svg x="{MARGIN}" y="{y}" width="{WIDTH}" height="{HEIGHT}" preserveAspectRatio="none" '
        f'viewBox="0 0 {VIEW_WIDTH} {VIEW_HEIGHT}"><rect width="100%" height="100%" fill="var(--track)"/>'
        f"{zone}{paths}</svg>"
    )


def _text(x: float, y: float, words: str, anchor: str = "start", colour: str = INK) -> str:
    place = f'x="{x:.1f}" y="{y:g}" text-anchor="{anchor}" font-size="{SIZE}px" fill="{colour}"'
    return f"<text {place}>{escape(words)}</text>"
