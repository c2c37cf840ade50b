"""A short run of the fuzzer of the reader, with sanitizers and a fixed seed."""

import shutil

import pytest

from tests.extract.fuzz.__main__ import HERE, build, run
from tests.extract.reading import read


@pytest.mark.parametrize("path", sorted((HERE / "corpus").iterdir()), ids=lambda path: path.name)
def test_the_reader_reads_every_input_that_the_fuzzer_begins_with(path):
    _, rows = read(path)
    assert bool(rows) == (path.name != "blocks.pcapng"), "that one has no packet"


@pytest.mark.soak(minutes=2)
@pytest.mark.skipif(shutil.which("clang++") is None, reason="needs clang++")
def test_no_input_breaks_the_reader(tmp_path):
    build()
    done = run(20_000, 1, tmp_path, quiet=True)
    assert done.returncode == 0, done.stderr
    assert "Done 20000 runs" in done.stderr
    # The fuzzer found inputs that reach code the corpus does not.
    assert any(tmp_path.iterdir())
