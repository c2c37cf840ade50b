"""The progress of a cycle, read from its files, and the lines that the operator sees."""

import subprocess
import sys
import time

import pytest
from snakemake_logger_plugin_observatory import lines
from snakemake_logger_plugin_observatory.jobs import Job

from scripts.model.trials import TrialKey
from scripts.plan.cycle_progress import CycleProgress, RunningCycle
from testbed import host_lock
from tests.progress.cycle_files import write_config, write_round, write_verdict


def key(number):
    return TrialKey("8mbps", "a~b", number)


def job(rule, number=None, log=None, **wildcards):
    trial = {} if number is None else {"setting": "8mbps", "pair": "a~b", "nn": f"{number:02d}"}
    return Job(rule, trial | wildcards, () if log is None else (log,), began_s=100.0)


def make_cycle(directory, rounds, done, reasons=()):
    """A cycle with rounds of that many trials each, or of these durations in seconds.

    The first `done` trials are measured; those before them are judged, as `reasons` says.
    """
    durations = [[600] * trials if isinstance(trials, int) else trials for trials in rounds]
    numbers = iter(range(1, sum(map(len, durations)) + 1))
    for count, seconds in enumerate(durations, start=1):
        write_round(directory, count, [("8mbps", "a~b", next(numbers), each) for each in seconds])
    write_config(directory)
    for number in range(1, done + 1):
        (directory / "trials" / key(number).path).mkdir(parents=True)
    for number, reason in enumerate(reasons, start=1):
        write_verdict(directory / "rows" / key(number).path / "trial_services.parquet", reason)
    return RunningCycle(directory)


def live_line(cycle, number, after_s=0.0):
    """The live line while a trial runs, that long after it began."""
    place = cycle.place(key(number))
    return lines.running([job("trial", number)], place, cycle.progress(place), 100.0 + after_s)


@pytest.mark.parametrize(
    ("number", "done", "message"),
    [
        (4, 3, "trial 4 of 10 of round 1: 8mbps a~b #4, 0 of 618 s; about 1 h 12 min left for this round, "),
        (12, 11, "trial 2 of 3 of round 2: 8mbps a~b #12, 0 of 618 s; about 21 min left for this round, "),
    ],
)
def test_the_live_line_has_the_place_in_the_round_and_its_time_left(tmp_path, number, done, message):
    cycle = make_cycle(tmp_path, rounds=[10, 3], done=done)
    assert live_line(cycle, number).startswith(message)


def test_each_trial_takes_its_own_time(tmp_path):
    """After a trial of 12 s, one of 38 minutes and one of 56 s are left: 40 min 9 s with their overhead."""
    cycle = make_cycle(tmp_path, rounds=[[12, 38 * 60, 56]], done=1)
    assert "about 40 min left for this round" in live_line(cycle, 2)


def test_long_times_are_shown_in_days(tmp_path):
    assert "about 2 d 20 h left" in live_line(make_cycle(tmp_path, rounds=[400], done=0), 1)


def test_the_time_of_a_measured_trial_is_subtracted(tmp_path):
    cycle = make_cycle(tmp_path, rounds=[3], done=2)
    assert "about 10 min left for this round" in live_line(cycle, 3)
    cycle.add_measured(key(3))
    assert "left" not in live_line(cycle, 3)


def test_a_trial_outside_the_plan_has_no_count(tmp_path):
    assert live_line(make_cycle(tmp_path, rounds=[], done=0), 1) == "trial 8mbps a~b #1; 0 valid, 0 excluded"


def test_the_time_left_shrinks_while_the_trial_runs_and_no_further(tmp_path):
    cycle = make_cycle(tmp_path, rounds=[2], done=0)
    assert "300 of 618 s; about 16 min left" in live_line(cycle, 1, after_s=300)
    assert "700 of 618 s; about 10 min left" in live_line(cycle, 1, after_s=700)


WAIT = (
    "import sys; from pathlib import Path; from testbed import host_lock; "
    "host_lock.FOLDERS = (Path(sys.argv[1]),); host_lock.exclusive_host_lock()"
)


