"""Shows text that strangers sent: short, and with escapes instead of what a terminal does not print."""

from collections.abc import Sequence

MOST_SHOWN = 80
"""The most characters of a value that a message shows."""


def plain(text: str) -> str:
    r"""The text with escapes, such as \x1b and \u202e, instead of the characters that are not printable."""
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def plain_lines(text: str) -> str:
    """The same of a text whose lines stay lines."""
    return "\n".join(map(plain, text.split("\n")))


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a table as lines, with aligned columns and without what a terminal acts on."""
    printable = [[plain(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*printable, strict=True)]
    cells = ((cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in printable)
    return ["  ".join(row).rstrip() for row in cells]


def shown(value: object) -> str:
    """A value for a message: printable, and at most `MOST_SHOWN` characters of it."""
    text = value if isinstance(value, str) else str(value)
    escaped = plain(text[: MOST_SHOWN + 1])
    return escaped if len(escaped) <= MOST_SHOWN else escaped[: MOST_SHOWN - 1] + "…"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")
