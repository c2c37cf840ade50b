"""The extraction of a complete trial directory."""

import json

import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.extract.__main__ import main
from scripts.extract.extract_trial import TABLES, extract
from tests.extract.synthetic import SECOND, example_trial, queue_log, write_compressed


def tables(folder):
    return {name: pq.read_table(folder / f"{name}.parquet") for name in TABLES}


def test_every_packet_and_record_is_extracted_once(tmp_path):
    trial = example_trial()
    extract(trial.write(tmp_path / "trial"), tmp_path / "out")
    found = tables(tmp_path / "out")
    assert len(trial.packets(1)) + len(trial.packets(2)) == found["packets"].num_rows
    assert [time for number in (1, 2) for time, _ in trial.packets(number)] == found["packets"][
        "time_ns"
    ].to_pylist()
    assert len(trial.downlink) == found["queue"].num_rows
    assert found["queue"]["departure_ns"].null_count == 25
    assert [(row["client"], row["flow"]) for row in found["flows"].to_pylist()] == [("c1", 0), ("c2", 1)]


def test_clients_have_their_contenders_and_the_bottlenecks_counters(tmp_path):
    extract(example_trial().write(tmp_path / "trial"), tmp_path / "out")
    first, second = tables(tmp_path / "out")["clients"].to_pylist()
    assert (first["service"], first["contender"], first["clients"], first["self_pair"]) == (
        "iperf-bbr",
        "iperf-cubic",
        2,
        False,
    )
    assert tuple(first[f"{name}_packets"] for name in ("arrived", "forwarded", "dropped", "left")) == (
        126,
        101,
        25,
        0,
    )
    assert (
        second["forwarded_packets"],
        second["cca"],
        second["clock_step_ns"],
        second["capture_status"],
    ) == (76, "cubic", 2000, "ok")


def test_the_same_trial_gives_the_same_bytes(tmp_path):
    trial = example_trial().write(tmp_path / "trial")
    for name in ("first", "second"):
        extract(trial, tmp_path / name)
    for table in TABLES:
        assert len({(tmp_path / name / f"{table}.parquet").read_bytes() for name in ("first", "second")}) == 1


def test_a_failed_trial_gives_its_clients_and_empty_tables(tmp_path):
    (tmp_path / "trial").mkdir()
    report = example_trial().report()
    known = ("schema", "campaign", "cycle", "setting", "pair", "trial", "link", "seed")
    clients = [
        {"client": client, "service": service, "address": None}
        for client, service in (("c1", "iperf-bbr"), ("c2", "iperf-cubic"))
    ]
    text = json.dumps(
        {name: report[name] for name in known}
        | {"status": "failed", "reason": "the switch broke", "clients": clients}
    )
    (tmp_path / "trial/trial.json").write_text(text)
    extract(tmp_path / "trial", tmp_path / "out")
    found = tables(tmp_path / "out")
    assert [found[name].num_rows for name in ("packets", "flows", "queue")] == [0, 0, 0]
    assert [
        (row["client"], row["reason"], row["capture_status"], row["start_ns"])
        for row in found["clients"].to_pylist()
    ][:1] == [("c1", "the switch broke", "missing", None)] * 1
    whole = example_trial().write(tmp_path / "whole")
    extract(whole, tmp_path / "whole-out")
    for name, table in tables(tmp_path / "whole-out").items():
        assert table.schema == found[name].schema


def test_a_failed_trial_may_have_damaged_files(tmp_path):
    trial = example_trial().write(tmp_path / "trial", status="failed", reason="killed")
    (trial / "client-c1.pcapng.zst").write_bytes(b"")
    for name in ("queue.bin.zst", "senders.jsonl.zst", "qoe.json"):
        (trial / name).write_bytes(b"")
    extract(trial, tmp_path / "out")
    found = tables(tmp_path / "out")
    assert found["clients"]["capture_status"].to_pylist() == ["corrupt", "ok"]
    assert [found[name].num_rows for name in ("queue", "senders", "qoe")] == [0, 0, 0]


@pytest.mark.parametrize("name", ["senders.jsonl.zst", "qoe.json"])
def test_an_observation_of_a_completed_trial_may_be_missing_but_not_damaged(tmp_path, name):
    trial = example_trial().write(tmp_path / "trial")
    extract(trial, tmp_path / "out")
    assert tables(tmp_path / "out")[name.split(".")[0]].num_rows == 0
    (trial / name).write_bytes(b"broken")
    with pytest.raises(UserError, match=name):
        extract(trial, tmp_path / "again")
    assert not list((tmp_path / "again").glob("*.parquet"))


