"""What describes a snapshot passes the validators of its formats, without a network."""

import csv
import json
import shutil
import socket
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from scripts.base.files import ROOT
from scripts.snapshot.checksums import digest, files_of, read_checksums, write_checksums
from scripts.snapshot.metadata import write_metadata
from scripts.tables.table_schema import load_schema

pytestmark = pytest.mark.filterwarnings("ignore:.*(ConjunctiveGraph|inplace keyword)")
DESCRIPTIONS = ("croissant.json", "ro-crate-metadata.json", "datapackage.json")
LONG = "trial_series"
"""A table of 8,000 rows, of which the tests keep the first ones."""


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    """The reference snapshot, described as a new one is; only its longest table is shorter."""
    folder = tmp_path_factory.mktemp("described") / "snapshot"
    shutil.copytree(ROOT / "data/snapshots/reference", folder)
    for name in (f"{LONG}.parquet", f"{LONG}.csv"):
        (folder / "tables" / name).unlink()
    original = ROOT / "data/snapshots/reference/tables" / LONG
    rows = pq.read_table(original.with_suffix(".parquet")).slice(0, 100)
    pq.write_table(rows, folder / f"tables/{LONG}.parquet")
    lines = original.with_suffix(".csv").read_text().splitlines(keepends=True)[:101]
    (folder / f"tables/{LONG}.csv").write_text("".join(lines))
    (folder / "SHA256SUMS").unlink()
    write_checksums(folder, write_metadata(folder))
    return folder


@pytest.fixture
def changed(snapshot, tmp_path):
    """A copy of the snapshot that a test may change."""
    return Path(shutil.copytree(snapshot, tmp_path / "changed"))


