"""The records and the JSON Schemas of the same files have the same keys."""

from dataclasses import fields

import pytest

from scripts.model.campaign import Calibration, Campaign, KindTimes, TrialNumbers, TrialTimes, WebTimes
from scripts.model.schemas import load_schema
from scripts.model.services import Live, Origin, Probe, Service
from scripts.model.settings import Access, ClientPath, Link, Setting
from scripts.model.specification import Specification, SpecifiedClient

CAMPAIGN, SERVICE, TRIAL = (load_schema(name)["properties"] for name in ("campaign", "service", "trial"))
PARTS = load_schema("campaign")["$defs"]
TIMES = CAMPAIGN["trial"]["properties"]


@pytest.mark.parametrize(
    ("record", "properties", "only_in_record"),
    [
        (Campaign, CAMPAIGN, {"campaign"}),
        (TrialNumbers, CAMPAIGN["trials"]["properties"], set()),
        (TrialTimes, TIMES, set()),
        (KindTimes, TIMES["kinds"]["additionalProperties"]["properties"], set()),
        (WebTimes, TIMES["web"]["properties"], set()),
        (Calibration, CAMPAIGN["calibration"]["properties"], {"service"}),
        (Setting, PARTS["setting"]["properties"], {"sweep"}),
        (ClientPath, PARTS["client"]["properties"], set()),
        (Access, PARTS["access"]["properties"], set()),
        (Service, SERVICE, set()),
        (Origin, SERVICE["origin"]["properties"], set()),
        (Live, SERVICE["live"]["properties"], set()),
        (Probe, SERVICE["probe"]["properties"], set()),
        (Specification, TRIAL, set()),
        (Link, TRIAL["link"]["properties"], set()),
        (SpecifiedClient, TRIAL["clients"]["items"]["properties"], set()),
    ],
)
def test_a_record_has_the_keys_of_its_schema(record, properties, only_in_record):
    assert {field.name for field in fields(record)} == {*properties, *only_in_record}
