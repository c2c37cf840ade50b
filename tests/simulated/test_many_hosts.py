"""The cycle of which docs/operating.md tells how long it takes, and its figures."""

import re
from pathlib import Path

from tests.model.campaigns import paper
from tests.simulated.many_hosts import CORES, HOSTS, saturated, table, two_rounds

OPERATING = Path(__file__).resolve().parents[2] / "docs/operating.md"


def test_a_quarter_of_the_pairs_has_ten_more_trials():
    first, second = two_rounds(paper())
    assert (1800, 390) == (len(first), len(second))
    assert {2} == {line.round for line in second}
    assert set(range(11, 21)) == {line.key.number for line in second}
    assert not {line.key for line in first} & {line.key for line in second}
    assert 39 == len({(line.key.setting, line.key.pair) for line in second[:39]})


def test_the_table_of_the_page_is_the_one_that_the_command_prints():
    text = OPERATING.read_text(encoding="utf-8")
    for line in table(HOSTS, CORES):
        assert line in text


def test_the_page_has_the_numbers_of_hosts_from_which_on_something_saturates():
    text = OPERATING.read_text(encoding="utf-8")
    numbers = {number for line in saturated(CORES) for number in re.findall(r"from ([\d,]+) hosts on", line)}
    assert 4 == len(numbers)
    assert all(re.search(rf"from {number}\b", text) for number in numbers)
