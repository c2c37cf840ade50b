"""The estimate of a cycle, and when a cycle is refused."""

import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from scripts.model.durations import readable
from scripts.model.settings import SettingTimes
from scripts.plan.campaign_file import ROOT, load_campaign
from scripts.plan.campaign_file import main as merge
from scripts.plan.disk import calibration_disk, trial_disk
from scripts.plan.estimate import (
    at_least,
    at_most,
    main,
    needed_bytes,
    objections,
    report,
)
from scripts.plan.many_hosts import Hosts, Shared
from scripts.plan.registration import register
from tests.model.campaigns import paper, service

DAY_S = 86_400


@pytest.fixture(name="paper")
def the_papers_cycle():
    return paper()


def test_the_papers_cycle_takes_twelve_and_a_half_days_and_three_percent(paper):
    least = at_least(paper)
    assert 1800 == least.trials
    calibrations_s = 2 * (11 + 4)
    assert pytest.approx(12.5 * 1.03 * DAY_S + calibrations_s) == least.seconds


def test_at_most_every_attempt_is_used_and_each_round_after_the_first_reruns_one_trial(paper):
    most = at_most(paper)
    trials = 2 * (12 * 15 + 78 * 45)
    assert (trials, trials * 618 + 36 * 2 * 15) == (most.trials, most.seconds)


def test_a_web_page_counts_with_its_own_length_and_number_of_trials(paper):
    """Six trials alone of 452 s and six with an iperf of 482 s, each with its 3 %, in both settings.

    At most there are ten of each, and every load takes its limit: 455 s more with the browser's start.
    """
    services = {"iperf": service("iperf"), "page": service("page", driver="page", metric="web")}
    page = replace(paper, services=services, pairs=("iperf~iperf", "iperf~page"))
    without = replace(paper, services={"iperf": services["iperf"]}, pairs=("iperf~iperf",))
    assert 2 * 12 == at_least(page).trials - at_least(without).trials
    assert pytest.approx(2 * 6 * 1.03 * (452 + 482)) == at_least(page).seconds - at_least(without).seconds
    assert 2 * 20 == at_most(page).trials - at_most(without).trials
    assert pytest.approx(2 * 10 * 1.03 * (907 + 937)) == at_most(page).seconds - at_most(without).seconds


def test_a_setting_with_some_services_counts_only_their_trials(paper):
    settings = paper.settings | {"50mbps": replace(paper.settings["50mbps"], services=("s00", "s01"))}
    assert 900 + 10 * (2 + 3) == at_least(replace(paper, settings=settings)).trials


def test_a_trial_on_disk_by_hand():
    """8 Mbps for 1538 * 8 microseconds are 8 packets, and 12.8 captured ones."""
    disk = trial_disk(8, 1538 * 8 / 1e6)
    assert pytest.approx((12.8 * 17 + 8 * 11, 12.8 * 35.5 + 8 * 5)) == (disk.published, disk.rest)


def test_the_papers_cycle_reduced_needs_150_gb_and_keeps_110(paper):
    """Of each trial the published form stays, and the rest of one trial at a time is there beside it."""
    least = at_least(paper)
    assert least.kept_bytes(True) < 110e9 and least.measuring_bytes(True) < 150e9
    one = trial_disk(50, 600)
    assert pytest.approx(one.rest) == least.measuring_bytes(True) - least.kept_bytes(True)
    assert pytest.approx(900 * (one + trial_disk(8, 600)).published, rel=1e-3) == least.kept_bytes(True)
    assert least.measuring_bytes(False) == least.kept_bytes(False) > 250e9


def test_the_papers_cycle_fits_its_two_weeks(paper, tmp_path):
    assert [] == objections(paper, tmp_path, 1, 1, reduce=False)


def test_a_cycle_longer_than_its_period_is_refused(paper, tmp_path):
    (why,) = objections(replace(paper, period_days=12), tmp_path, 1, 1, reduce=False)
    assert (
        "config/campaigns/watchdog.yaml: the cycle takes at least 12 d 21 h, more than its period_days 12"
        in why
    )
    assert [] == objections(replace(paper, period_days=None), tmp_path, 1, 1, reduce=False)


