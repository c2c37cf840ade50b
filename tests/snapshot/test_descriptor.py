"""The data package of a snapshot: every table has a file, as CSV where there is one."""

import hashlib
import json

import pyarrow.parquet as pq

from scripts.snapshot.descriptor import describe
from scripts.tables.table_schema import load_schema


def test_a_table_is_its_csv_and_one_without_a_csv_its_parquet_file(tmp_path):
    for folder in ("plan", "tables", "trials/8mbps/a~b/01"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "plan/config.json").write_text(json.dumps({"campaign": "demo", "title": "Demo"}))
    (tmp_path / "trials/8mbps/a~b/01/trial.json").write_text("{}")
    for table in ("pairs", "trial_series"):
        pq.write_table(load_schema(table).arrow.empty_table(), tmp_path / f"tables/{table}.parquet")
    (tmp_path / "tables/pairs.csv").write_text("setting\n")
    pairs, series, trial = describe(tmp_path)["resources"]
    assert (pairs["name"], pairs["path"], pairs["format"]) == ("pairs", "tables/pairs.csv", "csv")
    assert (series["path"], series["format"]) == ("tables/trial_series.parquet", "parquet")
    for table in (pairs, series):
        names = [column.name for column in load_schema(table["name"]).columns]
        assert names == [field["name"] for field in table["schema"]["fields"]]
    assert trial == {
        "name": "8mbps-a.b-01-trial.json",
        "path": "trials/8mbps/a~b/01/trial.json",
        "bytes": 2,
        "hash": f"sha256:{hashlib.sha256(b'{}').hexdigest()}",
    }
