"""The widths of texts in the font of the charts, and lines that fit a width.

Liberation Sans, Arial and Helvetica have the same widths: those of Adobe's metrics of Helvetica and
Helvetica-Bold, in thousandths of the font size.
"""

import re
from collections.abc import Iterator

_WIDTHS = {
    False: {
        191: "'",
        222: "ijl‘’",
        278: " !,./:;I[\\]ft",
        333: "()-`r“”{|}·²",
        355: '"',
        389: "*",
        500: "Jcksvxyz",
        556: "#$0123456789?L_abdeghnopqu–±",
        584: "+<=>~×−",
        611: "FTZ",
        667: "&ABEKPSVXY",
        722: "CDHNRUw",
        778: "GOQ",
        833: "Mm",
        889: "%",
        944: "W",
        1000: "—…→",
        1015: "@",
    },
    True: {
        238: "'",
        278: " ,./I\\ijl‘’",
        333: "!()-:;[]`ft|·²",
        389: "*r{}",
        474: '"',
        500: "z“”",
        556: "#$0123456789J_aceksvxy–±",
        584: "+<=>^~×−",
        611: "?FLTZbdghnopqu",
        667: "EPSVXY",
        722: "&ABCDHKNRU",
        778: "GOQw",
        833: "M",
        889: "%m",
        944: "W",
        975: "@",
        1000: "—…→",
    },
}
_OF_CHARACTER = {
    bold: {character: width for width, characters in widths.items() for character in characters}
    for bold, widths in _WIDTHS.items()
}
_OTHERS = {False: 556, True: 611}
_WORDS = re.compile(r" +(?!(?:%|Mbps|ms|s)(?:\W|$))")  # a number and its unit are one word


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in px, at a font size in px. A letter with an accent is as wide as most letters."""
    widths = _OF_CHARACTER[bold]
    return sum(widths.get(character, _OTHERS[bold]) for character in text) * size / 1000


def lines_of(text: str, width: float, size: float = 13, bold: bool = False) -> list[str]:
    """The text in as few lines as fit the width, of even length. A longer word has a line of its own.

    Args:
        text: words with spaces between them.
        width: the width in px.
        size: the font size in px.
        bold: whether the font is bold.
    """
    greedy = list(_filled(text, width, size, bold))
    narrowest = max((text_width(line, size, bold) for line in greedy), default=0.0)
    while narrowest > 0:
        narrowest -= size / 2
        even = list(_filled(text, narrowest, size, bold))
        if len(even) > len(greedy):
            break
        greedy = even
    return greedy


def _filled(text: str, width: float, size: float, bold: bool) -> Iterator[str]:
    """Lines with as many words as fit."""
    line = ""
    for word in _WORDS.split(text.strip()):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size, bold) > width:
            yield line
            line = word
        else:
            line = longer
    if line:
        yield line
