"""Numbers on a command line."""

import argparse

import pytest

from scripts.base.commands import whole_number


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("1000", 1000), ("007", 7)])
def test_a_whole_number_within_its_range_is_taken(text, number):
    assert number == whole_number(1, 1000)(text)


@pytest.mark.parametrize("text", ["0", "1001", "-1", "", "two", "1.5", "1_0", " 1", "٣", "9" * 5000])
def test_any_other_text_is_refused_in_one_short_line(text):
    with pytest.raises(argparse.ArgumentTypeError, match="write a whole number, from 1 to 1000") as refusal:
        whole_number(1, 1000)(text)
    assert len(str(refusal.value)) < 130


def test_without_a_most_it_has_a_least():
    assert 2_000_000 == whole_number(2)("2000000")
    with pytest.raises(argparse.ArgumentTypeError, match="1: write a whole number, 2 or more"):
        whole_number(2)("1")
