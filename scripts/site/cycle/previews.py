"""What other sites show of a pair: a page for frames, and a small picture for previews of links."""

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
from scripts.charts.chart_labels import of_instance
from scripts.charts.scales import LOST, WON
from scripts.charts.table_rows import grouped
from scripts.charts.theme import FONT, INK, MUTED
from scripts.figures.figure import SHARE, Figure
from scripts.figures.words import certainty_words
from scripts.model.pairs import contenders
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs
from scripts.site.drawn.strip import cell_strip, drawn_strip

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


def embeds(inputs: Inputs) -> dict[str, Row]:
    """The page of each pair that has shares, by `<setting>/<pair>`.

    `sides` has the `title`, the `strip`, the `verdict` and whether the share still `moves`, of each service.
    """
    return {
        f"{setting}/{pair}": {
            "setting": setting,
            "pair": pair,
            "sides": [_framed(inputs, share) for share in shares],
        }
        for (setting, pair), shares in _shares_of_pairs(inputs).items()
    }


def _shares_of_pairs(inputs: Inputs) -> dict[tuple[str, str], list[Figure]]:
    """The shares of both sides, by setting and pair; the worse-off instance comes first."""
    known = [
        figure
        for figure in inputs.figures
        if figure.figure == SHARE and figure.median is not None and len(contenders(figure.contender)) == 1
    ]
    ordered = sorted(known, key=lambda share: (share.service, share.instance == "better_off"))
    return grouped(ordered, lambda share: (share.setting, share.pair))


def _title_of_side(inputs: Inputs, share: Figure) -> str:
    """The title of a service, and which of two instances it is."""
    return inputs.labels.service(share.service) + of_instance(share.instance)


def _framed(inputs: Inputs, share: Figure) -> Row:
    return {
        "title": _title_of_side(inputs, share),
        "strip": drawn_strip(cell_strip(share, ())),
        "verdict": share.verdict,
        "moves": share.moves,
    }


def pictures(inputs: Inputs) -> list[Picture]:
    """The picture of every pair that has shares."""
    provenance = inputs.provenance
    found = []
    for (setting, pair), shares in sorted(_shares_of_pairs(inputs).items()):
        words = f"{inputs.labels.setting(setting)}, cycle {provenance.cycle} of {provenance.campaign}"
        sides = tuple(_side(inputs, share) for share in shares)
        found.append(Picture(f"{FOLDER}/{setting}/{pair}.png", sides, words))
    return found


def _side(inputs: Inputs, share: Figure) -> Side:
    """A side in words. Without an interval there is no verdict, so its bar has no colour of one."""
    colour = COLOURS.get(share.verdict or "", MUTED)
    return Side(_title_of_side(inputs, share), share.median or 0.0, certainty_words(share), colour)


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
