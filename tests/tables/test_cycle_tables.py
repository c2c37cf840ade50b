"""A cycle's tables from those of its trials."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.extract.extract_trial import extract
from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from scripts.tables import cycle_tables, database
from scripts.tables.cycle import main
from scripts.tables.cycle_tables import PER_TRIAL, SUMMARIES, build_cycle, build_equivalence
from scripts.tables.table_list import OPTIONAL, every_table
from scripts.tables.table_schema import load_schema
from scripts.tables.trial_tables import build_trial
from tests.extract.synthetic import example_trial
from tests.tables.campaigns import REFERENCE, campaign, service, write_campaign
from tests.tables.test_trial_tables import VALIDITY

TABLES = (*PER_TRIAL, *SUMMARIES)
CAMPAIGN = campaign(service("iperf-bbr"), service("iperf-cubic"), validity=VALIDITY)


def video(report, mbps):
    """A video of one rung, with a stall in the first second of the window."""
    switch = {"at_s": 0.5, "bitrate_bps": mbps * 1_000_000, "height": 360}
    facts = {"received_bytes": 9, "startup_s": 1.0, "stalls": [[2.0, 3.0]], "switches": [switch]}
    return facts | {"since_ns": report["start_ns"], "frames": {"shown": 9, "dropped": 0}}


@pytest.fixture(scope="module")
def trials(tmp_path_factory):
    """Three trials of one pair, unsorted; trial 10 is invalid."""
    root = tmp_path_factory.mktemp("cycle")
    config = write_campaign(root / "config.json", CAMPAIGN)
    folders = []
    for number in (2, 10, 1):
        trial = example_trial()
        report = trial.report()
        if number == 10:
            report["host"]["cpu_pressure_fraction"] = 0.9
        folder = root / f"{number:02d}"
        written = trial.write(folder / "trial", trial=number, host=report["host"], programs={})
        (written / "qoe.json").write_text(json.dumps({"c1": video(report, number)}))
        extract(written, folder)
        build_trial(folder, folder, config)
        folders.append(folder)
    return folders


def test_trials_are_in_the_order_of_their_numbers(trials, tmp_path):
    build_cycle(trials, tmp_path, CAMPAIGN)
    services = pq.read_table(tmp_path / "trial_services.parquet").to_pylist()
    assert [(row["trial"], row["client"]) for row in services] == [
        (1, "c1"),
        (1, "c2"),
        (2, "c1"),
        (2, "c2"),
        (10, "c1"),
        (10, "c2"),
    ]
    assert pq.read_metadata(tmp_path / "trial_series.parquet").num_rows == 600


def test_an_invalid_trial_is_left_out_and_counted(trials, tmp_path):
    build_cycle(trials, tmp_path, CAMPAIGN)
    first = pq.read_table(tmp_path / "pairs.parquet").to_pylist()[0]
    assert tuple(first[name] for name in ("incumbent", "contender", "n", "excluded", "trials")) == (
        "iperf-bbr",
        "iperf-cubic",
        2,
        1,
        "1,2",
    )
    assert pytest.approx((4.0, 153_800 * 8 / 6e6 / 4, None)) == (
        first["allocation_mbps"],
        first["share_median"],
        first["share_low"],
    )


def test_the_quality_of_a_video_is_summarised_over_the_valid_trials(trials, tmp_path):
    build_cycle(trials, tmp_path, CAMPAIGN)
    bitrate, stalled, startup = pq.read_table(tmp_path / "qoe_pairs.parquet").to_pylist()
    keys = {"setting": "8mbps", "service": "iperf-bbr", "contender": "iperf-cubic", "instance": "first"}
    rest = {"n": 2, "low": None, "high": None, "trials": "1,2", "censored": 0, "at_least": None}
    assert (
        keys
        | rest
        | {
            "metric": "video_bitrate_kbps",
            "median": 1500.0,
            "q1": 1250.0,
            "q3": 1750.0,
        }
        == bitrate
    )
    assert keys | rest | dict.fromkeys(("median", "q1", "q3"), 1.0) | {"metric": "video_stalled_s"} == stalled
    assert ("video_startup_s", 2, 0) == (startup["metric"], startup["n"], startup["censored"])
    assert 10 * 3 == pq.read_metadata(tmp_path / "qoe_video_series.parquet").num_rows


def test_the_order_of_the_list_changes_no_byte(trials, tmp_path):
    for name, order in (("first", trials), ("second", trials[::-1])):
        build_cycle(order, tmp_path / name, CAMPAIGN)
    for table in TABLES:
        for kind in ("parquet", "csv"):
            found = {(tmp_path / name / f"{table}.{kind}").read_bytes() for name in ("first", "second")}
            assert len(found) == 1, f"{table}.{kind}"


def test_the_number_of_trials_held_at_once_changes_no_byte(trials, tmp_path, monkeypatch):
    build_cycle(trials, tmp_path / "all", CAMPAIGN)
    monkeypatch.setattr(cycle_tables, "TRIALS_AT_ONCE", 1)
    build_cycle(trials, tmp_path / "each", CAMPAIGN)
    for path in sorted((tmp_path / "all").iterdir()):
        assert path.read_bytes() == (tmp_path / "each" / path.name).read_bytes(), path.name


def test_the_first_cycle_has_no_changes_and_an_equal_second_cycle_no_significant_ones(trials, tmp_path):
    build_cycle(trials, tmp_path / "first", CAMPAIGN)
    assert pq.read_metadata(tmp_path / "first/changes.parquet").num_rows == 0
    build_cycle(trials, tmp_path / "second", CAMPAIGN, tmp_path / "first/trial_services.parquet")
    changes = pq.read_table(tmp_path / "second/changes.parquet").to_pylist()
    assert [(row["control"], row["difference_mbps"], row["changed"]) for row in changes] == [
        (True, 0, False)
    ] * 2


def test_two_threads_write_the_same_bytes_as_one(trials, tmp_path, monkeypatch):
    for threads in (1, 2):
        monkeypatch.setattr(database, "THREADS", threads)
        build_cycle(trials, tmp_path / str(threads), CAMPAIGN)
    for path in sorted((tmp_path / "1").iterdir()):
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes(), path.name


def test_the_csv_reads_back_as_the_table(trials, tmp_path):
    build_cycle(trials, tmp_path, CAMPAIGN)
    lines = (tmp_path / "trial_services.csv").read_text().splitlines()
    assert len(lines) == 7
    assert (
        '"8mbps","iperf-bbr~iperf-cubic",1,"c1","iperf-bbr","iperf-cubic",2,false,"completed",true,,,"bbr",8,6,2,8,125'
        in lines[1]
    )


def test_a_trial_listed_twice_is_refused(trials, tmp_path):
    with pytest.raises(UserError, match="is the same trial as"):
        build_cycle([*trials, trials[0]], tmp_path, CAMPAIGN)


def write_cycle(folder, trials):
    """The plan of a cycle of these trials, and their rows."""
    (folder / "plan").mkdir(parents=True)
    write_campaign(folder / "plan/config.json", CAMPAIGN)
    lines = []
    for trial in trials:
        first = pq.read_table(trial / "validity.parquet").to_pylist()[0]
        key = TrialKey(first["setting"], first["pair"], first["trial"])
        lines.append(PlanLine(1, 1, key, 12))
        shutil.copytree(trial, folder / "rows" / key.path)
        shutil.copytree(trial / "trial", folder / "trials" / key.path)
    write_plan_table(lines, folder / "plan/plan.csv")
    return folder


def test_the_command_makes_every_table_of_a_planned_cycle(trials, tmp_path):
    cycle = write_cycle(tmp_path / "demo/cycle", trials)
    assert main([str(cycle)]) == 0
    tables = {path.name for path in (cycle / "tables").iterdir()}
    made = [table for table in every_table() if table not in OPTIONAL]
    assert {"cycle.json", *(f"{table}.{form}" for table in made for form in ("parquet", "csv"))} == tables
    assert (None, 3) == tuple(
        json.loads((cycle / "tables/cycle.json").read_text())[name]
        for name in ("compared_with", "trials_planned")
    )


def test_what_is_missing_is_an_error_in_one_line(trials, tmp_path, capsys):
    cycle = write_cycle(tmp_path / "demo/cycle", trials[:1])
    for name, problem in (
        ("rows/8mbps", "validity.parquet: is missing"),
        ("plan/plan.csv", "plan.csv: no such file"),
        ("plan/config.json", "config.json: cannot be read: No such file"),
    ):
        (cycle / name).rename(tmp_path / Path(name).name)
        assert main([str(cycle)]) == 2
        error = capsys.readouterr().err
        assert problem in error and error.count("\n") == 1


@pytest.fixture
def with_earlier(trials, tmp_path):
    """Builds the tables with an earlier cycle that the given function makes of this one's rows."""
    earlier = tmp_path / "trial_services.parquet"

    def build(change):
        pq.write_table(change(pq.read_table(trials[0] / "trial_services.parquet")), earlier)
        build_cycle([trials[2], trials[0]], tmp_path / "tables", CAMPAIGN, earlier)

    return build


