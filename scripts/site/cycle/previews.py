"""What other sites show of a pair: a page for frames, and a small picture for previews of links."""

import math
import os
from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path

import vl_convert
from PIL import Image

from scripts.base.files import write_bytes
from scripts.base.processes import map_in_processes
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


def embeds(inputs: Inputs) -> dict[str, Row]:
    """The page of each pair that has shares, by `<setting>/<pair>`.

    `sides` has the `title`, the `strip`, the `verdict` and whether the share still `moves`, of each service.
    """
    return {
        f"{setting}/{pair}": {
            "setting": setting,
            "pair": pair,
            "sides": [
                {"title": _title_of_side(inputs, share), "verdict": share.verdict, "moves": share.moves}
                | {"strip": drawn_strip(cell_strip(share, ()))}
                for share in shares
            ],
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


def pictures(inputs: Inputs) -> dict[str, str]:
    """The picture of every pair that has shares as SVG, by the path of its PNG below the cycle's pages."""
    cycle = f"cycle {inputs.provenance.cycle} of {inputs.provenance.campaign}"
    return {
        f"{FOLDER}/{setting}/{pair}.png": _picture(
            inputs, shares, f"{inputs.labels.setting(setting)}, {cycle}"
        )
        for (setting, pair), shares in sorted(_shares_of_pairs(inputs).items())
    }


def write_pictures(drawn: Mapping[str, str], output: Path) -> None:
    """Write every picture below `output`, on all processors."""
    processes = min(len(os.sched_getaffinity(0)), math.ceil(len(drawn) / AT_ONCE))
    made = map_in_processes(to_png, drawn.values(), processes=processes, chunksize=AT_ONCE)
    for path, png in zip(drawn, made, strict=True):
        write_bytes(output / path, png)


def to_png(svg: str) -> bytes:
    """A picture as PNG with few colours: a fifth of the bytes that vl-convert makes."""
    large = Image.open(BytesIO(vl_convert.svg_to_png(svg, scale=1)))
    small = large.convert("RGB").quantize(COLOURS_OF_A_PICTURE, dither=Image.Dither.NONE)
    png = BytesIO()
    small.save(png, "PNG", optimize=True)
    return png.getvalue()


def _picture(inputs: Inputs, shares: Sequence[Figure], foot: str) -> str:
    """The sides of a pair one below the other, as SVG."""
    head = "Internet Fairness Observatory: part of the fair share; the line is 100 %"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="{FONT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbfaf7"/>',
        _text(MARGIN, 40, 15, head, MUTED),
    ]
    for place, share in enumerate(shares[:2]):
        parts += _side(inputs, share, 66 + 104 * place)
    return "".join([*parts, _text(MARGIN, HEIGHT - 22, 14, foot, MUTED), "</svg>"])


def _side(inputs: Inputs, side: Figure, top: int) -> list[str]:
    """The title of a side, its bar, its share and how sure it is. Without a verdict it has no colour."""
    full, share, colour = WIDTH - 2 * MARGIN, side.median or 0.0, COLOURS.get(side.verdict or "", MUTED)
    length, fair = full * min(share, FULL_BAR) / FULL_BAR, MARGIN + full / FULL_BAR
    return [
        _text(MARGIN, top + 16, 18, _title_of_side(inputs, side), INK, bold=True),
        f'<rect x="{MARGIN}" y="{top + 26}" width="{length:.1f}" height="22" fill="{colour}"/>',
        f'<path d="M{fair:g} {top + 22}v30" stroke="{INK}" stroke-width="2"/>',
        _text(MARGIN, top + 72, 20, f"{100 * share:.0f} %", colour, bold=True),
        _text(MARGIN + 80, top + 71, 14, certainty_words(side), MUTED),
    ]


def _text(x: float, y: float, size: int, words: str, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{weight}>{escape(words)}</text>'
