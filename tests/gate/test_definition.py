"""What a gate measures: its services, its trials and their order."""

from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.gate.definition import Question, planned
from scripts.gate.margins import read_settings
from scripts.model.trials import TrialKey
from tests.services.endpoint.making import make_endpoint

ASKED = Question("iperf-bbr", "iperf-cubic", ("iperf-cubic",), ("8mbps",), 40, 900)


@pytest.fixture
def plan(tmp_path):
    """Plans what is asked, in a folder of its own."""
    return lambda **changes: planned(
        replace(ASKED, **changes), tmp_path / "definition", read_settings().settings
    )


def test_candidate_and_base_are_copies_under_their_own_names(plan):
    gate = plan()
    services = gate.campaign.services
    assert {"candidate", "base", "iperf-cubic"} == {*services}
    assert ("bbr", "cubic") == (services["candidate"].cca, services["base"].cca)
    assert "Candidate: iPerf (BBR)" == services["candidate"].title
    assert {"base~iperf-cubic", "candidate~iperf-cubic"} == {*gate.campaign.pairs}


def test_the_budget_holds_a_calibration_the_solos_and_as_many_blocks_as_fit(plan):
    assert ["candidate", "base", "iperf-cubic"] == [key.pair for key in plan().solos]
    # 44 s a trial: 900 s - 15 s of calibration - 3 solos, over two trials a block.
    assert 8 == plan().trials
    assert 99 == plan(budget_s=100_000).trials


def test_each_block_has_each_arm_once_in_every_cell_and_the_next_one_turns_them_round(plan):
    gate = plan(against=("iperf-cubic", "iperf-reno"), settings=("8mbps", "50mbps"), budget_s=3600)
    assert 4 == len(gate.cells)
    for first in (1, 3, 5):
        one, two = gate.block(first), gate.block(first + 1)
        assert 8 == len({(key.setting, key.pair) for key in one})
        assert {first} == {key.number for key in one}
        for places in zip(one[::2], one[1::2], two[::2], two[1::2], strict=True):
            a, b, c, d = ((key.setting, key.pair) for key in places)
            assert (a, b) == (d, c)


def test_trials_alone_that_are_measured_again_take_the_time_of_blocks(plan):
    gate = plan()
    again = [TrialKey("8mbps", "base", 2)]
    more = gate.with_solos(again)
    assert (*gate.solos, *again) == more.solos
    assert 7 == more.trials
    assert gate.ends_of_block(1) + 1 == more.ends_of_block(1)
    assert 3 == gate.with_solos(again * 20).trials, "the fewest"


def test_the_seed_draws_which_arm_is_first(plan):
    gate = plan()
    firsts = {gate.block(number)[0].pair for number in range(1, 40, 2)}
    assert {"base~iperf-cubic", "candidate~iperf-cubic"} == firsts


def test_without_a_base_each_contender_is_its_own(plan):
    gate = plan(base=None, against=("iperf-cubic", "iperf-reno"), budget_s=3600)
    assert ["base-iperf-cubic~iperf-cubic", "base-iperf-reno~iperf-reno"] == [
        cell.pair_of("base") for cell in gate.cells
    ]
    assert "reno" == gate.campaign.services["base-iperf-reno"].cca


def test_endpoints_are_candidate_base_and_contender(plan, tmp_path):
    new = make_endpoint(tmp_path / "new", controllers=["kernel", "bbr"])
    old = make_endpoint(tmp_path / "old")
    gate = plan(candidate=f"{new}:bbr", base=str(old), against=(str(old),))
    services = gate.campaign.services
    assert ("bbr", str(new)) == (services["candidate"].cca, services["candidate"].endpoint)
    assert ("kernel", str(old)) == (services["base"].cca, services["base"].endpoint)
    assert "base~own-old-kernel" == gate.cells[0].pair_of("base")


def test_the_gate_has_links_of_its_own(plan):
    gate = plan(settings=("8mbps-1-bdp",))
    assert {"8mbps-1-bdp"} == {*gate.campaign.settings}
    assert 33 == gate.campaign.settings["8mbps-1-bdp"].queue_packets


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"candidate": "iperf-cubik"},
            "iperf-cubik: is no folder, and the catalogue has no service of this "
            "name; similar: iperf-cubic, iperf-bbr, iperf-bbr-5; all: ",
        ),
        ({"base": "xyzzy"}, "xyzzy: is no folder, and the catalogue has no service of this name; all: "),
        ({"candidate": "./nowhere"}, "there is no such folder"),
        ({"against": ("iperf-cubik",)}, "iperf-cubik: is no folder, and the catalogue has no service"),
        ({"against": ("iperf-bbr", "iperf-bbr")}, "--against: iperf-bbr is named twice"),
        ({"settings": ("9mbps",)}, "--settings: 9mbps is unknown; known are: 8mbps, 50mbps, 8mbps-1-bdp"),
        ({"seconds": 19}, "--seconds: is 19; it must be at least 20"),
        ({"budget_s": 300}, "--budget: 3 trials of each arm take 7 minutes; allow more time"),
    ],
)
def test_an_error_says_what_to_do(plan, changes, words):
    with pytest.raises(UserError, match=words.replace(".", r"\.")):
        plan(**changes)