def test_an_earlier_cycle_without_columns_that_were_added_since_is_compared(with_earlier, tmp_path):
    changes = []
    for lacking in ([], ["queueing_delay_p99_ms", "rtt_ms"]):
        with_earlier(lambda rows, names=lacking: rows.drop(names))
        changes.append((tmp_path / "tables/changes.parquet").read_bytes())
    assert changes[0] == changes[1]
    assert pq.read_table(tmp_path / "tables/changes.parquet").num_rows == 2


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda rows: rows.drop(["instance", "valid"]), "has no column instance, valid; build the tables"),
        (
            lambda rows: rows.append_column("newer", rows["trial"]),
            "does not know the columns newer int32; use",
        ),
        (
            lambda rows: rows.set_column(2, "trial", rows["trial"].cast("int64")),
            "does not know the columns trial int64; use",
        ),
    ],
)
def test_an_earlier_cycle_that_cannot_be_compared_is_refused_with_the_columns(with_earlier, change, problem):
    with pytest.raises(UserError, match=problem):
        with_earlier(change)


@pytest.fixture
def of_both(tmp_path):
    """The rows of two cycles of a service alone: 7.6 Mbps over BESS, 7.9 Mbps over the embedded switch."""
    paths = {}
    for backend, throughput_mbps in (("bess", 7.6), ("embedded", 7.9)):
        trials = [
            {
                "setting": "8mbps",
                "pair": "iperf-bbr",
                "trial": trial,
                "service": "iperf-bbr",
                "contender": "",
                "clients": 1,
                "valid": True,
                "instance": "first",
                "throughput_mbps": throughput_mbps,
            }
            for trial in range(6)
        ]
        paths[backend] = tmp_path / f"{backend}.parquet"
        pq.write_table(
            pa.Table.from_pylist(trials, schema=load_schema("trial_services").arrow), paths[backend]
        )
    return paths


@pytest.mark.parametrize(("margin_mbps", "verdict"), [(0.5, "equivalent"), (0.1, "different")])
def test_the_margin_is_the_precision_of_the_setting(of_both, tmp_path, margin_mbps, verdict):
    settings = {"8mbps": replace(REFERENCE.settings["8mbps"], precision_mbps=margin_mbps)}
    build_equivalence(of_both, replace(REFERENCE, settings=settings), tmp_path)
    (row,) = pq.read_table(tmp_path / "equivalence.parquet").to_pylist()
    assert (row["margin_mbps"], row["verdict"]) == (margin_mbps, verdict)
    assert (tmp_path / "equivalence.csv").is_file()
