"""JSON Schemas follow from records."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from scripts.base.errors import UserError
from scripts.base.records import Number, about, with_rules
from scripts.model.schemas import check, described


@with_rules(dependentRequired={"late_s": ["early_s"]})
@dataclass(frozen=True)
class Times:
    """Made up."""

    early_s: Annotated[Number | None, about(minimum=0)] = None
    """When it begins,
    in seconds."""
    late_s: Annotated[Number, about(maximum=9, because="a day has nine hours")] = 5
    """When it ends."""
    kind: Annotated[str | None, about(enum=["long", "short"])] = None
    """What it is."""
    made: Annotated[int, about(in_file=False)] = 0


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"early_s": -1}, "early_s: is -1; it must be at least 0"),
        ({"early_s": None}, "early_s: is None; it must be a number"),
        ({"early_s": 1, "late_s": 10}, "late_s: cannot be 10: a day has nine hours"),
        ({"late_s": 1}, "early_s: is missing; add it"),
        ({"kind": "round"}, "kind: 'round' is not one of long, short"),
        ({"made": 1}, "made: unknown key; known are: early_s, kind, late_s"),
    ],
)
def test_an_error_says_what_the_record_says(content, problem):
    with pytest.raises(UserError) as error:
        check(content, Times, lambda keys: "the file")
    assert f"the file: {problem}" == str(error.value)


def test_readers_learn_the_default_and_what_a_field_means():
    late = {"description": "When it ends.", "type": "number", "maximum": 9, "default": 5}
    properties = described(Times)["properties"]
    assert late | {"because": "a day has nine hours"} == properties["late_s"]
    assert "When it begins, in seconds." == properties["early_s"]["description"]
