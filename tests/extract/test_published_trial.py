"""The published subset of a trial contains no query of a web address."""

import copy
import json

import pyarrow.parquet as pq
import pytest

from scripts.extract.extract_trial import extract
from scripts.extract.published_trial import publish
from scripts.extract.trial_json import published_reason
from scripts.model.schemas import load_schema
from tests.extract.synthetic import example_trial

PRIVATE = "https://video.test/player.html?token=secret#part: HTTP status 404"


@pytest.mark.parametrize(
    ("reason", "published"),
    [
        (PRIVATE, "https://video.test/player.html: HTTP status 404"),
        ("a http://a.test/?b=c. Then", "a http://a.test/. Then"),
        ("https://a.test/b#c and https://d.test/?e", "https://a.test/b and https://d.test/"),
        ("https://a.test/b: is it down?", "https://a.test/b: is it down?"),
    ],
)
def test_a_reason_keeps_the_page_and_loses_the_query(reason, published):
    assert published == published_reason(reason)


def test_neither_record_nor_tables_contain_the_query_of_a_page(tmp_path):
    trial = example_trial().write(tmp_path / "trial", status="failed", reason=PRIVATE)
    publish(trial, tmp_path / "published")
    record, copy = (
        json.loads((folder / "trial.json").read_text()) for folder in (trial, tmp_path / "published")
    )
    assert copy == record | {"reason": published_reason(PRIVATE)}
    for folder in (trial, tmp_path / "published"):
        extract(folder, tmp_path / "parquet")
        reasons = pq.read_table(tmp_path / "parquet/clients.parquet")["reason"].to_pylist()
        assert [published_reason(PRIVATE)] * 2 == reasons


def test_a_record_without_a_web_address_is_copied_unchanged(tmp_path):
    trial = example_trial().write(tmp_path / "trial")
    publish(trial, tmp_path / "published")
    assert (trial / "trial.json").read_bytes() == (tmp_path / "published/trial.json").read_bytes()


def test_the_schema_of_the_drivers_allows_no_free_text():
    """Strings are from lists of words, and all keys are listed; `unmet` is a sentence of the drivers."""

    def parts(schema):
        yield schema
        for part in schema.values() if isinstance(schema, dict) else schema:
            if isinstance(part, dict | list):
                yield from parts(part)

    schema = copy.deepcopy(load_schema("qoe"))
    assert schema["properties"].pop("unmet")["type"] == "string"
    found = [part for part in parts(schema) if isinstance(part, dict) and "type" in part]
    assert "string" not in {part["type"] for part in found if isinstance(part["type"], str)}
    objects = [part for part in found if part["type"] == "object"]
    assert len(objects) > 5
    assert all(part["additionalProperties"] is False or "propertyNames" in part for part in objects)
