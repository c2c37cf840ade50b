"""The samples of the senders' TCP state as rows."""

import json

import pytest
import zstandard

from scripts.base.errors import UserError
from scripts.extract.sender_samples import SENDERS_SCHEMA, senders_table

VALUES = {"int32": 7, "int64": 7, "double": 2.5, "string": "x"}
LINE = {
    name: VALUES[str(kind)] for name, kind in zip(SENDERS_SCHEMA.names, SENDERS_SCHEMA.types, strict=True)
}


def written(path, text):
    path.write_bytes(zstandard.compress(text.encode()))
    return path


def test_each_line_is_a_row_and_null_stays_null(tmp_path):
    lines = [LINE, LINE | {"time_ns": 8, "ssthresh_packets": None}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    table = senders_table(written(tmp_path / "senders.jsonl.zst", text))
    assert (SENDERS_SCHEMA, lines) == (table.schema, table.to_pylist())


def test_a_counter_that_an_older_trial_did_not_sample_is_null(tmp_path):
    older = {name: value for name, value in LINE.items() if name != "snd_wnd_bytes"}
    table = senders_table(written(tmp_path / "senders.jsonl.zst", json.dumps(older) + "\n"))
    assert [LINE | {"snd_wnd_bytes": None}] == table.to_pylist()


def test_the_state_of_bbr_is_null_under_another_congestion_control(tmp_path):
    state = {name: value for name, value in LINE.items() if name.startswith("bbr_")}
    assert ["bbr_bandwidth_bytes_per_s", "bbr_min_rtt_us", "bbr_pacing_gain", "bbr_cwnd_gain"] == [*state]
    cubic = {name: value for name, value in LINE.items() if name not in state}
    text = json.dumps(LINE) + "\n" + json.dumps(cubic) + "\n"
    table = senders_table(written(tmp_path / "senders.jsonl.zst", text))
    assert [LINE, LINE | dict.fromkeys(state)] == table.to_pylist()


def test_a_trial_without_samples_has_no_rows(tmp_path):
    assert SENDERS_SCHEMA.empty_table() == senders_table(tmp_path / "senders.jsonl.zst")
    assert SENDERS_SCHEMA.empty_table() == senders_table(written(tmp_path / "senders.jsonl.zst", ""))


@pytest.mark.parametrize("text", ["{", '{"time_ns": "x"}\n', '{"unknown": 1}\n'])
def test_a_damaged_file_is_named(tmp_path, text):
    with pytest.raises(UserError, match=r"senders\.jsonl\.zst: is not a list of samples"):
        senders_table(written(tmp_path / "senders.jsonl.zst", text))