def test_two_trials_at_once_take_half_of_the_time(paper, tmp_path):
    assert [] == objections(replace(paper, period_days=7, parallel=2), tmp_path, 1, 1, reduce=False)
    least = at_least(paper).seconds
    assert readable(least) in report(paper, "test", 1, 1, False)
    assert readable(least / 2) in report(replace(paper, parallel=2), "test", 1, 1, False)


def test_a_cycle_that_is_too_long_for_one_host_is_not_refused_on_several(paper, tmp_path):
    week = replace(paper, period_days=7)
    one, two = (objections(week, tmp_path, 1, 1, False, Hosts(number, Shared(2))) for number in (1, 2))
    assert [] == two
    assert "takes at least 12 d 22 h with hosts=1, more than its period_days 7" in one[0]
    assert one[0].endswith("or take more hosts")


def test_a_cycle_that_does_not_fit_the_disk_is_refused(paper, tmp_path):
    (why,) = objections(paper, tmp_path, 2.5e9, 2e9, reduce=False)
    assert f"{tmp_path}: the cycle needs at least 2.5 GB more, 2.0 GB are free" in why
    assert why.endswith("(reduce=1)")
    assert "reduce=1" not in objections(paper, tmp_path, 2.5e9, 2e9, reduce=True)[0]


def test_measured_trials_need_no_more_disk(tmp_path):
    config = load_campaign("smoke")
    (setting,) = config.settings.values()
    a_trial, a_calibration = trial_disk(setting.rate_mbps, 5), calibration_disk(setting)
    whole = a_trial * 5 + a_calibration
    assert pytest.approx(whole.published + whole.rest) == needed_bytes(config, tmp_path, reduce=False)
    assert pytest.approx(whole.published + a_trial.rest) == needed_bytes(config, tmp_path, reduce=True)
    names = (
        "iperf-bbr",
        "iperf-cubic",
        "iperf-bbr~iperf-bbr",
        "iperf-bbr~iperf-cubic",
        "iperf-cubic~iperf-cubic",
    )
    for pair in names[:4]:
        (tmp_path / next(iter(config.settings)) / pair / "01").mkdir(parents=True)
    left = a_trial + a_calibration
    assert pytest.approx(left.published + left.rest) == needed_bytes(config, tmp_path, reduce=False)
    assert pytest.approx(left.published + a_trial.rest) == needed_bytes(config, tmp_path, reduce=True)
    for pair in (names[4], "calibration"):
        (tmp_path / next(iter(config.settings)) / pair / "01").mkdir(parents=True)
    for reduce in (False, True):
        assert pytest.approx(0, abs=1) == needed_bytes(config, tmp_path, reduce)


def test_the_report_shows_trials_time_and_disk(paper):
    lines = report(paper, "2026-12-01", 1e9, 2e9, reduce=True).splitlines()
    assert "watchdog, cycle 2026-12-01: services 12, pairs 78, settings 8mbps, 50mbps" == lines[0]
    assert ["trials", "1800", "7380"] == lines[2].split()
    assert ["time", "12", "d", "21", "h"] == lines[3].split()[:5]
    assert [["disk", "255"], ["reduced", "97"], ["kept", "97"]] == [line.split()[:2] for line in lines[4:7]]
    assert "still needed with reduce=1: at least 1.0 GB, free: 2.0 GB" == lines[7]


def test_of_many_settings_the_report_has_the_number_and_both_ends(paper):
    many = {f"s{number}": paper.settings["8mbps"] for number in range(1, 8)}
    for settings, words in ((many, "7, from s1 to s7"), ({"s1": many["s1"]}, "s1")):
        lines = report(replace(paper, settings=settings), "2026-12-01", 1e9, 2e9, reduce=True).splitlines()
        assert f"watchdog, cycle 2026-12-01: services 12, pairs 78, settings {words}" == lines[0]


@pytest.mark.parametrize("options", [[], ["--bottleneck", "bess"]])
def test_the_command_shows_the_hash_with_which_the_cycle_will_be_registered(options, capsys, tmp_path):
    assert 0 == main(["demo", "--cycle", "c", "--data", str(tmp_path), *options])
    assert 0 == merge(["demo", *options, "-o", str(tmp_path / "plan/config.json")])
    assert f"registration: SHA-256 {register(tmp_path / 'plan').sha256}\n" in capsys.readouterr().out


