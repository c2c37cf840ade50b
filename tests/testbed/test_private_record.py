"""The host names of the operator's own addresses, as a trial records them."""

import json

import pytest

from scripts.base.records import from_json, to_json
from scripts.model.services import Service
from services import browser_settings
from testbed.first_records import private_record
from tests.extract.live_trial import LIVE


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """config/browser.yaml of an operator with two addresses."""
    addresses = {"live-video": "https://Films.jane.de:8443/watch?token=1", "other": "https://other.jane.de/"}
    content = {"window": "headless", "profiles": None, "addresses": addresses}
    monkeypatch.setattr(browser_settings, "FILE", tmp_path / "browser.yaml")
    (tmp_path / "browser.yaml").write_text(json.dumps(content))


def test_only_the_names_of_this_trials_live_services(settings):
    live = from_json(Service, LIVE, "the test")
    self_hosted = from_json(Service, LIVE | {"name": "other", "live": None}, "the test")
    assert {"names": ("films.jane.de",)} == vars(private_record([live, self_hosted]))
    assert {"names": ["films.jane.de"]} == json.loads(json.dumps(to_json(private_record([live]))))
    assert () == private_record([self_hosted]).names