@pytest.fixture
def offline(monkeypatch):
    def refuse(*_):
        raise OSError("a validator wants the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def described(snapshot, name):
    return json.loads((snapshot / name).read_text())


def errors(snapshot):
    """The files that Frictionless finds wrong, and the kinds of their errors."""
    import frictionless

    report = frictionless.Package(str(snapshot / "datapackage.json")).validate()
    found = {task.place: {error.type for error in task.errors} for task in report.tasks if not task.valid}
    assert report.valid == (not found and not report.errors)
    return found


def test_the_data_package_lists_every_file_with_size_and_checksum(snapshot):
    resources = described(snapshot, "datapackage.json")["resources"]
    listed = {Path(one["path"]): (one["bytes"], one["hash"]) for one in resources}
    expected = {
        path: ((snapshot / path).stat().st_size, f"sha256:{digest(snapshot / path)}")
        for path in files_of(snapshot)
    }
    del expected[Path("datapackage.json")]
    assert expected == listed
    assert len({one["name"] for one in resources}) == len(resources)
    assert {*expected, Path("datapackage.json")} == set(read_checksums(snapshot))


def test_the_tables_have_the_types_of_their_schemas(snapshot):
    resources = {one["path"]: one for one in described(snapshot, "datapackage.json")["resources"]}
    for form in ("csv", "parquet"):
        schema = resources[f"tables/pairs.{form}"]["schema"]
        names = {"string": "string", "int32": "integer", "double": "number", "bool": "boolean"}
        expected = [(column.name, names[column.type]) for column in load_schema("pairs").columns]
        assert expected == [(field["name"], field["type"]) for field in schema["fields"]]
        assert load_schema("pairs").key == schema["primaryKey"]


def test_frictionless_finds_every_file_valid(snapshot, offline):
    assert {} == errors(snapshot)


def test_frictionless_finds_a_changed_capture_table_and_type(changed):
    capture, rows = "trials/8mbps/iperf-bbr/01/client-c1.pcapng.zst", changed / "tables/services.csv"
    content = bytearray((changed / capture).read_bytes())
    content[1000] ^= 1
    (changed / capture).write_bytes(content)
    with (changed / "tables/solo.parquet").open("ab") as file:
        file.write(b"x")
    lines = list(csv.reader(rows.open()))
    number = [column.type for column in load_schema("services").columns].index("double")
    lines[1][number] = "many"
    rows.write_text("".join(",".join(line) + "\n" for line in lines))
    found = errors(changed)
    assert {capture, "tables/solo.parquet", "tables/services.csv"} == set(found)
    assert {"hash-count"} == found[capture]
    assert {"byte-count", "hash-count"} == found["tables/solo.parquet"]
    assert "type-error" in found["tables/services.csv"]


def test_croissant_is_valid_and_loads_every_table(snapshot, offline, caplog, monkeypatch):
    import mlcroissant

    monkeypatch.chdir(snapshot)
    dataset = mlcroissant.Dataset(jsonld="croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    assert not dataset.metadata.ctx.issues.warnings
    assert "not standard" not in caplog.text
    loaded = {one.id: sum(1 for _ in dataset.records(one.id)) for one in dataset.metadata.record_sets}
    tables = sorted((snapshot / "tables").glob("*.parquet"))
    assert {path.stem: pq.read_metadata(path).num_rows for path in tables} == loaded
    [first, *_] = dataset.records("pairs")
    expected = pq.read_table("tables/pairs.parquet").slice(0, 1).to_pylist()[0]
    assert expected["share_median"] == first["pairs/share_median"]
    assert expected["incumbent"] == first["pairs/incumbent"].decode()


def test_croissant_finds_a_changed_table(changed, monkeypatch):
    import mlcroissant

    monkeypatch.chdir(changed)
    with Path("tables/solo.parquet").open("ab") as file:
        file.write(b"x")
    with pytest.raises(Exception, match=r"Download\(tables/solo\.parquet\)"):
        list(mlcroissant.Dataset(jsonld="croissant.json").records("solo"))


def test_everything_that_the_crate_names_is_there(snapshot, offline):
    from rocrate.rocrate import ROCrate

    graph = {one["@id"]: one for one in described(snapshot, "ro-crate-metadata.json")["@graph"]}
    assert {one["@id"] for one in references(list(graph.values()))} <= {
        *graph,
        "https://w3id.org/ro/crate/1.1",
    }
    local = [one for one in graph if "://" not in one and not one.startswith("#")]
    assert [] == [one for one in local if not (snapshot / one).exists()]
    crate = ROCrate(snapshot)
    assert "https://creativecommons.org/licenses/by/4.0/" == crate.root_dataset["license"].id
    assert len(crate.get_by_type("CreateAction")) == 28  # 27 trials and calibrations, and the analysis


def references(value):
    """Every reference to an entity, in any depth of entities."""
    if isinstance(value, list):
        return [found for one in value for found in references(one)]
    if not isinstance(value, dict):
        return []
    return (
        [value] if set(value) == {"@id"} else [found for one in value.values() for found in references(one)]
    )


def test_a_trial_is_an_action_with_times_kernel_and_programs(snapshot):
    graph = {one["@id"]: one for one in described(snapshot, "ro-crate-metadata.json")["@graph"]}
    action = graph["#trial/8mbps/iperf-bbr~iperf-cubic/01"]
    assert ("2026-11-21T19:40:36+00:00", "2026-11-21T19:40:49+00:00") == (
        action["startTime"],
        action["endTime"],
    )
    assert {"@id": "plan/specs/8mbps/iperf-bbr~iperf-cubic/01.json"} == action["object"]
    assert {"@id": "trials/8mbps/iperf-bbr~iperf-cubic/01/"} == action["result"]
    testbed = graph[action["instrument"]["@id"]]
    trial = described(snapshot, "trials/8mbps/iperf-bbr~iperf-cubic/01/trial.json")
    assert f"Linux {trial['host']['kernel']}" == testbed["operatingSystem"]
    programs = [graph[one["@id"]] for one in testbed["softwareRequirements"]]
    assert trial["programs"] == {one["name"]: one["softwareVersion"] for one in programs}


def test_a_failed_trial_tells_why(changed):
    path = changed / "trials/8mbps/iperf-bbr/01/trial.json"
    failed = {"status": "failed", "reason": "the switch broke", "start_ns": None}
    path.write_text(json.dumps(described(changed, path.relative_to(changed)) | failed))
    write_metadata(changed)
    graph = {one["@id"]: one for one in described(changed, "ro-crate-metadata.json")["@graph"]}
    action = graph["#trial/8mbps/iperf-bbr/01"]
    assert ("http://schema.org/FailedActionStatus", "the switch broke") == (
        action["actionStatus"],
        action["error"],
    )
    assert "startTime" not in action


def test_the_same_snapshot_gives_the_same_bytes(snapshot, changed):
    write_metadata(changed)
    for name in DESCRIPTIONS:
        assert (snapshot / name).read_bytes() == (changed / name).read_bytes()


def test_a_table_without_csv_is_described_by_its_parquet_file(changed):
    (changed / "tables/pairs.csv").unlink()
    write_metadata(changed)
    resources = [
        one for one in described(changed, "datapackage.json")["resources"] if "tables/pairs." in one["path"]
    ]
    assert [("tables/pairs.parquet", 117)] == [
        (one["path"], len(one["schema"]["fields"])) for one in resources
    ]
