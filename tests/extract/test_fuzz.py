"""The reader under a coverage-guided fuzzer with sanitizers: a short run with a fixed seed."""

import shutil

import pytest

from tests.extract.fuzz.__main__ import build, run

pytestmark = pytest.mark.skipif(shutil.which("clang++") is None, reason="needs clang++")


def test_no_input_breaks_the_reader(tmp_path):
    build()
    done = run(20_000, 1, tmp_path, quiet=True)
    assert done.returncode == 0, done.stderr
    assert "Done 20000 runs" in done.stderr
    # It got further than the corpus alone: inputs were found that reach new code.
    assert any(tmp_path.iterdir())
