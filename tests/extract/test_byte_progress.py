"""The progress line."""

from io import StringIO

import pytest

from scripts.extract.captures import ByteProgress


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.fixture
def files(tmp_path):
    for name, size in (("a", 1000), ("b", 3000)):
        (tmp_path / name).write_bytes(bytes(size))
    return [tmp_path / "a", tmp_path / "b"]


def written(files, stream):
    """The output if 500 bytes of each file are read after 30 s and after another 60 s."""
    now = iter([0, 30, 90])
    with ByteProgress(files, stream, lambda: next(now)) as progress:
        progress.show(500)
        progress.finish(files[0])
        progress.show(500)
    return stream.getvalue()


def test_a_terminal_shows_percent_and_time_left_and_is_wiped_at_the_end(files):
    """1/8 read in 30 s leaves 210 s, 3/8 in 90 s leaves 150 s."""
    wiped = "\r\x1b[K"
    assert written(files, Terminal()) == f"{wiped} 12%, 3:30 left{wiped} 38%, 2:30 left{wiped}"


def test_nothing_is_written_to_a_file(files):
    assert written(files, StringIO()) == ""
