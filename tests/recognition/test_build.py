"""The command that builds the library from cycles."""

import json
import shutil

import numpy as np

from scripts.recognition.__main__ import main
from scripts.recognition.library import read_library
from tests.recognition.hand_cycle import kernel_trials, trial, write_cycle
from tests.recognition.hand_traces import LINK, series_of


def build(tmp_path, *options):
    return main(["--data", str(tmp_path / "data"), "-o", str(tmp_path / "library"), *options])


def test_every_trial_of_a_known_controller_is_a_labelled_trace(tmp_path, capsys):
    for number, day in enumerate(["2026-01-01", "2026-01-02"]):
        write_cycle(tmp_path / "data", day, kernel_trials(number))
    assert 0 == build(tmp_path)
    library = read_library(tmp_path / "library/recognition.parquet")
    assert 18 == len(library.labels)
    assert {"BBRv1-like", "Cubic-like", "Reno-like"} == {*library.families}
    assert "recognition/2026-01-01/8mbps-rtt-ms-50/iperf-bbr/01" == library.labels[0].address
    lines = capsys.readouterr().out.splitlines()
    assert f"library {library.version}: 18 traces; stacks: kernel" == lines[0]
    assert "one family left out: 18 right, 0 abstained, 0 wrong of 18" in lines
    told = json.loads((tmp_path / "library/recognition.json").read_text())
    assert (library.version, ["2026-01-01", "2026-01-02"], 18) == (
        told["library"],
        told["cycles"],
        told["traces"],
    )
    assert 36 == sum(one["n"] for one in told["named"])


def test_a_second_run_gives_the_same_bytes(tmp_path):
    write_cycle(tmp_path / "data", "2026-01-01", kernel_trials(0))
    files = []
    for _ in range(2):
        build(tmp_path)
        files.append([path.read_bytes() for path in sorted((tmp_path / "library").iterdir())])
    assert files[0] == files[1]


def test_days_that_are_added_one_by_one_give_the_same_library_as_all_at_once(tmp_path):
    """Each day may be measured on another machine, which has no other day's cycle."""
    days = ["2026-01-01", "2026-01-02"]
    for number, day in enumerate(days):
        write_cycle(tmp_path / "both/data", day, kernel_trials(number))
    build(tmp_path / "both")
    for number, day in reversed(list(enumerate(days))):
        write_cycle(tmp_path / "one/data", day, kernel_trials(number))
        build(tmp_path / "one")
        shutil.rmtree(tmp_path / "one/data")
    both, one = (
        {path.name: path.read_bytes() for path in (tmp_path / name / "library").iterdir()}
        for name in ("both", "one")
    )
    assert 2 == len(both) and both == one


def test_an_unknown_controller_and_an_idle_trial_are_no_labels(tmp_path):
    levels = np.full(700, LINK.bdp_packets * 0.3)
    levels[0] += LINK.bdp_packets
    idle = trial("iperf-reno", 9, series_of(levels))
    vegas = trial("iperf-reno", 8, kernel_series(), cca="vegas")
    write_cycle(tmp_path / "data", "2026-01-01", [*kernel_trials(0), idle, vegas])
    build(tmp_path)
    assert {1, 2, 3} == {one.trial for one in read_library(tmp_path / "library/recognition.parquet").labels}


def kernel_series():
    return series_of(np.full(700, LINK.bdp_packets * 2))


def test_without_a_cycle_nothing_is_written(tmp_path, capsys):
    assert 2 == build(tmp_path)
    assert "make cycle CAMPAIGN=recognition" in capsys.readouterr().err
    assert not (tmp_path / "library").exists()
