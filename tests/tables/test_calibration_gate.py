"""The line that a calibration ends with says what it means for the trials after it."""

from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.tables import calibration_gate

LATE = "added delay off by 0.504 ms at p99, tolerance 0.3"


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """Judges a calibration of the first round whose row has this verdict and reason."""

    def judged(verdict, reason):
        row = {"round": 1, "verdict": verdict, "reason": reason}
        monkeypatch.setattr(calibration_gate, "row_of", lambda *_: row)
        return calibration_gate.judge(Path("config.json"), "8mbps", 1, tmp_path)

    return judged


def test_one_that_passed_is_within_every_tolerance(judged):
    assert "calibration of 8mbps, round 1: within every tolerance" == judged("passed", None)


def test_a_warning_is_called_so_and_says_what_follows(judged):
    words = f"calibration of 8mbps, round 1: warning: {LATE}; trials go on, and each is judged by itself"
    assert words == judged("warning", LATE)


def test_one_that_failed_is_an_error(judged):
    with pytest.raises(
        UserError, match=r"calibration/01: the calibration of 8mbps failed: 3 probes are lost$"
    ):
        judged("failed", "3 probes are lost")
