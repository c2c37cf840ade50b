"""A lean snapshot has rows and pictures without captures, says what it lacks, and a cycle goes on from it."""

import json
import shutil
from pathlib import Path, PurePosixPath

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.model.plan_file import PlanLine, read_plan, write_plan_table
from scripts.model.trials import TrialKey
from scripts.plan.registration import read_registration, register
from scripts.snapshot import lean as freezing
from scripts.snapshot import reproduce as reproduction
from scripts.snapshot.__main__ import main
from scripts.snapshot.absent import verify_checksums
from scripts.snapshot.checksums import files_of, write_checksums
from scripts.snapshot.choice import Choice
from scripts.snapshot.code_archive import SOURCE_ARCHIVE, CommitError, files_of_commit
from scripts.snapshot.identity import Incomplete, read_identity
from scripts.snapshot.lean import FEW_BYTES, drop_code, freeze_lean, put_in_place, refuse_existing
from scripts.snapshot.lean_format import group_of, left_out_file, read_left_out, write_left_out
from scripts.snapshot.lean_trials import lean_rows
from scripts.snapshot.part import CYCLE_LEVEL, ROWS
from scripts.snapshot.reproduce import reproduce
from scripts.snapshot.resume import resume
from scripts.snapshot.source import Folder
from scripts.snapshot.verify import verify
from scripts.tables.resumed_rows import completed
from scripts.tables.table_schema import load_schema
from tests.bench.generated_snapshot import CAMPAIGN, CYCLE
from tests.snapshot.measured_cell import measured_trial
from tests.snapshot.partial import UNSIGNED
from tests.tables.campaigns import campaign, service, write_campaign

