"""While a cycle runs, its pages so far are built between rounds. They never stop it."""

import json

import pytest


def round_log(project, data, number):
    """The last line of the log of a round."""
    log = project.root / data / f"simulated/test/logs/round-{number:02d}.log"
    return log.read_text().splitlines()[-1]


def test_before_each_round_its_pages_show_all_trials_so_far(sound):
    pages = sound.root / "public/provisional/simulated"
    assert {"campaign": "simulated", "cycle": "test", "measured": 7, "planned": 9} == json.loads(
        (pages / "provisional.json").read_text()
    )
    assert "7 of 9 trials" in (pages / "index.html").read_text()
    assert "provisional pages of 6 of 7 trials planned so far" == round_log(sound, "data", 2)
    assert "none needed" in round_log(sound, "data", 4)
    assert "simulated" in (sound.root / "public/cycles/index.html").read_text()
    assert not (sound.root / "data/simulated/test/provisional").exists()


@pytest.mark.soak(minutes=2)
def test_a_cycle_goes_on_without_its_provisional_pages(sound):
    letters = sound.root / "letters/letter.txt"
    letters.parent.mkdir()
    letters.write_text("dear")
    sound.finish("failing", "public=letters", "provisional=True")
    assert "provisional pages: not built, the cycle goes on; see" in round_log(sound, "failing", 2)
    assert sound.tables("data") == sound.tables("failing")
    assert [letters] == list(letters.parent.iterdir())
