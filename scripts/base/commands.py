"""The command line parser of every command."""

import argparse
import os
import re
from collections.abc import Callable
from typing import Any

from scripts.base.plain import shown

CALLED = "OBSERVATORY_CALLED"
"""The environment variable by which `observatory` tells the command behind it, and how that was called:
`python -m scripts.gate=observatory gate`."""

_BEHIND, _, _NAME = os.environ.pop(CALLED, "").partition("=")


def parser_of(module: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of `python -m <module>`. Its --help shows descriptions with their line breaks."""
    return _Parser(prog=f"python -m {module}", description=description)


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """The `type` of an argument that is a whole number from `least` (0 or more) to `most`."""
    wanted = f"{least} or more" if most is None else f"from {least} to {most}"

    def number_of(text: str) -> int:
        number = int(text) if re.fullmatch("[0-9]{1,18}", text) else -1  # int() fails at thousands of digits
        if least <= number and (most is None or number <= most):
            return number
        raise argparse.ArgumentTypeError(f"{shown(text)}: write a whole number, {wanted}")

    return number_of


class _Parser(argparse.ArgumentParser):
    """A parser, also of a subcommand, that shows the name by which the user called it."""

    def __init__(self, prog: str, description: str | None = None, **others: Any) -> None:
        super().__init__(
            _as_called(prog),
            description=_as_called(description or ""),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **others,
        )


def _as_called(text: str) -> str:
    return re.sub(rf"{re.escape(_BEHIND)}(?![.\w])", _NAME, text) if _BEHIND else text
