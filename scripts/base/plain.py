"""Shows text that strangers sent: short, and with escapes instead of what a terminal does not print."""

MOST_SHOWN = 80
"""The most characters of a value that a message shows."""


def plain(text: str) -> str:
    r"""The text with escapes, such as \x1b and \u202e, instead of the characters that are not printable."""
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def plain_lines(text: str) -> str:
    """The same of a text whose lines stay lines."""
    return "\n".join(map(plain, text.split("\n")))


def shown(value: object) -> str:
    """A value for a message: printable, and at most `MOST_SHOWN` characters of it."""
    text = value if isinstance(value, str) else str(value)
    escaped = plain(text[: MOST_SHOWN + 1])
    return escaped if len(escaped) <= MOST_SHOWN else escaped[: MOST_SHOWN - 1] + "…"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")