def test_a_missing_capture_of_a_completed_trial_is_recorded(tmp_path):
    trial = example_trial().write(tmp_path / "trial")
    (trial / "client-c2.pcapng.zst").unlink()
    extract(trial, tmp_path / "out")
    assert tables(tmp_path / "out")["clients"]["capture_status"].to_pylist() == ["ok", "missing"]


def test_a_cut_last_record_is_left_out(tmp_path):
    trial = example_trial()
    folder = trial.write(tmp_path / "trial")
    for cut in (1, 51, 52):
        write_compressed(folder / "queue.bin.zst", queue_log(trial.records(), cut))
        extract(folder, tmp_path / "out")
        assert len(trial.downlink) - 1 == tables(tmp_path / "out")["queue"].num_rows


def test_log_values_without_a_meaning_become_null(tmp_path):
    folder = example_trial().write(tmp_path / "trial")
    records = [
        (SECOND, 0, SECOND, 4294967295, 0, 60, 0, 128, 9, 1, 2, 0),
        (SECOND, 2 * SECOND, 0, 0, 5, 60, 46, 0, 0, 4, 1, 0),
    ]
    write_compressed(folder / "queue.bin.zst", queue_log(records))
    extract(folder, tmp_path / "out")
    rows = tables(tmp_path / "out")["queue"].to_pylist()
    assert [
        (row["departure_ns"], row["flow"], row["tcp_seq"], row["verdict"], row["client"]) for row in rows
    ] == [(None, None, None, "tail", "c2"), (2 * SECOND, 0, 5, "marked", "c1")]


def test_a_packet_may_be_dropped_later_than_it_arrived(tmp_path):
    folder = example_trial().write(tmp_path / "trial")
    aqm = (SECOND, 0, SECOND + 7, 0, 5, 60, 46, 0, 0, 2, 1, 0)
    forwarded = (SECOND, 2 * SECOND, 0, 0, 6, 60, 46, 1, 60, 0, 1, 0)
    lost = (3 * SECOND, 0, 3 * SECOND, 0, 7, 60, 46, 0, 0, 5, 1, 0)
    write_compressed(folder / "queue.bin.zst", queue_log([aqm, forwarded, lost]))
    extract(folder, tmp_path / "out")
    queue = tables(tmp_path / "out")["queue"]
    assert queue["dropped_ns"].to_pylist() == [SECOND + 7, None, 3 * SECOND]
    assert queue["verdict"].to_pylist() == ["aqm", "forwarded", "lost_before"]
    assert queue["tcp_seq"].to_pylist() == [5, 6, 7]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("trial.json", b"{", "trial.json: is not valid JSON"),
        (
            "trial.json",
            b'{"schema": 2}',
            "trial.json: has version 2 of its format; this program reads",
        ),
        ("queue.bin.zst", b"something else entirely", "queue.bin.zst: is not a queue log"),
        ("queue.bin.zst", b"", "queue.bin.zst: is empty"),
        ("client-c1.pcapng.zst", b"", "client-c1.pcapng.zst: is empty"),
        ("flows.json", b"{}{", "flows.json: is not a list of flows"),
    ],
)
def test_a_damaged_file_is_named_and_no_table_is_written(tmp_path, capfd, file, content, message):
    trial = example_trial().write(tmp_path / "trial")
    (trial / file).write_bytes(content)
    assert main([str(trial), "-o", str(tmp_path / "out")]) == 2
    error = capfd.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert list((tmp_path / "out").glob("*")) + list((tmp_path / "out").glob(".*")) == []


@pytest.mark.parametrize("file", ["trial.json", "queue.bin.zst", "flows.json"])
def test_a_missing_file_is_named(tmp_path, file):
    trial = example_trial().write(tmp_path / "trial")
    (trial / file).unlink()
    with pytest.raises(UserError, match=file):
        extract(trial, tmp_path / "out")


def test_a_completed_trial_without_its_counters_is_an_error(tmp_path):
    trial = example_trial().write(tmp_path / "trial", bottleneck={})
    with pytest.raises(UserError, match=r"trial\.json: backend of client c1 is missing"):
        extract(trial, tmp_path / "out")
