"""A small picture of every pair, for previews of links: both sides' shares as bars and numbers."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path

import vl_convert
from PIL import Image

from scripts.base.files import write_bytes
from scripts.base.processes import drawing_pool
from scripts.charts.scales import LOST, WON
from scripts.charts.theme import FONT, INK, MUTED
from scripts.figures.figure import Figure
from scripts.figures.words import certainty_words
from scripts.site.cycle.embeds import shares_of_pairs, title_of_side
from scripts.site.cycle.inputs import Inputs

FOLDER = "pictures"
WIDTH, HEIGHT, MARGIN = 600, 315, 32
FULL_BAR = 2.0
"""The share that fills the width of the picture; the mark of the fair share is in the middle."""

COLOURS_OF_A_PICTURE = 48
AT_ONCE = 16
COLOURS = {"losing": LOST, "winning": WON}


@dataclass(frozen=True)
class Side:
    """One side of a pair: its title, its median share, the words after it, and the colour of its bar."""

    title: str
    share: float
    words: str
    colour: str


@dataclass(frozen=True)
class Picture:
    """The content of a picture; `path` is relative to the cycle's pages."""

    path: str
    sides: tuple[Side, ...]
    foot: str


def pictures(inputs: Inputs) -> list[Picture]:
    """The picture of every pair that has shares."""
    provenance = inputs.provenance
    found = []
    for (setting, pair), shares in sorted(shares_of_pairs(inputs).items()):
        words = f"{inputs.labels.setting(setting)}, cycle {provenance.cycle} of {provenance.campaign}"
        sides = tuple(_side(inputs, share) for share in shares)
        found.append(Picture(f"{FOLDER}/{setting}/{pair}.png", sides, words))
    return found


def _side(inputs: Inputs, share: Figure) -> Side:
    """A side in words. Without an interval there is no verdict, so its bar has no colour of one."""
    colour = COLOURS.get(share.verdict or "", MUTED)
    return Side(title_of_side(inputs, share), share.median or 0.0, certainty_words(share), colour)


def write_pictures(drawn: Sequence[Picture], output: Path) -> None:
    """Draw every picture below `output`, on all processors."""
    tasks = [drawn[start : start + AT_ONCE] for start in range(0, len(drawn), AT_ONCE)]
    processes = min(len(os.sched_getaffinity(0)), len(tasks))
    if processes < 2:
        _write(drawn, output)
        return
    with drawing_pool(processes) as pool:
        for _done in pool.map(_write, tasks, [output] * len(tasks)):
            pass


def _write(drawn: Iterable[Picture], output: Path) -> None:
    for picture in drawn:
        write_bytes(output / picture.path, to_png(picture))


def to_png(picture: Picture) -> bytes:
    """A picture as PNG with few colours: a fifth of the bytes that vl-convert makes."""
    large = Image.open(BytesIO(vl_convert.svg_to_png(to_svg(picture), scale=1)))
    small = large.convert("RGB").quantize(COLOURS_OF_A_PICTURE, dither=Image.Dither.NONE)
    png = BytesIO()
    small.save(png, "PNG", optimize=True)
    return png.getvalue()


def to_svg(picture: Picture) -> str:
    """A picture as SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="{FONT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbfaf7"/>',
        _text(
            MARGIN, 40, 15, "Internet Fairness Observatory: part of the fair share; the line is 100 %", MUTED
        ),
    ]
    for place, side in enumerate(picture.sides[:2]):
        parts += _drawn(side, 66 + 104 * place)
    parts.append(_text(MARGIN, HEIGHT - 22, 14, picture.foot, MUTED))
    return "".join([*parts, "</svg>"])


def _drawn(side: Side, top: int) -> list[str]:
    """The title of a side, its bar, its share and the words after it."""
    full = WIDTH - 2 * MARGIN
    length = full * min(side.share, FULL_BAR) / FULL_BAR
    share, fair = f"{side.share:.0%}".replace("%", " %"), MARGIN + full / FULL_BAR
    return [
        _text(MARGIN, top + 16, 18, side.title, INK, bold=True),
        f'<rect x="{MARGIN}" y="{top + 26}" width="{length:.1f}" height="22" fill="{side.colour}"/>',
        f'<path d="M{fair:g} {top + 22}v30" stroke="{INK}" stroke-width="2"/>',
        _text(MARGIN, top + 72, 20, share, side.colour, bold=True),
        _text(MARGIN + 80, top + 71, 14, side.words, MUTED),
    ]


def _text(x: float, y: float, size: int, words: str, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{weight}>{escape(words)}</text>'
