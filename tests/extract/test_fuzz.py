"""A short run of the fuzzer of the reader, with sanitizers and a fixed seed."""

import shutil

import pytest

from tests.extract.fuzz.__main__ import build, run

pytestmark = pytest.mark.skipif(shutil.which("clang++") is None, reason="needs clang++")


def test_no_input_breaks_the_reader(tmp_path):
    build()
    done = run(20_000, 1, tmp_path, quiet=True)
    assert done.returncode == 0, done.stderr
    assert "Done 20000 runs" in done.stderr
    # The fuzzer found inputs that reach code the corpus does not.
    assert any(tmp_path.iterdir())
