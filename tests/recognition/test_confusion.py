"""The answers with a part of the library left out."""

import pytest

from scripts.recognition.confusion import AnswerCount, confusion
from scripts.recognition.families import UNKNOWN
from scripts.recognition.library import link_distances
from tests.recognition.hand_library import DAYS, hand_labels


def found(**parts):
    labels, traces = hand_labels(**parts)
    return confusion(labels, link_distances(labels, traces))


@pytest.fixture(scope="module")
def named():
    return found()


def of(named, left_out):
    return [one for one in named if one.left_out == left_out]


def test_every_trace_is_named_once_for_each_kind_of_part(named):
    assert [36, 36, 36] == [sum(one.n for one in of(named, kind)) for kind in ("day", "family", "stack")]


def test_other_days_never_name_another_family(named):
    assert {*DAYS} == {one.part for one in of(named, "day")}
    assert "wrong" not in {one.outcome for one in of(named, "day")}
    right = sum(one.n for one in of(named, "day") if one.outcome == "right")
    assert right >= 30


def test_without_its_family_a_trace_is_unknown(named):
    assert {False} == {one.had_family for one in of(named, "family")}
    assert {(UNKNOWN, "right")} == {(one.answer, one.outcome) for one in of(named, "family")}


def test_the_other_stack_has_the_family_still(named):
    assert {True} == {one.had_family for one in of(named, "stack")}


def test_one_day_alone_leaves_nothing_to_name_by():
    assert not of(found(days=("2026-01-01",)), "day")


@pytest.mark.parametrize(
    ("had_family", "answer", "outcome"),
    [
        (True, "Reno-like", "right"),
        (True, UNKNOWN, "abstained"),
        (True, "Cubic-like", "wrong"),
        (False, UNKNOWN, "right"),
        (False, "Cubic-like", "wrong"),
    ],
)
def test_the_outcome_of_an_answer(had_family, answer, outcome):
    assert outcome == AnswerCount("stack", "quinn", "Reno-like", had_family, answer, 1).outcome