def test_a_trial_that_waits_for_another_one_on_this_host_says_so(tmp_path, monkeypatch):
    """The time left does not shrink meanwhile. The seconds of the wait do not count as those of the trial."""
    cycle, log = make_cycle(tmp_path, rounds=[2], done=0), tmp_path / "01.log"
    place = cycle.place(key(1))

    def shown(after_s):
        return lines.running([job("trial", 1, log)], place, cycle.progress(place), 100.0 + after_s)

    monkeypatch.setattr(host_lock, "FOLDERS", (tmp_path,))
    with host_lock.exclusive_host_lock(), log.open("w") as output:
        other = subprocess.Popen([sys.executable, "-c", WAIT, str(tmp_path)], stderr=output)
        while not log.read_text():
            time.sleep(0.01)
        words = "trial 1 of 2 of round 1: 8mbps a~b #1, waits for another trial on this host"
        assert shown(5000) == f"{words}; 0 valid, 0 excluded"
    other.wait()
    assert "300 of 618 s; about 16 min left" in shown(300)
    log.write_text(log.read_text().replace("waited 0 s", "waited 4700 s"))
    assert "300 of 618 s; about 16 min left" in shown(5000)
    told = lines.ended(job("trial", 1, log), cycle, now_s=5100.0)
    assert told == "trial 8mbps a~b #1 waited 4700 s for another trial"


def test_a_trial_that_takes_twice_its_time_shows_the_last_line_of_its_log(tmp_path):
    cycle = make_cycle(tmp_path, rounds=[1], done=0)
    log = tmp_path / "01.log"
    log.write_text("first\nanother trial is running\n")
    place = cycle.place(key(1))
    shown = lines.running([job("trial", 1, log)], place, cycle.progress(place), 100.0 + 1300)
    assert "1300 of 618 s; another trial is running; about" in shown


def test_the_time_of_the_cycle_is_a_range_until_no_attempt_is_left(tmp_path):
    """Smoke allows five attempts of 5 s with 4 s of overhead each; two of them are planned."""
    cycle = make_cycle(tmp_path, rounds=[[5, 5]], done=0)
    assert cycle.progress() == CycleProgress(0, 0, round_left_s=18, least_left_s=18, most_left_s=45)
    cycle.add_measured(key(1))
    assert cycle.progress() == CycleProgress(0, 0, round_left_s=9, least_left_s=9, most_left_s=36)


@pytest.mark.parametrize(
    ("least_s", "most_s", "text"),
    [(600, 7200, "10 min to 2 h 0 min for the cycle"), (600, 610, ", 10 min for the cycle")],
)
def test_a_range_is_shown_where_its_ends_differ(least_s, most_s, text):
    progress = CycleProgress(1, 2, 600, least_s, most_s)
    assert text in lines.running([job("charts")], None, progress, 100.0)


def test_without_trials_the_running_jobs_are_named(tmp_path):
    jobs = [job("extract", 1), job("batch", round="02", batch="004"), job("round", round="03")]
    assert lines.running(jobs, None, CycleProgress(4, 1, 0, 0, 0), 100.0) == (
        "extract 8mbps a~b #1, batch 4 of round 2, round 3; 4 valid, 1 excluded"
    )


def test_verdicts_of_an_earlier_run_are_counted(tmp_path):
    cycle = make_cycle(tmp_path, rounds=[3], done=3, reasons=[None, "cca: 1 > 0"])
    assert lines.verdicts(cycle.progress()) == "1 valid, 1 excluded"


def test_a_judged_trial_is_one_line_with_its_verdict(tmp_path):
    cycle = make_cycle(tmp_path, rounds=[3], done=1)
    file, log = tmp_path / "rows" / key(1).path / "trial_services.parquet", tmp_path / "01.log"
    log.touch()
    write_verdict(file)
    assert lines.ended(job("extract", 1, log=log), cycle, 101.0) == (
        "trial 1 of 3 of round 1: 8mbps a~b #1: valid; about 21 min left for this round"
    )
    write_verdict(file, "the service broke")
    assert lines.ended(job("extract", 1, log=log), cycle, 101.0) == (
        "trial 1 of 3 of round 1: 8mbps a~b #1: excluded: the service broke; about 21 min left for this round"
    )
    assert lines.verdicts(cycle.progress()) == "0 valid, 1 excluded", "the new verdict replaces the old one"


