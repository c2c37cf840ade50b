"""The progress of work on bytes: how many of how many, and the time left, now and then."""

import io

from scripts.extract.byte_progress import WIPE, ByteProgress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, interval_s: float) -> str:
    """What is written while two groups are copied at 1 MB a second, told every half second."""
    now_s = 0.0
    with ByteProgress(150_000_000, "fetched", stream, interval_s, lambda: now_s) as transfer:
        for what, size in (("tables", 50_000_000), ("trials", 100_000_000)):
            transfer.begin(what, size)
            for copied in range(500_000, size + 1, 500_000):
                now_s += 0.5
                transfer.show(copied)
    return stream.getvalue()


def test_elsewhere_a_line_is_printed_now_and_then():
    assert [
        "fetched 30.0 of 150.0 MB (tables), about 2 min left",
        "fetched 60.0 of 150.0 MB (trials), about 2 min left",
        "fetched 90.0 of 150.0 MB (trials), about 1 min left",
        "fetched 120.0 of 150.0 MB (trials), less than a minute left",
        "fetched 150.0 of 150.0 MB (trials), less than a minute left",
    ] == shown(io.StringIO(), 30).splitlines()


def test_a_terminal_has_one_line_that_is_wiped_at_the_end():
    lines = shown(Terminal(), 30).split(WIPE)
    assert 152 == len(lines) and "\n" not in "".join(lines)
    assert "fetched 1.0 of 150.0 MB (tables), about 2 min left" == lines[1]
    assert "" == lines[-1]
