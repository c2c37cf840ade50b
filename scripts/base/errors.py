"""The one type of errors that a user can correct, and how commands report them."""

import functools
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import ParamSpec

from scripts.base.plain import plain_lines

Arguments = ParamSpec("Arguments")


class UserError(Exception):
    """An error that the user can correct. Its message names the file, what is wrong and what to do.

    Commands print it as one line, `error: …`, and exit with status 2. What a terminal does not print comes as
    escapes, because a server or a file may have sent it. Every other exception keeps its traceback.
    """


def reporting(command: Callable[Arguments, int]) -> Callable[Arguments, int]:
    """Decorate a command's `main`: it prints a UserError as one line and returns exit status 2.

    Ctrl-C ends it with status 130 and one word. If nobody reads its output any more, as `head` does, it ends
    with status 141 and no word.
    """

    @functools.wraps(command)
    def reported(*args: Arguments.args, **kwargs: Arguments.kwargs) -> int:
        try:
            return command(*args, **kwargs)
        except UserError as error:
            print(plain_lines(f"error: {error}"), file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
            return 128 + signal.SIGINT
        except BrokenPipeError:
            if not _reader_left():
                raise
            return 128 + signal.SIGPIPE

    return reported


def _reader_left() -> bool:
    """Whether nobody reads the standard output any more. What is left of it then goes nowhere."""
    output, poll = sys.stdout.fileno(), select.poll()
    poll.register(output, 0)
    if left := bool(poll.poll(0)):
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)
    return left
