"""A cycle's tables from those of its trials."""

import json
import shutil

import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.extract.extract_trial import extract
from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from scripts.tables import cycle_tables, database
from scripts.tables.cycle_tables import PER_TRIAL, SUMMARIES, build_cycle, build_summaries, main
from scripts.tables.trial_tables import build_trial
from tests.extract.synthetic import example_trial
from tests.tables.campaigns import campaign, service, write_campaign
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
        written = trial.write(folder / "trial", trial=number, host=report["host"])
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


def test_the_command_finds_the_trials_of_a_plan(trials, tmp_path, capsys):
    plan, rows = tmp_path / "plan.csv", tmp_path / "rows"
    config = write_campaign(tmp_path / "config.json", CAMPAIGN)
    options = ["--config", str(config), "-o", str(tmp_path / "tables")]
    lines = []
    for folder in trials:
        first = pq.read_table(folder / "validity.parquet").to_pylist()[0]
        key = TrialKey(first["setting"], first["pair"], first["trial"])
        lines.append(PlanLine(1, 1, key, 12))
        shutil.copytree(folder, rows / key.path)
    write_plan_table(lines, plan)
    assert main([str(plan), "--rows", str(rows), *options]) == 0
    assert main([str(tmp_path / "absent"), "--rows", str(rows), *options]) == 2
    assert "absent: no such file" in capsys.readouterr().err
    assert main([str(plan), "--rows", str(rows), *options, "--earlier", str(tmp_path / "absent")]) == 2
    assert "absent: no such file" in capsys.readouterr().err
    assert main([str(plan), "--rows", str(tmp_path / "nowhere"), *options]) == 2
    assert "validity.parquet: is missing" in capsys.readouterr().err


@pytest.fixture
def with_earlier(trials, tmp_path):
    """Builds the tables with an earlier cycle that the given function makes of this one's rows."""
    config = write_campaign(tmp_path / "config.json", CAMPAIGN)
    rows, earlier = tmp_path / "rows", tmp_path / "trial_services.parquet"
    keys = [TrialKey("8mbps", "iperf-bbr~iperf-cubic", number) for number in (1, 2)]
    for folder, key in zip((trials[2], trials[0]), keys, strict=True):
        shutil.copytree(folder, rows / key.path)
    write_plan_table([PlanLine(1, 1, key, 12) for key in keys], tmp_path / "plan.csv")

    def build(change):
        pq.write_table(change(pq.read_table(rows / keys[0].path / "trial_services.parquet")), earlier)
        words = [str(tmp_path / "plan.csv"), "--rows", str(rows), "--config", str(config)]
        return main([*words, "-o", str(tmp_path / "tables"), "--earlier", str(earlier)])

    return build


def test_an_earlier_cycle_without_columns_that_were_added_since_is_compared(with_earlier, tmp_path):
    changes = []
    for lacking in ([], ["queueing_delay_p99_ms", "rtt_ms"]):
        assert with_earlier(lambda rows, names=lacking: rows.drop(names)) == 0
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
def test_an_earlier_cycle_that_cannot_be_compared_is_refused_with_the_columns(
    with_earlier, capsys, change, problem
):
    assert with_earlier(change) == 2
    assert problem in capsys.readouterr().err


def test_hosts_are_not_compared_by_rows_from_before_they_had_names(trials, tmp_path):
    build_cycle(trials, tmp_path, CAMPAIGN)
    path = tmp_path / "trial_services.parquet"
    pq.write_table(pq.read_table(path).drop(["host", "kernel", "switch"]), path)
    build_summaries(tmp_path, CAMPAIGN, only=["hosts"])
    assert 0 == pq.read_table(tmp_path / "hosts.parquet").num_rows
