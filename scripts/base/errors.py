"""The one error type for what a user can mend, and how commands tell it."""

import functools
import sys
from collections.abc import Callable
from typing import ParamSpec

Arguments = ParamSpec("Arguments")


class UserError(Exception):
    """Something the user can mend: says the file, what is wrong and what to do.

    Commands print it as one line, `error: …`, and exit with status 2; every other exception keeps its
    traceback.
    """


def reporting(command: Callable[Arguments, int]) -> Callable[Arguments, int]:
    """Make a command's `main`, which returns its exit status, tell a UserError as one line and return 2."""

    @functools.wraps(command)
    def told(*args: Arguments.args, **kwargs: Arguments.kwargs) -> int:
        try:
            return command(*args, **kwargs)
        except UserError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2

    return told
