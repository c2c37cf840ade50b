"""Reading trial.json: what a failed trial may lack, and what is an error."""

import json

import pytest

from scripts.base.errors import UserError
from scripts.extract.trial_files import outline_of
from scripts.extract.trial_json import read_trial
from scripts.model.trial_record import BottleneckReport
from tests.extract.synthetic import example_trial

REPORT = example_trial().report()


def written(tmp_path, content):
    path = tmp_path / "trial.json"
    path.write_text(json.dumps(content))
    return path


def test_keys_that_a_failed_trial_lacks_are_null_or_empty(tmp_path):
    known = ("schema", "campaign", "cycle", "setting", "pair", "trial", "link", "seed")
    clients = [{"client": "c1", "service": "iperf-bbr"}]
    content = {name: REPORT[name] for name in known} | {"status": "failed", "clients": clients}
    trial = read_trial(written(tmp_path, content))
    assert (trial.failed, trial.reason, trial.host, trial.programs) == (True, None, None, {})
    assert trial.bottleneck == BottleneckReport()
    client = trial.clients[0]
    assert (client.address, client.start_ns, client.service_addresses) == (None, None, [])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema": 2}, "has version 2 of its format; this program reads version 1"),
        ({"status": "running"}, "its status must be completed or failed"),
        ({"clients": []}, "has no clients"),
        ({"clients": [1]}, "Expected `object`, got `int`"),
        ({"clients": [{"client": "c1"}]}, "Expected `str`, got `null`"),
        ({"trial": "one"}, "Expected `int`, got `str`"),
        ({"link": {"rate_mbps": 8}}, "missing required field"),
        ({"window_start_ns": 1.5}, "Expected `int | null`, got `float`"),
    ],
)
def test_a_wrong_or_missing_value_is_an_error_that_names_the_file(tmp_path, changes, message):
    with pytest.raises(UserError) as raised:
        read_trial(written(tmp_path, REPORT | changes))
    assert str(raised.value).startswith(f"{tmp_path / 'trial.json'}: ")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"published": True},
        {"status": "failed", "reason": "the switch broke"},
        {"clients": [client | {"service_addresses": []} for client in REPORT["clients"]]},
    ],
)
def test_the_outline_of_a_trial_is_what_its_record_says(tmp_path, changes):
    path = written(tmp_path, REPORT | changes)
    outline, record = outline_of(path.parent), read_trial(path)
    assert (outline.published, outline.failed) == (record.published, record.failed)
    assert (outline.reason, outline.may_be_live) == (record.reason, bool(record.live_clients))
