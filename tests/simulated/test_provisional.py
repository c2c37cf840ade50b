"""While a cycle runs, its pages so far are built between rounds. They never stop it."""

import json
import shutil

import pytest

from tests.simulated.project import PAIR, ROOT, SERVICES, Simulated
from tests.simulated.test_rounds import SMALL


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """A campaign of one pair, which needs three rounds: 6 trials, 1 and 2."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    shutil.copytree(ROOT / "site", copy.root / "site")
    copy.configure(SERVICES[:2], [PAIR], SMALL)
    return copy


def round_log(simulated, data, number):
    """The last line of the log of a round."""
    log = simulated.root / data / f"simulated/test/logs/round-{number:02d}.log"
    return log.read_text().splitlines()[-1]


def test_before_each_round_its_pages_show_all_trials_so_far(simulated):
    simulated.finish("data", "public=public", "provisional=True")
    pages = simulated.root / "public/provisional/simulated"
    assert {"campaign": "simulated", "cycle": "test", "measured": 7, "planned": 9} == json.loads(
        (pages / "provisional.json").read_text()
    )
    assert "7 of 9 trials" in (pages / "index.html").read_text()
    assert "provisional pages of 6 of 7 trials planned so far" == round_log(simulated, "data", 2)
    assert "none needed" in round_log(simulated, "data", 4)
    assert "simulated" in (simulated.root / "public/cycles/index.html").read_text()
    assert not (simulated.root / "data/simulated/test/provisional").exists()


@pytest.mark.soak
def test_a_cycle_goes_on_without_its_provisional_pages(simulated):
    letters = simulated.root / "letters/letter.txt"
    letters.parent.mkdir()
    letters.write_text("dear")
    simulated.finish("failing", "public=letters", "provisional=True")
    assert "provisional pages: not built, the cycle goes on; see" in round_log(simulated, "failing", 2)
    assert simulated.tables("data") == simulated.tables("failing")
    assert [letters] == list(letters.parent.iterdir())
