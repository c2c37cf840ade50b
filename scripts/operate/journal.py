"""The lines of a run: for the operator, and kept in data/operate/operate.log with the time (UTC)."""

import sys
from contextlib import suppress

from scripts.operate.clock import iso
from scripts.operate.context import Context

NAME = "operate.log"


def say(context: Context, line: str) -> None:
    """Print a line, and keep it."""
    with suppress(OSError):
        print(line, flush=True)
    keep(context, line)


def complain(context: Context, line: str) -> None:
    """Print an error on standard error, and keep it."""
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)
    keep(context, line)


def keep(context: Context, text: str) -> None:
    """Add lines to the log. A full disk stops no run: the lines are lost then."""
    with suppress(OSError):
        context.folder.mkdir(parents=True, exist_ok=True)
        with (context.folder / NAME).open("a", encoding="utf-8") as log:
            time = iso(context.clock.now())
            log.writelines(f"{time} {line}\n" for line in text.splitlines())
