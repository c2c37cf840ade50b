"""Disciplines and their options: what schema, defaults and words follow from an entry."""

import json

import pytest
from jsonschema import Draft202012Validator

from scripts.base.errors import UserError
from scripts.base.files import ROOT, read_json
from scripts.model.disciplines import DISCIPLINES, Discipline, Option, schema
from scripts.model.schemas import check
from scripts.model.specification import Specification

SPECIFICATION = next((ROOT / "data/snapshots/reference/plan/specs").rglob("*.json"))
KEYS = sorted({key for discipline in DISCIPLINES.values() for key in discipline.options})
OTHER = Discipline(
    "Other",
    {
        "probability": Option(0.1, {"type": "number", "minimum": 0, "maximum": 1}, "probability {:g}"),
        "ecn": Option(True, {"const": True}, "ECN"),
        "minimum_packets": Option(5, {"type": "integer", "minimum": 1}, "from {:g} packets"),
    },
)


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ({"discipline": "none"}, f"link.discipline: 'none' is not one of {', '.join(DISCIPLINES)}"),
        (
            {"discipline": "codel", "discipline_options": {"taget_ms": 5}},
            f"link.discipline_options.taget_ms: unknown key; known are: {', '.join(KEYS)}",
        ),
        (
            {"discipline": "codel", "discipline_options": {"target_ms": 0}},
            "link.discipline_options.target_ms: is 0; it must be more than 0",
        ),
        (
            {"discipline": "fq_codel", "discipline_options": {"queues": 65537}},
            "link.discipline_options.queues: is 65537; it must be at most 65536",
        ),
        (
            {"discipline": "fq_codel", "discipline_options": {"ecn": 1}},
            "link.discipline_options.ecn: is 1; it must be true or false",
        ),
    ],
)
def test_an_error_names_the_option_and_its_bounds(link, message):
    spec = read_json(SPECIFICATION)
    check(spec, Specification, str)
    with pytest.raises(UserError) as error:
        check(spec | {"link": spec["link"] | link}, Specification, lambda keys: "spec.json")
    assert f"spec.json: {message}" == str(error.value)


def test_options_of_one_name_have_the_type_of_their_own_discipline(monkeypatch):
    monkeypatch.setitem(DISCIPLINES, "other", OTHER)
    link = Draft202012Validator(json.loads(json.dumps(schema())))
    assert link.is_valid({"discipline": "other", "discipline_options": {"probability": 0.5, "ecn": True}})
    assert not link.is_valid({"discipline": "other", "discipline_options": {"ecn": False}})
    assert link.is_valid({"discipline": "codel", "discipline_options": {"ecn": False}})


def test_defaults_and_words_follow_from_the_entry():
    assert {"probability": 0.1, "ecn": True, "minimum_packets": 5} == OTHER.defaults()
    assert "Other (probability 0.1, from 5 packets, ECN)" == OTHER.in_words(OTHER.defaults())
    assert "Other (from 7 packets)" == OTHER.in_words({"ecn": False, "minimum_packets": 7})
    assert "drop-tail" == DISCIPLINES["droptail"].in_words({})
