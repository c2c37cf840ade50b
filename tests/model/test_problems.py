"""What goes wrong is told by codes and numbers, and any other text is refused."""

import string

import pytest

from scripts.base.errors import UserError
from scripts.model.drivers import check_observation
from scripts.model.problems import Code, Problem, is_reason, problem, reason_of


def with_numbers(code: Code) -> Problem:
    """The problem with this code, and a number for each place."""
    places = [field for _, field, _, _ in string.Formatter().parse(code.value) if field is not None]
    return problem(code, *(number + 0.5 for number in range(len(places))))


@pytest.mark.parametrize("code", Code)
def test_every_sentence_is_known_alone_and_with_a_cause(code):
    found = with_numbers(code)
    assert is_reason(reason_of(found))
    assert is_reason(reason_of(found, problem(Code.HTTP_STATUS, 503)))


def test_numbers_are_written_without_an_exponent():
    assert "1 of 3 loads had not ended after 0.4 s" == str(problem(Code.LOADS_NOT_ENDED, 1, 3, 0.4))
    assert "the page answered with HTTP status 0" == str(problem(Code.HTTP_STATUS, 0))
    assert "nothing was received for 10000000 s" == str(problem(Code.SILENCE, 1e7))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "alert text",
        "the page crashed: alert text",
        "alert text: the page crashed",
        "the page crashed\n",
        "the page crashed: the page crashed: the page crashed",
        "the page answered with HTTP status one",
        "the page answered with HTTP status ١",
    ],
)
def test_any_other_text_is_refused(text):
    assert not is_reason(text)


def test_the_schema_of_qoe_allows_the_same():
    check_observation({"received_bytes": 0, "unmet": "the page crashed"}, "qoe.json")
    with pytest.raises(UserError, match="unmet"):
        check_observation({"received_bytes": 0, "unmet": "alert text"}, "qoe.json")
