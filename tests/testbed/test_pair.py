"""`python -m testbed pair`: what it plans, and errors of one line before any trial."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.model import given
from testbed import pair
from testbed.__main__ import main
from tests.services.endpoint.making import make_endpoint


@pytest.fixture
def commands(monkeypatch) -> list[list[str]]:
    """The commands that are run; none but the first, which plans, really is."""
    run, seen = subprocess.run, []

    def recorded(command: list[str], **options) -> subprocess.CompletedProcess:
        seen.append(command[2:])
        if command[2] == "scripts.plan.one_trial":
            return run(command, **options)
        return subprocess.CompletedProcess(command, 1 if command[2] == "scripts.charts.one_trial" else 0)

    monkeypatch.setattr(pair.subprocess, "run", recorded)
    return seen


def test_it_runs_the_commands_of_a_cycle_and_says_whether_the_trial_counts(tmp_path, commands):
    folder, into = make_endpoint(tmp_path / "tiny"), tmp_path / "pair"
    assert 1 == main(["pair", str(folder), "iperf-cubic", "--seconds", "30", "--into", str(into)])
    modules = [command[0] for command in commands]
    pipeline = ["scripts.tables.measured_trial", "scripts.charts.one_trial"]
    assert ["scripts.plan.one_trial", "testbed", *pipeline] == modules
    spec = json.loads(Path(commands[1][2]).read_text())
    assert ("iperf-cubic~own-tiny-kernel", 30, 6, 1) == (
        spec["pair"],
        spec["duration_s"],
        spec["ignore_first_s"],
        spec["ignore_last_s"],
    )
    assert (8, 128) == (spec["link"]["rate_mbps"], spec["link"]["queue_packets"])
    services = {client["service"]["name"]: client["service"] for client in spec["clients"]}
    assert (str(folder), "kernel") == (
        services["own-tiny-kernel"]["endpoint"],
        services["own-tiny-kernel"]["cca"],
    )
    config = json.loads((into / "plan/config.json").read_text())
    assert ["8mbps"] == [*config["settings"]]


def test_an_endpoint_competes_with_itself_and_with_its_other_controllers(tmp_path, commands):
    folder = make_endpoint(tmp_path / "Tiny_2", controllers=["kernel", "bbr"])
    main(["pair", f"{folder}:kernel", str(folder), "--into", str(tmp_path / "same")])
    assert "own-tiny-2-kernel~own-tiny-2-kernel" == commands[0][3]
    main(["pair", f"{folder}:bbr", str(folder), "--setting", "50mbps", "--into", str(tmp_path / "other")])
    assert ["50mbps", "own-tiny-2-bbr~own-tiny-2-kernel"] == commands[4][2:4]


def test_a_setting_of_a_campaign_has_the_campaigns_link_and_the_times_of_the_command(tmp_path, commands):
    words = ["--campaign", "bandwidth-sweep-short", "--setting", "bandwidth-rate-mbps-100", "--seconds", "20"]
    main(["pair", "iperf-cubic", "iperf-reno", *words, "--into", str(tmp_path / "pair")])
    spec = json.loads(Path(commands[1][2]).read_text())
    assert (100, 20) == (spec["link"]["rate_mbps"], spec["duration_s"])


@pytest.mark.parametrize("settings", ["[1]", "{8mbps: 5}"])
def test_wrong_settings_of_a_campaign_are_named_with_its_file(tmp_path, monkeypatch, capsys, settings):
    monkeypatch.setattr(given, "ROOT", tmp_path)
    file = tmp_path / "config/campaigns/own.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(f"settings: {settings}\n")
    words = ["iperf-cubic", "iperf-reno", "--campaign", "own", "--into", str(tmp_path / "pair")]
    assert 2 == main(["pair", *words])
    message = f"{file}: settings: must map each setting to a mapping, or to null"
    assert message in capsys.readouterr().err and not (tmp_path / "pair").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["iperf-cubic", "iperf-none"], "iperf-none: is no folder, and the catalogue has no service"),
        (["iperf-cubic", "./none"], "./none: there is no such folder"),
        (["iperf-cubic", "{}:bbr"], "endpoint.yaml: controllers: bbr is missing; it has kernel"),
        (["iperf-cubic", "iperf-bbr", "--setting", "9mbps"], "--setting: 9mbps is unknown; known are: 8mbps"),
        (
            ["iperf-cubic", "iperf-bbr", "--campaign", "bandwidth-sweep-short"],
            "--setting: 8mbps is unknown; known are: bandwidth-rate-mbps-8,",
        ),
        (
            ["iperf-cubic", "iperf-bbr", "--campaign", "hram"],
            "--campaign: hram: no such campaign; similar: harm",
        ),
        (["iperf-cubic", "iperf-bbr", "--seconds", "2"], "--seconds: is 2; it must be at least 5"),
        (["iperf-cubic", "iperf-bbr", "--into", "{}"], "exists already; remove it, or name another folder"),
    ],
)
def test_an_error_is_one_line(tmp_path, words, message):
    folder = make_endpoint(tmp_path / "tiny")
    options = [word.replace("{}", str(folder)) for word in words]
    into = [] if "--into" in options else ["--into", str(tmp_path / "pair")]
    done = subprocess.run(
        [sys.executable, "-m", "testbed", "pair", *options, *into],
        capture_output=True,
        text=True,
        check=False,
    )
    assert 2 == done.returncode
    assert message in done.stderr and 1 == done.stderr.count("\n")
    assert "--into" in options or not (tmp_path / "pair").exists()


def test_two_folders_of_the_same_name_are_refused(tmp_path, capsys):
    folders = [make_endpoint(tmp_path / parent / "tiny") for parent in ("a", "b")]
    assert 2 == main(["pair", *map(str, folders), "--into", str(tmp_path / "pair")])
    assert "the other endpoint has a folder of the same name; rename one" in capsys.readouterr().err
