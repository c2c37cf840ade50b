"""The SVG of Vega as readers get it: smaller, with a label, in their colours, and equally wide in any font.

A page that contains an SVG allows no style in it, and has the rules of its classes itself
(site/common/assets/css/charts.css). The file has them in a `style` element, which `inlined` removes.
"""

import re
from html import escape, unescape

from scripts.charts.text_widths import lines_of, text_width
from scripts.charts.theme import FONT, INK, MUTED, RULE

# vl-convert resolves relative links against this address. Without it they are relative again.
_LOADER_BASE = "https://vega.github.io/vega-datasets/"
_CLASSES = {INK: "ink", MUTED: "muted", RULE: "rule"}
_RULES = "".join(
    f".{name}{{fill:var(--{name})}}.{name}-line{{stroke:var(--{name})}}" for name in _CLASSES.values()
)
_STYLE = (
    f"<style>.marks{{color-scheme:light dark;--ink:{INK};--muted:{MUTED};--rule:{RULE}}}"
    "@media(prefers-color-scheme:dark){.marks{--ink:#e7e9ec;--muted:#a9b0ba;--rule:#767d88}}"
    f"{_RULES}.marks a:hover path,.marks a:focus path{{stroke:var(--ink);stroke-width:2px}}</style>"
)
_TAG = re.compile(r"<[a-z]+(?: [\w:-]+=\"[^\"]*\")*/?>")
_TEXT = re.compile(r"<text (?P<attributes>[^>]*[^>/])>(?P<content>.*?)</text>", re.DOTALL)
_LINE = re.compile(r"<tspan(?P<attributes>[^>]*)>(?P<content>[^<]*)</tspan>")
_PLACES = re.compile(r'( (?:d|transform|x|y|x1|x2|y1|y2|width|height)=")([^"]*)"')
_LEADING = 2
"""Vega's distance between two lines is the font size and this."""

_NOTE_SIZE, _NOTE_LINE, _MARGIN = 12, 16, 18
_SHORT = 5
"""Texts of fewer characters keep the width that the reader's font gives them."""


def finished(svg: str, description: str, note: str | None = None) -> str:
    """What readers get of the SVG of Vega.

    Args:
        svg: as vl-convert writes it.
        description: the chart in words, its label.
        note: a muted line below the chart.
    """
    svg = svg.replace(f'xlink:href="{_LOADER_BASE}', 'href="')
    svg = _smaller(svg)
    svg = _TAG.sub(lambda tag: _classed(tag[0]), svg)
    svg = _TEXT.sub(_with_widths, svg)
    if note is not None:
        svg = _with_note(svg, note)
    role = "group" if "<a " in svg else "img"
    opening = svg[: svg.index(">") + 1]
    labelled = (
        f'{opening[:-1]} font-family="{FONT}" role="{role}" aria-label="{escape(description)}">{_STYLE}'
    )
    return labelled + svg[len(opening) :] + "\n"


def inlined(svg: str) -> str:
    """An SVG file as a part of a page, without its style."""
    svg = re.sub(r"<style>.*?</style>", "", svg, flags=re.DOTALL)
    # Vega hides a group of marks that have no words from screen readers, also if they are links.
    return re.sub(r'(<g [^>]*?) aria-hidden="true"(?=[^>]*><a )', r"\1", svg)


def on_white(svg: str) -> str:
    """A finished SVG for a bitmap: on white, with dark text."""
    svg = inlined(svg)
    end = svg.index(">") + 1
    return f'{svg[:end]}<rect width="100%" height="100%" fill="#fff"/>{svg[end:]}'


def _smaller(svg: str) -> str:
    """Without what every element has alike, and with places to a hundredth of a pixel."""
    for constant in (f' font-family="{FONT}"', ' opacity="1"', ' stroke-opacity="1"', ' fill-opacity="1"'):
        svg = svg.replace(constant, "")
    return _PLACES.sub(lambda place: place[1] + re.sub(r"(\.\d\d)\d+", r"\1", place[2]) + '"', svg)


def _classed(tag: str) -> str:
    """A tag with a class for each of its colours that is the reader's."""
    names = [
        f"{name}{suffix}"
        for attribute, suffix in (("fill", ""), ("stroke", "-line"))
        for colour, name in _CLASSES.items()
        if f' {attribute}="{colour}"' in tag
    ]
    if not names:
        return tag
    if ' class="' in tag:
        return tag.replace(' class="', f' class="{" ".join(names)} ', 1)
    return re.sub(r"^<[a-z]+", lambda name: f'{name[0]} class="{" ".join(names)}"', tag)


def _with_widths(text: re.Match[str]) -> str:
    """A text whose lines have the widths with which the chart was laid out, also in a wider font."""
    size = re.search(r'font-size="([\d.]+)px"', text["attributes"])
    if size is None:
        return text[0]
    font = (float(size[1]), 'font-weight="bold"' in text["attributes"])
    if "<tspan" in text["content"]:
        lines = _LINE.sub(
            lambda line: (
                f"<tspan{line['attributes']}{_width(line['content'], *font)}>{line['content']}</tspan>"
            ),
            text["content"],
        )
        return f"<text {_centred(text['attributes'], text['content'], font[0])}>{lines}</text>"
    return f"<text {text['attributes']}{_width(text['content'], *font)}>{text['content']}</text>"


def _centred(attributes: str, content: str, size: float) -> str:
    """The name of a row, with its middle where Vega puts its first line."""
    if 'text-anchor="end"' not in attributes:
        return attributes
    shift = content.count(' dy="')
    return re.sub(
        r'transform="([^"]*)"', rf'transform="\1 translate(0,{-shift * (size + _LEADING) / 2:g})"', attributes
    )


def _width(content: str, size: float, bold: bool) -> str:
    words = unescape(content)
    if len(words) < _SHORT:
        return ""
    return f' textLength="{text_width(words, size, bold):.0f}" lengthAdjust="spacingAndGlyphs"'


def _with_note(svg: str, note: str) -> str:
    """The SVG with a note at its lower end, which makes it higher."""
    size = re.match(r'[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    if size is None:
        raise ValueError("an SVG without a width and a height")
    width, height = float(size[1]), float(size[2])
    lines = lines_of(note, width - 2 * _MARGIN, _NOTE_SIZE)
    higher = round(height + _NOTE_LINE * (len(lines) + 0.4))
    for before, after in (
        (f' height="{height:g}"', f' height="{higher:g}"'),
        (f' viewBox="0 0 {width:g} {height:g}"', f' viewBox="0 0 {width:g} {higher:g}"'),
    ):
        svg = svg.replace(before, after, 1)
    texts = "".join(
        f'<text class="muted" x="{_MARGIN}" y="{height + _NOTE_LINE * (place + 0.7):g}"'
        f' font-size="{_NOTE_SIZE}px" fill="{MUTED}"{_width(line, _NOTE_SIZE, False)}>{escape(line)}</text>'
        for place, line in enumerate(lines)
    )
    return svg.removesuffix("</svg>") + texts + "</svg>"
