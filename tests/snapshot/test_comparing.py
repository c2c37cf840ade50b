"""A changed capture, row, line of code or package is found and named; other bytes of a value are told so."""

import json
import shutil
from pathlib import Path, PurePosixPath

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from scripts.base.files import ROOT
from scripts.base.imports import code_of
from scripts.model.trials import TrialKey
from scripts.snapshot import code_archive
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.code_archive import CODE, other_code, write_source
from scripts.snapshot.comparing import compare, first_cause, only_bytes, verdict, wrong_captures
from scripts.snapshot.environment import other_environment, write_environment
from scripts.tables.output import write_csv

REFERENCE = ROOT / "data/snapshots/reference"
TRIAL = "8mbps iperf-bbr~iperf-cubic #1 c1"


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """The reference with the source and the environment of this checkout."""
    snapshot = tmp_path_factory.mktemp("whole") / "reference"
    shutil.copytree(REFERENCE, snapshot)
    shutil.copyfile(ROOT / "requirements.lock", snapshot / "requirements.lock")
    write_source(snapshot)
    write_environment(snapshot)
    write_checksums(snapshot)
    return snapshot


@pytest.fixture
def snapshot(complete, tmp_path):
    """A published snapshot for one test."""
    return shutil.copytree(complete, tmp_path / "published")


@pytest.fixture
def rebuilt(tmp_path):
    """What a rebuild of the reference makes."""
    for name in ("tables", "charts"):
        shutil.copytree(REFERENCE / name, tmp_path / "rebuilt" / name)
    return tmp_path / "rebuilt"


def files(*folders: Path) -> set[PurePosixPath]:
    return {
        PurePosixPath(path.relative_to(folder))
        for folder in folders
        for name in ("tables", "charts")
        for path in (folder / name).rglob("*")
        if path.is_file()
    }


def change(path: Path, column: str, value: object, where: dict[str, object]) -> None:
    """Write another value into the rows of a Parquet file that have these values."""
    table = pq.read_table(path)
    chosen = pa.chunked_array([pa.array([True] * table.num_rows)])
    for name, wanted in where.items():
        chosen = pc.and_(chosen, pc.equal(table[name], wanted))
    assert pc.sum(chosen).as_py() == 1
    place = table.schema.get_field_index(column)
    changed = pc.if_else(chosen, pa.scalar(value, table.schema.field(column).type), table[column])
    pq.write_table(table.set_column(place, table.schema.field(column), changed), path)


ROW = {"setting": "8mbps", "pair": "iperf-bbr~iperf-cubic", "trial": 1, "client": "c1"}


def test_identical_files_have_no_difference(snapshot, rebuilt):
    assert [] == compare(snapshot, rebuilt, files(snapshot, rebuilt))
    assert verdict([]) == "identical: every byte the same"


def test_a_changed_row_is_named_with_both_values(snapshot, rebuilt):
    table = snapshot / "tables/trial_services.parquet"
    change(table, "throughput_mbps", 1.5, ROW)
    write_csv(table)
    write_checksums(snapshot)
    found = compare(snapshot, rebuilt, files(snapshot, rebuilt))
    assert ["trial rows"] * 2 == [one.stage for one in found]
    assert ["tables/trial_services.parquet", "tables/trial_services.csv"] == [str(one.file) for one in found]
    (cell,) = first_cause(found).rows.cells
    assert (TRIAL, "throughput_mbps", 1.5) == (cell.row, cell.column, cell.published)
    assert f"{TRIAL}: throughput_mbps 1.5, rebuilt {cell.rebuilt!r} (relative difference " in verdict(found)
    assert "the captures, the code and its packages are those of the snapshot" in verdict(found)
    assert not only_bytes(found)


def test_a_row_that_one_side_lacks_is_named(snapshot, rebuilt):
    path = rebuilt / "tables/validity.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)
    cause = first_cause(compare(snapshot, rebuilt, files(snapshot, rebuilt)))
    assert "tables/validity.parquet: " in str(cause)
    assert "is no row when rebuilt" in str(cause)
    shutil.copyfile(snapshot / "tables/validity.parquet", path)
    pq.write_table(pq.read_table(path).slice(1), snapshot / "tables/validity.parquet")
    cause = first_cause(compare(snapshot, rebuilt, files(snapshot, rebuilt)))
    assert "is a row only when rebuilt" in str(cause)


