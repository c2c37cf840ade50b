"""While a cycle runs, its pages so far are built between rounds. They never stop it."""

import json

import pytest


def round_log(project, data, number):
    """The last line of the log of a round."""
    log = project.root / data / f"simulated/test/logs/round-{number:02d}.log"
    return log.read_text().splitlines()[-1]


def test_before_each_round_its_pages_show_all_trials_so_far(whole):
    pages = whole.root / "public/provisional/simulated"
    assert {"campaign": "simulated", "cycle": "test", "measured": 1, "planned": 2} == json.loads(
        (pages / "provisional.json").read_text()
    )
    assert "1 of 2 trials" in (pages / "index.html").read_text()
    told = "provisional pages of 1 of 2 trials planned so far: public/provisional/simulated/index.html"
    assert told == round_log(whole, "whole", 2)
    assert "none needed" in round_log(whole, "whole", 3)
    assert "simulated" in (whole.root / "public/cycles/index.html").read_text()
    assert not (whole.root / "whole/simulated/test/provisional").exists()


@pytest.mark.soak(minutes=2)
def test_a_cycle_goes_on_without_its_provisional_pages(whole):
    letters = whole.root / "letters/letter.txt"
    letters.parent.mkdir()
    letters.write_text("dear")
    whole.finish("failing", "public=letters", "provisional=True")
    assert "provisional pages: not built, the cycle goes on; see" in round_log(whole, "failing", 2)
    assert whole.tables("whole") == whole.tables("failing")
    assert [letters] == list(letters.parent.iterdir())