def test_the_command_shows_the_demo(capsys, tmp_path):
    assert 0 == main(["demo", "--cycle", "c", "--data", str(tmp_path / "not/yet")])
    assert "trials            24          46" in capsys.readouterr().out


def test_the_command_shows_one_or_all_numbers_of_hosts(capsys, tmp_path):
    words = ["demo", "--cycle", "c", "--data", str(tmp_path), "--cores", "3", "--store", "50"]
    assert 0 == main(words)
    lines = capsys.readouterr().out.splitlines()
    begin = next(index for index, line in enumerate(lines) if line.startswith("hosts "))
    assert "what follows trials runs on 3 cores" in lines[begin]
    numbers = ["1", "2", "4", "8", "16", "32", "64"]
    assert numbers == [line.split()[0] for line in lines[begin + 1 : begin + 8]]
    assert 0 == main([*words, "--hosts", "4"])
    assert [lines[begin], lines[begin + 3], *lines[begin + 8 :]] == capsys.readouterr().out.splitlines()[
        begin:
    ]


def test_the_command_tells_the_times_of_every_setting_and_warns_of_those_that_cannot_settle(capsys, tmp_path):
    deep = "BBR in a queue of 32 BDP needs 360 s before a window of 100 s"
    assert 0 == main(["bbr-model-short", "--cycle", "c", "--data", str(tmp_path)])
    settled = capsys.readouterr().out
    settings = "10mbps-bbr-first-queue-bdp-32, 10mbps-cubic-first-queue-bdp-32"
    assert f"\ntimes in {settings}: {deep}; a trial has 360 s before 100 s, and 481 s in all\n" in settled
    assert "too short" not in settled and "can only be seen" not in settled
    assert 0 == main(["smoke", "--cycle", "c", "--data", str(tmp_path)])
    short = capsys.readouterr().out
    assert (
        "\ntimes in 8mbps: too short to settle in 3 of 3 pairs: BBR in a queue of 4 BDP needs 120 s " in short
    )
    assert "\n  A share that has not settled can only be seen: no verdict about it follows.\n" in short


def test_settings_with_times_of_their_own_count_with_them(paper):
    least = at_least(paper)
    times = SettingTimes(duration_s=1000, ignore_first_s=500)
    longer = replace(
        paper, settings=paper.settings | {"50mbps": replace(paper.settings["50mbps"], trial=times)}
    )
    assert pytest.approx(900 * 400 * 1.03) == at_least(longer).seconds - least.seconds
    assert at_least(longer).disk.rest > least.disk.rest


@pytest.mark.parametrize("words", [["--hosts", "0"], ["--cores", "-1"], ["--store", "fast"]])
def test_hosts_cores_and_rates_are_numbers_above_0(words, capsys):
    with pytest.raises(SystemExit) as end:
        main(["demo", *words])
    assert 2 == end.value.code
    said = capsys.readouterr().err
    assert f"argument {words[0]}: " in said and f"{words[1]}: write a whole number, 1 or more" in said


def test_an_unknown_campaign_is_one_line_and_status_2(capsys):
    assert 2 == main(["no-such", "--refuse"])
    assert capsys.readouterr().err.startswith("error: config/campaigns/no-such.yaml: no such campaign")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([], 2, "error: config/campaigns/hasty.yaml: the cycle takes at least 1 d 6 h, more than its "),
        (["--force"], 0, "warning: config/campaigns/hasty.yaml: the cycle takes at least 1 d 6 h, more"),
        (
            ["--hosts", "2"],
            2,
            "error: config/campaigns/hasty.yaml: the cycle takes at least 15 h 32 min with ",
        ),
    ],
)
def test_a_start_is_refused_in_one_line_unless_forced(tmp_path, words, status, message):
    for folder in ("config", "scripts", "services", "testbed"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "config/campaigns/hasty.yaml").write_text("title: In an hour\nperiod_days: 0.04\n")
    done = subprocess.run(
        [sys.executable, "-m", "scripts.plan.estimate", "hasty", "--refuse", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (status, "") == (done.returncode, done.stdout)
    (said,) = [line for line in done.stderr.splitlines() if "free some space" not in line]
    assert said.startswith(message), "a small disk has a warning of its own"