def test_results_are_in_the_order_of_the_pipeline(snapshot, rebuilt):
    chart = rebuilt / "charts/cycle/loss-8mbps.svg"
    chart.write_text(chart.read_text().replace("</text>", "!</text>", 1))
    change(rebuilt / "tables/solo.parquet", "n", 99, {"service": "iperf-bbr"})
    change(rebuilt / "tables/trial_services.parquet", "arrived_packets", 1, ROW)
    (rebuilt / "tables/services.csv").unlink()
    found = compare(snapshot, rebuilt, files(snapshot, rebuilt))
    assert ["trial rows", "cycle rows", "cycle rows", "chart"] == [one.stage for one in found]
    assert [f"tables/{name}" for name in ("trial_services.parquet", "solo.parquet", "services.csv")] == [
        str(one.file) for one in found[:3]
    ]
    assert found[2].detail == "is missing when rebuilt"
    assert found[3].detail.startswith("text: ")
    assert found[3].detail.endswith("!")


def test_the_same_values_in_other_bytes_are_told_as_such(snapshot, rebuilt):
    table = rebuilt / "tables/pairs.parquet"
    pq.write_table(pq.read_table(table), table, compression="snappy")
    chart = rebuilt / "charts/cycle/loss-8mbps.json"
    chart.write_text(json.dumps(json.loads(chart.read_text()), indent=3))
    csv = rebuilt / "tables/solo.csv"
    csv.write_bytes(csv.read_bytes().replace(b"\n", b"\r\n"))
    found = compare(snapshot, rebuilt, files(snapshot, rebuilt))
    assert [True] * 3 == [one.same_values for one in found]
    assert only_bytes(found)
    names = "tables/solo.csv, tables/pairs.parquet, charts/cycle/loss-8mbps.json"
    assert verdict(found).startswith(f"the same values in other bytes: {names}; ")


def test_nan_and_null_equal_themselves_and_nothing_else(snapshot, rebuilt):
    for folder in (snapshot, rebuilt):
        path = folder / "tables/trial_services.parquet"
        change(path, "throughput_mbps", float("nan"), ROW)
        change(path, "wire_rate_mbps", None, ROW)
    path = rebuilt / "tables/trial_services.parquet"
    pq.write_table(pq.read_table(path), path, compression="snappy")
    assert only_bytes(compare(snapshot, rebuilt, files(snapshot, rebuilt)))
    change(path, "throughput_mbps", None, ROW)
    change(path, "wire_rate_mbps", float("nan"), ROW)
    (one,) = compare(snapshot, rebuilt, files(snapshot, rebuilt))
    assert ["wire_rate_mbps null, rebuilt nan", "throughput_mbps nan, rebuilt null"] == [
        str(cell).removeprefix(f"{TRIAL}: ") for cell in one.rows.cells
    ]


def test_only_the_rows_of_a_part_are_compared(snapshot, rebuilt):
    path = rebuilt / "tables/trial_services.parquet"
    change(path, "throughput_mbps", 1.5, ROW)
    compared = [PurePosixPath("tables/trial_services.parquet")]
    other, own = (lambda columns, pair=pair: ds.field("pair") == pair for pair in ("iperf-bbr", ROW["pair"]))
    assert [] == compare(snapshot, rebuilt, compared, other)
    assert [1] == [one.rows.count for one in compare(snapshot, rebuilt, compared, own)]
    assert [1] == [one.rows.count for one in compare(snapshot, rebuilt, compared, lambda columns: None)]


def test_a_changed_capture_is_the_first_cause(snapshot, rebuilt):
    change(rebuilt / "tables/trial_services.parquet", "throughput_mbps", 1.5, ROW)
    log = PurePosixPath("trials/8mbps/iperf-bbr~iperf-cubic/01/queue.bin.zst")
    content = bytearray((snapshot / log).read_bytes())
    content[100] ^= 1
    (snapshot / log).write_bytes(content)
    cause = first_cause(compare(snapshot, rebuilt, files(snapshot, rebuilt)))
    assert ("capture", f"{log}: does not match SHA256SUMS") == (cause.stage, str(cause))


def test_a_capture_that_was_changed_with_its_checksum_does_not_match_the_description(snapshot):
    log = snapshot / "trials/8mbps/iperf-bbr/01/queue.bin.zst"
    log.write_bytes(log.read_bytes()[:-1])
    write_checksums(snapshot)
    key = TrialKey("8mbps", "iperf-bbr", 1)
    assert [(PurePosixPath("trials", key.path, log.name), "does not match datapackage.json")] == [
        *wrong_captures(snapshot, [key])
    ]


