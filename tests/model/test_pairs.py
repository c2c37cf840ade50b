"""The names of pairs."""

import pytest

from scripts.model.pairs import (
    contender_name,
    contenders,
    is_solo,
    members,
    pair_name,
    parts,
)


@pytest.mark.parametrize(
    ("written", "name", "services"),
    [
        ("b~a", "a~b", ["a", "b"]),
        ("a~a", "a~a", ["a", "a"]),
        ("c~a~b", "a~b~c", ["a", "b", "c"]),
        ("a_2", "a~a", ["a", "a"]),
        ("b_3~a", "a~b_3", ["a", "b", "b", "b"]),
        ("b~a~b~b", "a~b_3", ["a", "b", "b", "b"]),
        ("b_2~a", "a~b~b", ["a", "b", "b"]),
        ("a_3", "a~a_2", ["a", "a", "a"]),
        ("a", "a", ["a"]),
    ],
)
def test_a_pair_has_one_name_however_it_was_written(written, name, services):
    assert services == members(written)
    assert name == pair_name(members(written))
    assert services == members(name)


def test_a_name_without_the_separator_is_a_solo():
    assert (is_solo("a"), is_solo("a~b"), is_solo("a~a_2")) == (True, False, False)


def test_the_parts_of_a_name_give_the_number_of_each_service():
    assert parts("a~b_16") == [("a", 1), ("b", 16)]


@pytest.mark.parametrize("services", [[], ["a"], ["a", "b"], ["a", "a"]])
def test_contenders_are_the_reverse_of_their_name(services):
    assert contenders(contender_name(services)) == services
