"""The names of pairs."""

import pytest

from scripts.model.pairs import (
    contender_name,
    contenders,
    is_contender,
    is_solo,
    meet_in,
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


def test_only_what_is_judged_by_its_throughput_meets_all():
    metrics = [{}, {"metric": "throughput"}, {"metric": "rtc"}, {"metric": "web"}]
    assert [True, True, False, False] == [is_contender(service) for service in metrics]


def test_a_pair_meets_where_both_of_it_are_measured():
    setting = {"services": ["a", "b"]}
    assert [True, True, False, False] == [meet_in(setting, pair) for pair in ("a", "a~b_3", "a~c", "c")]
    assert meet_in({}, "a~c")


def test_a_name_without_the_separator_is_a_solo():
    assert (is_solo("a"), is_solo("a~b"), is_solo("a~a_2")) == (True, False, False)


def test_the_parts_of_a_name_tell_how_many_of_each_service():
    assert parts("a~b_16") == [("a", 1), ("b", 16)]


@pytest.mark.parametrize("services", [[], ["a"], ["a", "b"], ["a", "a"]])
def test_contenders_are_the_reverse_of_their_name(services):
    assert contenders(contender_name(services)) == services