@pytest.fixture
def checkout(tmp_path):
    """A copy of the code, which a test may change."""
    for name in ("Snakefile", "rules", "scripts"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        (tmp_path / "code").mkdir(exist_ok=True)
        copy(ROOT / name, tmp_path / "code" / name)
    return tmp_path / "code"


def test_a_changed_line_of_sql_is_named(complete, checkout):
    assert [] == [*other_code(complete, root=checkout)]
    path = checkout / "scripts/tables/pairs.sql"
    number, line = next(
        (number, line)
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if "'further'" in line
    )
    path.write_text(path.read_text().replace("'further'", "'first'", 1))
    ((file, detail),) = other_code(complete, root=checkout)
    assert PurePosixPath("scripts/tables/pairs.sql") == file
    old, new = line.strip(), line.strip().replace("'further'", "'first'", 1)
    assert detail == f"line {number}: `{new}` here, `{old}` in the source of the snapshot"


def test_comments_are_no_cause_and_code_that_made_the_same_rows_is_none(complete, checkout):
    for name, comment in (
        ("scripts/metrics/fairness.py", "# More.\n"),
        ("scripts/tables/solo.sql", "-- More.\n"),
    ):
        (checkout / name).write_text(comment + (checkout / name).read_text())
    assert [] == [*other_code(complete, root=checkout)]
    (checkout / "scripts/extract/captures.py").write_text("")
    (checkout / "scripts/extract/added.py").write_text("")
    (checkout / "scripts/metrics/qoe.py").unlink()
    assert [
        "scripts/metrics/qoe.py is missing here, and is in the source of the snapshot",
        "scripts/extract/added.py is not in the source of the snapshot",
    ] == [f"{file} {detail}" for file, detail in other_code(complete, root=checkout)][:2]
    assert ["scripts/metrics/qoe.py"] == [
        str(file) for file, _ in other_code(complete, ["scripts/extract"], checkout)
    ]


def test_all_code_that_results_are_made_with_is_compared():
    modules = ("extract.extract_trial", "extract.published_trial", "tables.measured_trial", "tables.cycle")
    made_with = code_of(
        *(f"scripts.{name}" for name in (*modules, "charts.cycle_files", "charts.trial_charts"))
    )
    folders = {file.rpartition("/")[0] for file in made_with}
    assert set() == {folder for folder in folders if not folder.startswith(CODE)}


def test_another_line_of_code_is_the_first_cause_of_other_rows(snapshot, rebuilt, monkeypatch):
    archived = code_archive.read_source(snapshot)
    for name in ("scripts/tables/pairs.sql", "scripts/extract/captures.py"):
        archived[name] = b"another line"
    monkeypatch.setattr(code_archive, "read_source", lambda folder: archived)
    change(rebuilt / "tables/pairs.parquet", "n", 99, {"incumbent": "iperf-bbr", "contender": "iperf-cubic"})
    found = compare(snapshot, rebuilt, files(snapshot, rebuilt))
    assert ["code", "cycle rows"] == [one.stage for one in found], "the rows of trials are the same"
    assert "the first input that differs: scripts/tables/pairs.sql: line " in verdict(found)
    change(rebuilt / "tables/trial_services.parquet", "arrived_packets", 1, ROW)
    cause = first_cause(compare(snapshot, rebuilt, files(snapshot, rebuilt)))
    assert "scripts/extract/captures.py" == str(cause.file)


def test_another_python_and_other_packages_are_named(snapshot):
    assert [] == [*other_environment(snapshot)]
    environment = json.loads((snapshot / "environment.json").read_text())
    environment["builder"]["python"] = "3.10.1"
    (snapshot / "environment.json").write_text(json.dumps(environment))
    lock = snapshot / "requirements.lock"
    version = pa.__version__
    lock.write_text(lock.read_text().replace(f"pyarrow=={version}", "pyarrow==1.0") + "absent==2.0 \\\n")
    first, second = other_environment(snapshot)
    assert str(first[0]) == "environment.json"
    assert first[1].endswith(" here, 3.10.1 in the snapshot")
    assert (PurePosixPath("requirements.lock"), f"pyarrow {version} here, 1.0 in the snapshot") == second