KEYS = [TrialKey("8mbps", pair, number) for pair, number in (("a", 1), ("b", 1), ("a~b", 1), ("a~b", 2))]
LAST, NAME, SECONDS = KEYS[-1], f"{CAMPAIGN}-{CYCLE}", 6
COMMIT = "0123456789abcdef0123456789abcdef01234567"
PARTS = ("trials", "published", "parquet", "rows")

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module", autouse=True)
def scratch(tmp_path_factory):
    """The code is a commit without changes, and rebuilds work in a folder of their own."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(freezing, "commit_of_code", lambda: COMMIT)
        patched.setattr(reproduction, "SCRATCH", tmp_path_factory.mktemp("rebuilt"))
        yield


@pytest.fixture(scope="module")
def cycle(tmp_path_factory) -> Path:
    """A complete cycle of four trials."""
    folder = tmp_path_factory.mktemp("first") / CAMPAIGN / CYCLE
    (folder / "plan").mkdir(parents=True)
    services = campaign(service("a"), service("b"), precision_mbps={"8mbps": 0.5})
    config = write_campaign(folder / "plan/config.json", services)
    for key in KEYS:
        measured_trial(key, SECONDS, config, folder)
        specification = folder / "plan/specs" / key.path.with_suffix(".json")
        specification.parent.mkdir(parents=True, exist_ok=True)
        specification.write_text("{}")
    (folder / "raw").rename(folder / "trials")
    lines = [PlanLine(order, 1, key, SECONDS) for order, key in enumerate(KEYS, start=1)]
    write_plan_table(lines, folder / "plan/round-01.csv")
    write_plan_table(lines, folder / "plan/plan.csv")
    register(folder / "plan")
    return folder


@pytest.fixture(scope="module")
def interrupted(cycle, tmp_path_factory) -> Path:
    """The same cycle before its last trial."""
    folder = tmp_path_factory.mktemp("interrupted") / CAMPAIGN / CYCLE
    shutil.copytree(cycle, folder)
    (folder / "plan/plan.csv").unlink()
    for part in PARTS:
        shutil.rmtree(folder / part / LAST.path)
    return folder


@pytest.fixture(scope="module")
def half(interrupted, tmp_path_factory) -> Path:
    """The lean snapshot of the interrupted cycle."""
    freeze_lean(interrupted, snapshot := tmp_path_factory.mktemp("half") / NAME)
    return snapshot


@pytest.fixture(scope="module")
def once(cycle, tmp_path_factory) -> Path:
    """The lean snapshot of the cycle that was measured in one run."""
    freeze_lean(cycle, snapshot := tmp_path_factory.mktemp("once") / NAME)
    return snapshot


@pytest.fixture(scope="module")
def resumed(half, cycle, tmp_path_factory) -> Path:
    """The cycle that went on from `half`: only its last trial was measured there."""
    resume(half, folder := tmp_path_factory.mktemp("second") / CAMPAIGN / CYCLE)
    for part in PARTS:
        shutil.copytree(cycle / part / LAST.path, folder / part / LAST.path)
    shutil.copyfile(cycle / "plan/plan.csv", folder / "plan/plan.csv")
    return folder


@pytest.fixture(scope="module")
def twice(resumed, tmp_path_factory) -> Path:
    """The lean snapshot of the cycle that was measured in two runs."""
    snapshot = tmp_path_factory.mktemp("twice") / NAME
    assert main(["freeze", str(resumed), "-o", str(snapshot)]) == 0
    return snapshot


def test_it_has_rows_pictures_and_records_and_nothing_else(once):
    forms = {(path.parts[0], path.suffix) for path in files_of(once) if len(path.parts) > 1}
    assert forms == {
        *(("plan", suffix) for suffix in (".json", ".jsonl", ".csv")),
        *(("tables", suffix) for suffix in (".parquet", ".json")),
        *(("charts", suffix) for suffix in (".svg", ".json")),
        ("trials", ".json"),
    }
    assert [PurePosixPath("charts/trials/chosen.json")] == [
        path for path in files_of(once) if path.parts[0] == "charts" and path.suffix == ".json"
    ]
    assert {"trial.json"} == {path.name for path in (once / "trials").glob("*/*/*/*")}
    assert sum((once / path).stat().st_size for path in files_of(once)) < FEW_BYTES


def test_what_is_left_out_has_size_checksum_and_reason(once, cycle):
    absent, there = read_left_out(once).by_path, {path.as_posix() for path in files_of(once)}
    assert not absent.keys() & there
    published = cycle / "published"
    expected = {
        f"trials/{path.relative_to(published)}": path.stat().st_size
        for path in published.glob("*/*/*/*")
        if path.name != "trial.json"
    }
    of_trials = {name: file.bytes for name, (file, _) in absent.items() if name.startswith("trials/")}
    assert expected == of_trials
    assert f"code: commit {COMMIT} has it" == absent[SOURCE_ARCHIVE][1]
    packets = [one for one in read_left_out(once).groups if one.reason.startswith("packets as Parquet")]
    assert [6 * len(KEYS)] == [one.count for one in packets]


@pytest.mark.parametrize("commit", [None, f"{COMMIT}+"])
def test_the_code_stays_if_no_commit_has_it(tmp_path, commit):
    assert [] == drop_code(tmp_path, commit)
    assert {SOURCE_ARCHIVE, "requirements.lock"} == {path.name for path in tmp_path.iterdir()}


def test_a_cycle_that_is_not_complete_says_so_and_has_no_verdict(half):
    assert Incomplete(3, 4) == read_identity(half).incomplete
    assert KEYS[:-1] == [line.key for line in read_plan(half / "plan/plan.csv")]
    assert KEYS == [line.key for line in read_plan(half / "plan/round-01.csv")]
    pairs = pq.read_table(half / "tables/pairs.parquet").to_pylist()
    assert {(None, True)} == {(row["verdict"], row["provisional"]) for row in pairs}


def test_a_cycle_in_two_runs_gives_the_tables_of_one_in_one_run(once, twice):
    for table in (*ROWS, *CYCLE_LEVEL):
        if (once / f"tables/{table}.parquet").is_file():
            one, two = (pq.read_table(folder / f"tables/{table}.parquet") for folder in (once, twice))
            assert one.equals(two), table


def test_each_run_keeps_its_own_reason(twice):
    groups = [one for one in read_left_out(twice).groups if one.of_trials and one.files]
    assert [3, 1] == [len({PurePosixPath(file.path).parent for file in one.files}) for one in groups]
    assert [f"of {count} trials" in one.reason for count, one in zip((3, 1), groups, strict=True)] == [
        True
    ] * 2


@pytest.mark.parametrize("state", ["half", "twice"])
def test_tables_and_charts_follow_from_its_rows(state, request):
    snapshot = request.getfixturevalue(state)
    told, same = reproduce(str(snapshot), Choice(), UNSIGNED)
    assert same
    assert "identical" in told
    assert "not rebuilt, because they follow from captures, which were left out: " in told


def test_another_value_is_found(once, tmp_path):
    shutil.copytree(once, tmp_path / NAME)
    path = tmp_path / NAME / "tables/trial_services.parquet"
    rows = pq.read_table(path)
    place = rows.column_names.index("wire_rate_mbps")
    pq.write_table(rows.set_column(place, "wire_rate_mbps", pa.array([4.0] * rows.num_rows)), path)
    with pytest.raises(UserError, match=r"trial_services\.parquet: does not match SHA256SUMS"):
        reproduce(str(tmp_path / NAME), Choice(table="pairs"), UNSIGNED)


def test_a_file_that_is_there_cannot_be_left_out(once, tmp_path):
    """A rebuild compares no file that was left out, so a table would escape it."""
    made, table = tmp_path / NAME, "tables/pairs.parquet"
    shutil.copytree(once, made)
    groups = [*read_left_out(made).groups, group_of("hidden", [left_out_file(made / table, Path(table))])]
    write_left_out(made, groups)
    write_checksums(made)
    with pytest.raises(UserError, match=r"left_out\.json names tables/pairs\.parquet, which SHA256SUMS has"):
        verify(Folder(made), UNSIGNED)
    _, same = reproduce(str(made), Choice(table="pairs"), UNSIGNED)
    assert same, "it is compared all the same"


def test_a_commit_is_no_option_of_git(tmp_path):
    with pytest.raises(CommitError, match="without a name that git gives"):
        files_of_commit(f"--output={tmp_path / 'emptied'}")
    assert [] == [*tmp_path.iterdir()]


def test_captures_cannot_be_asked_for(once):
    with pytest.raises(UserError, match=r"is lean: the captures were left out \(left_out\.json\)"):
        reproduce(str(once), Choice(start="captures"), UNSIGNED)


def test_verify_tells_what_is_left_out(half, capsys):
    assert main(["verify", str(half), "--allow", "unsigned"]) == 0
    told = capsys.readouterr().out
    assert "not complete: 3 of 4 trials planned so far" in told
    assert "were left out (left_out.json)" in told


def test_no_description_lists_a_file_that_is_not_there(once):
    described = json.loads((once / "datapackage.json").read_text())["resources"]
    assert all((once / one["path"]).is_file() for one in described)
    sets = json.loads((once / "croissant.json").read_text())["distribution"]
    assert ["trial-records"] == [one["@id"] for one in sets if one["@type"] == "cr:FileSet"]


def test_a_resumed_cycle_has_its_registration_and_the_trials_of_before(resumed, interrupted):
    assert read_registration(interrupted / "plan") == read_registration(resumed / "plan")
    assert CYCLE == (resumed.parent / "current-cycle").read_text().strip()
    assert len(KEYS) == len(list(resumed.glob("trials/*/*/*/trial.json")))
    assert len(KEYS) - 1 == len(list(resumed.glob("stamps/*/*/*")))


@pytest.mark.parametrize(
    ("folder", "problem"),
    [(f"{CAMPAIGN}/{CYCLE}", "exists already"), ("other/name", "cannot be the folder of this cycle")],
)
def test_a_cycle_is_not_resumed_in_a_wrong_place(half, tmp_path, folder, problem):
    (tmp_path / CAMPAIGN / CYCLE).mkdir(parents=True)
    with pytest.raises(UserError, match=problem):
        resume(half, tmp_path / folder)


def test_an_interrupted_resume_leaves_nothing(half, tmp_path, monkeypatch):
    monkeypatch.setattr("scripts.snapshot.resume.write_resumed_rows", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        resume(half, tmp_path / CAMPAIGN / CYCLE)
    assert [] == list((tmp_path / CAMPAIGN).iterdir())


def test_a_damaged_snapshot_is_not_resumed(half, tmp_path):
    shutil.copytree(half, tmp_path / NAME)
    (tmp_path / NAME / "plan/config.json").write_text("{}")
    with pytest.raises(UserError, match="does not match SHA256SUMS"):
        resume(tmp_path / NAME, tmp_path / CAMPAIGN / CYCLE)


def test_a_later_state_of_the_cycle_replaces_an_incomplete_one(half, once, twice, tmp_path):
    there, made = tmp_path / NAME, tmp_path / "made"
    shutil.copytree(half, there)
    shutil.copytree(twice, made)
    refuse_existing(there)
    put_in_place(made, there, tmp_path)
    assert read_identity(there).incomplete is None
    assert verify_checksums(there) == len(files_of(there))
    with pytest.raises(UserError, match="exists already and is never changed"):
        freeze_lean(once, there)


def test_a_state_that_lacks_a_trial_replaces_nothing(half, twice, tmp_path):
    there, made = tmp_path / NAME, tmp_path / "made"
    shutil.copytree(half, there)
    shutil.copytree(twice, made)
    shutil.rmtree(made / "trials" / KEYS[0].path)
    with pytest.raises(UserError, match=r"has 1 trials that .* lacks, so it is not replaced"):
        put_in_place(made, there, tmp_path)
    assert verify_checksums(there) == len(files_of(there))


def test_a_cycle_without_trials_is_not_frozen(interrupted, tmp_path):
    shutil.copytree(interrupted / "plan", tmp_path / CAMPAIGN / CYCLE / "plan")
    with pytest.raises(UserError, match="has no measured trial yet"):
        freeze_lean(tmp_path / CAMPAIGN / CYCLE, tmp_path / NAME)
    assert not (tmp_path / NAME).exists()


def test_the_series_of_a_complete_cycle_is_by_seconds(cycle):
    series, services = rows_of(cycle, KEYS[2], "trial_series"), rows_of(cycle, KEYS[2], "trial_services")
    lean = lean_rows("trial_series", series, services, complete=True)
    second, row = series.slice(20, 10).to_pydict(), lean.slice(2, 1).to_pylist()[0]
    assert (20, 2.0) == (row["slot"], row["time_s"])
    assert sum(second["ip_bytes"]) == row["ip_bytes"] == pytest.approx(row["throughput_mbps"] * 1e6 / 8)
    assert sum(second["dropped_packets"]) == row["dropped_packets"]
    delays = [delay for delay in second["queueing_delay_mean_ms"] if delay is not None]
    assert row["queueing_delay_mean_ms"] == pytest.approx(sum(delays) / len(delays), abs=0.05)
    assert max(second["backlog_packets_max"]) == row["backlog_packets_max"]
    assert [SECONDS, SECONDS] == [lean["client"].to_pylist().count(client) for client in ("c1", "c2")]
    assert lean_rows("trial_series", lean, services, complete=True) == lean


def test_while_a_cycle_goes_on_its_series_keeps_the_slots_of_the_steady_window(cycle):
    series, services = rows_of(cycle, KEYS[2], "trial_series"), rows_of(cycle, KEYS[2], "trial_services")
    lean = lean_rows("trial_series", series, services, complete=False)
    (first,), (last,) = (set(services[name].to_pylist()) for name in ("window_start_s", "window_stop_s"))
    inside = (pc.field("time_s") >= first) & (pc.field("time_s") < last)
    for column in ("client", "slot", "ip_bytes", "dropped_packets"):
        assert series.filter(inside)[column] == lean.filter(inside)[column]
    assert lean.num_rows < series.num_rows
    whole = lean_rows("trial_series", series, services, complete=True)
    assert whole == lean_rows("trial_series", lean, services, complete=True)
    assert lean == lean_rows("trial_series", lean, services, complete=False)


def test_nothing_is_kept_by_slots_of_a_service_alone(cycle):
    series, services = rows_of(cycle, KEYS[0], "trial_series"), rows_of(cycle, KEYS[0], "trial_services")
    assert SECONDS == lean_rows("trial_series", series, services, complete=False).num_rows


@pytest.mark.parametrize(
    ("counting", "complete", "kept"),
    [([1, 2], True, [1, 2]), ([1], True, [1]), ([1], False, [1, 2]), ([], True, [1, 2])],
)
def test_a_complete_cycle_has_no_series_of_trials_that_do_not_count(cycle, counting, complete, kept):
    """Unless none of the cell counts."""
    series, services = (
        pa.concat_tables(
            with_values(rows_of(cycle, KEYS[2], table), trial=number, valid=number in counting)
            for number in (1, 2)
        )
        for table in ("trial_series", "trial_services")
    )
    assert kept == lean_rows("trial_series", series, services, complete)["trial"].unique().to_pylist()


def with_values(rows, **values):
    """Rows with the same value in every row of these columns, as far as the table has them."""
    return pa.Table.from_pylist(
        [row | {name: value for name, value in values.items() if name in row} for row in rows.to_pylist()],
        schema=rows.schema,
    )


def rows_of(cycle, key, table):
    return pq.read_table(cycle / "rows" / key.path / f"{table}.parquet")


def test_k_is_that_of_slots_of_100_ms_however_often_the_cycle_was_frozen(once, twice, tmp_path):
    freeze_lean(once, tmp_path / NAME)
    before, again, resumed = (
        pq.read_table(snapshot / "tables/trial_fmp.parquet") for snapshot in (once, tmp_path / NAME, twice)
    )
    assert before.num_rows and before == again == resumed


def test_columns_that_are_newer_than_the_snapshot_are_null():
    schema = load_schema("trial_series")
    older = schema.arrow.empty_table().drop_columns(["backlog_packets_max"])
    assert schema.arrow == completed(older, Path("tables/trial_series.parquet")).schema
    with pytest.raises(UserError, match="lacks the columns ip_bytes; use the version of the observatory"):
        completed(older.drop_columns(["ip_bytes"]), Path("tables/trial_series.parquet"))


def test_as_one_file_it_is_verified_rebuilt_resumed_and_replaced(
    interrupted, half, resumed, tmp_path, capsys
):
    file, folder = tmp_path / f"{NAME}.tar.zst", tmp_path / CAMPAIGN / CYCLE
    assert main(["freeze", str(interrupted), "--lean", "-o", str(file)]) == 0
    assert file.stat().st_size < sum((half / path).stat().st_size for path in files_of(half)) / 2
    assert main(["verify", str(file), "--allow", "unsigned"]) == 0
    assert main(["verify", str(file)]) == 2
    assert f"{file}/SHA256SUMS.sig: is missing" in capsys.readouterr().err
    assert main(["resume", str(file), str(folder)]) == 0
    assert main(["freeze", str(resumed), "--lean", "-o", str(file)]) == 0
    assert "frozen" in capsys.readouterr().out.splitlines()[-1]
    assert main(["unpack", str(file), "-o", str(tmp_path / "archive")]) == 0
    assert read_identity(tmp_path / "archive" / NAME).incomplete is None
    assert main(["freeze", str(resumed), "--lean", "-o", str(file)]) == 2
    assert "exists already and is never changed" in capsys.readouterr().err