def test_a_planned_round_is_one_line(tmp_path):
    cycle = make_cycle(tmp_path, rounds=[1], done=1)
    write_round(tmp_path, 2, [("8mbps", "a~b", 2, 600), ("8mbps", "a~b", 3, 600)])
    assert lines.ended(job("round", round="02"), cycle, 101.0) == "round 2 planned: 2 trials, about 21 min"
    write_round(tmp_path, 3, [])
    assert lines.ended(job("round", round="03"), cycle, 101.0) == "round 3: no more trials are needed"


def test_of_a_trial_only_the_calibration_before_it_is_shown(tmp_path):
    log = tmp_path / "01.log"
    log.write_text("calibration of 8mbps, round 1: within every tolerance\ntrial 8mbps a~b #1: 9 s\n")
    cycle = make_cycle(tmp_path, [2], 0)
    shown = lines.ended(job("trial", 1, log=log), cycle, 101.0)
    assert shown == "calibration of 8mbps, round 1: within every tolerance"
    assert lines.ended(job("trial", 2), cycle, 101.0) is None


def test_a_batch_shows_the_verdicts_on_its_trials(tmp_path):
    cycle = make_cycle(tmp_path, rounds=[3], done=2)
    for number, reason in ((1, None), (2, "the service broke")):
        write_verdict(tmp_path / "rows" / key(number).path / "trial_services.parquet", reason)
    assert lines.ended(job("batch", round="01", batch="001"), cycle, 101.0) == (
        "batch 1 of round 1: 1 valid, 1 excluded so far; about 10 min left for this round"
    )


def test_two_trials_at_once_on_one_host_are_both_named(tmp_path):
    make_cycle(tmp_path, rounds=[12], done=0)
    cycle = RunningCycle(tmp_path, at_once=2)
    jobs = [job("trial", 1), job("trial", 2)]
    shown = lines.running(jobs, cycle.place(key(1)), cycle.progress(), 100.0)
    assert shown.startswith("trial 8mbps a~b #1, trial 8mbps a~b #2; about 1 h 2 min left for this round")


def test_several_hosts_share_the_time_that_is_left(tmp_path):
    make_cycle(tmp_path, rounds=[12], done=0)
    cycle = RunningCycle(tmp_path, at_once=4)
    jobs = [job("trial", number) for number in range(1, 9)] + [job("batch", round="01", batch="001")]
    shown = lines.running(jobs, cycle.place(key(1)), cycle.progress(), 100.0)
    assert shown.startswith(
        "8 trials wait or run in Slurm, batch 1 of round 1; about 31 min left for this round"
    )


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("trials/8mbps/a~b/01: in its published form", ""),
        ("trials/8mbps/a~b/01: keeps its raw form: why", "trials/8mbps/a~b/01: keeps its raw form: why"),
    ],
)
def test_a_reduction_is_shown_only_if_the_raw_form_stays(tmp_path, said, shown):
    cycle, log = make_cycle(tmp_path, rounds=[1], done=1), tmp_path / "01.log"
    write_verdict(tmp_path / "rows" / key(1).path / "trial_services.parquet")
    log.write_text(f"{said}\n")
    first, _, second = str(lines.ended(job("extract", 1, log), cycle, 101.0)).partition("\n")
    assert "#1: valid" in first and shown == second


def test_other_jobs_are_shown_with_their_time_or_only_logged(tmp_path):
    cycle = make_cycle(tmp_path, rounds=[], done=0)
    assert lines.ended(job("cycle_tables"), cycle, 112.3) == "cycle tables: done in 12 s"
    assert lines.ended(job("plan"), cycle, 112.3) is None


def test_a_failed_job_shows_the_end_of_its_log_and_where_it_is(tmp_path):
    log = tmp_path / "01.log"
    log.write_text("".join(f"line {number}\n" for number in range(1, 31)))
    shown = lines.failed(job("trial", 1, log))
    assert shown[0] == "error: trial 8mbps a~b #1 failed:"
    assert shown[1:-1] == [f"    line {number}" for number in range(21, 31)]
    assert shown[-1] == f"    log: {log}"


def test_the_message_of_a_failed_job_mentions_an_empty_log(tmp_path):
    shown = lines.failed(job("charts", log=tmp_path / "charts.log"))
    assert shown == ["error: charts failed:", "    (its log is empty)", f"    log: {tmp_path / 'charts.log'}"]
