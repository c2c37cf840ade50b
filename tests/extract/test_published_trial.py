"""The published subset of a trial contains nothing private. test_public_form.py tests a live service's."""

import copy
import json
import shutil
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.extract.extract_trial import extract
from scripts.extract.published_trial import publish
from scripts.extract.trial_json import published_reason, read_trial
from scripts.model.drivers import observation_schema
from scripts.model.problems import PATTERN
from tests.extract.synthetic import example_trial

PRIVATE = "https://video.test/player.html?token=secret#part: HTTP status 404"


@pytest.mark.parametrize(
    ("reason", "published"),
    [
        (PRIVATE, "(a web address): HTTP status 404"),
        ("a http://a.test/?b=c. Then", "a (a web address). Then"),
        ("https://a.test/b#c and WSS://d.test/?e", "(a web address) and (a web address)"),
        ("https://meet.test/abc-defg-hij: is it down?", "(a web address): is it down?"),
        ("/home/jane/profiles/netflix: is missing", "(a file): is missing"),
        ("cannot read ~/.config/x, or /etc/hosts.", "cannot read (a file), or (a file)."),
        ("192.168.1.20 does not answer", "(an address) does not answer"),
        ("fe80::1:2%eth0 and 2001:db8::7, port 80", "(an address)%eth0 and (an address), port 80"),
        ("from 52:54:00:12:34:56 to ::ffff:10.0.0.1", "from (an address) to (an address)"),
        ("198.18.1.10: port 5201 is closed", "198.18.1.10: port 5201 is closed"),
        ("ended 2.5 s before 10:30:05, at 3/4", "ended 2.5 s before 10:30:05, at 3/4"),
    ],
)
def test_a_reason_loses_web_addresses_files_and_ip_addresses(reason, published):
    assert published == published_reason(reason)


def test_neither_record_nor_tables_contain_a_web_address(tmp_path):
    trial = example_trial().write(tmp_path / "trial", status="failed", reason=PRIVATE)
    publish(trial, tmp_path / "published")
    record, copy = (read_trial(folder / "trial.json") for folder in (trial, tmp_path / "published"))
    assert copy == replace(record, reason=published_reason(PRIVATE), published=True)
    for folder in (trial, tmp_path / "published"):
        extract(folder, tmp_path / "parquet")
        reasons = pq.read_table(tmp_path / "parquet/clients.parquet")["reason"].to_pylist()
        assert [published_reason(PRIVATE)] * 2 == reasons


def test_a_record_keeps_every_known_field_and_the_whole_report_of_the_bottleneck(tmp_path):
    trial = example_trial().write(tmp_path / "trial")
    publish(trial, tmp_path / "published")
    publish(tmp_path / "published", tmp_path / "again")
    files = [folder / "trial.json" for folder in (trial, tmp_path / "published", tmp_path / "again")]
    assert replace(read_trial(files[0]), published=True) == read_trial(files[1])
    reports = [json.loads(file.read_text())["bottleneck"] for file in files]
    assert reports[0] == reports[1]
    assert files[1].read_bytes() == files[2].read_bytes()


def test_a_record_loses_unknown_fields_and_what_is_no_word(tmp_path):
    times = {"run_s": 1.5, "wait_s": 0.0}
    host = {
        "cpu_pressure_fraction": 0.5,
        "program_times": {"client-c1": {"iperf3": times, "of a private user": times}},
    }
    unknown = {"hostname": "private", "host": host | {"user": "private"}}
    unknown |= {"programs": {"ip": "6.1.0", "tool": "built by private@host"}}
    unknown |= {
        "bottleneck": {"backend": "bess", "daemon": {"address": "private:10514", "cores": [1, "/private"]}}
    }
    trial = example_trial().write(tmp_path / "trial", **unknown)
    publish(trial, tmp_path / "published")
    copy = json.loads((tmp_path / "published/trial.json").read_text())
    assert "private" not in json.dumps(copy)
    assert {"backend": "bess", "daemon": {"cores": [1]}} == copy["bottleneck"]
    assert {"ip": "6.1.0"} == copy["programs"]
    assert {"client-c1": {"iperf3": times}} == copy["host"]["program_times"]


def test_an_observation_with_free_text_is_not_published(tmp_path):
    trial = example_trial().write(tmp_path / "trial")
    (trial / "qoe.json").write_text('{"c1": {"received_bytes": 1, "title": "private"}}')
    with pytest.raises(UserError, match=r"qoe\.json: cannot be published"):
        publish(trial, tmp_path / "published")
    failed = example_trial().write(tmp_path / "failed", status="failed", reason="It broke.")
    shutil.copy(trial / "qoe.json", failed)
    publish(failed, tmp_path / "published")
    assert not (tmp_path / "published/qoe.json").exists()


def test_only_known_files_are_published(tmp_path):
    trial = example_trial().write(tmp_path / "trial")
    for name in ("private.json", "notes.txt", "client-x.pcapng.zst"):
        (trial / name).write_text("{}")
    (trial / "logs").mkdir()
    publish(trial, tmp_path / "published")
    captures = ["client-c1.pcapng.zst", "client-c2.pcapng.zst"]
    expected = [*captures, "flows.json", "queue.bin.zst", "trial.json"]
    assert expected == sorted(path.name for path in (tmp_path / "published").iterdir())


def test_the_schema_of_the_drivers_allows_no_free_text():
    """Strings are from lists of words, and all keys are listed; `unmet` is a sentence of the drivers."""

    def parts(schema):
        yield schema
        for part in schema.values() if isinstance(schema, dict) else schema:
            if isinstance(part, dict | list):
                yield from parts(part)

    schema = copy.deepcopy(observation_schema())
    assert PATTERN == schema["properties"].pop("unmet")["pattern"]
    found = [part for part in parts(schema) if isinstance(part, dict) and "type" in part]
    assert "string" not in {part["type"] for part in found if isinstance(part["type"], str)}
    objects = [part for part in found if part["type"] == "object"]
    assert len(objects) > 5
    assert all(part["additionalProperties"] is False or "propertyNames" in part for part in objects)
