"""`python -m scripts.gate`: when it stops, its exit status, and errors before any trial."""

import json
import os
import shlex
import shutil
import signal
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.locks import locked
from scripts.gate import __main__ as gate
from scripts.gate import running
from scripts.gate.decision import Arms
from scripts.gate.running import UnmeasuredError
from scripts.model.trials import TrialKey
from scripts.plan.cycle_progress import RunningCycle
from tests.services.endpoint.making import make_endpoint

WORDS = ["--candidate", "iperf-bbr", "--base", "iperf-cubic", "--seconds", "20"]
SAME, FAR = (0.99, 1.0, 1.01), (0.09, 0.1, 0.11)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs the gate with these shares of the candidate, where trials take no time, and counts them."""
    into = tmp_path / "gate"

    def run(shares, *words, excluded=()):
        measured.clear()
        batches.clear()

        def measure(keys, folder, cycle):
            first = len(measured) + 1
            measured.extend(keys)
            batches.append(len(keys))
            numbers = range(first, len(measured) + 1)
            return ["the switch was late" if number in excluded else None for number in numbers]

        def arms_of(cells, margins, folder):
            pairs = sum(key.pair == "candidate~iperf-cubic" for key in measured)
            return [
                Arms(
                    "share",
                    margins["share"],
                    "8mbps",
                    "iperf-cubic",
                    (shares * pairs)[:pairs],
                    (SAME * pairs)[:pairs],
                )
            ]

        monkeypatch.setattr(gate, "measure", measure)
        monkeypatch.setattr(gate, "build_tables", lambda *_: None)
        monkeypatch.setattr(gate, "arms_of", arms_of)
        return gate.main([*WORDS, "--into", str(into), *words]), len(measured), into

    batches, measured = run.batches, run.measured = [], []
    return run


def test_trials_at_once_are_so_many_more_in_the_same_time(run, capsys):
    status, measured, _ = run((0.5, 1.0, 1.5), "--at-once", "4")
    assert (3, 3 + 2 * 71) == (status, measured)
    assert [3, *[4] * 35, 2] == run.batches, "the solos, and no batch goes beyond a look"
    first, *_ = capsys.readouterr().out.splitlines()
    assert (
        "142 trials of 20 s, 4 at once, 71 of each arm beside each contender, and 3 alone: at most 15 min"
        == first
    )


def test_it_stops_as_soon_as_a_figure_fails(run):
    status, measured, into = run(FAR)
    assert 1 == status
    assert 3 + 2 * 4 == measured, "a quarter of 16 trials of each arm"
    assert "fail" == json.loads((into / "report.json").read_text())["verdict"]


def test_it_passes_when_all_intervals_are_inside(run):
    assert 0 == run(SAME)[0]


def test_a_scatter_that_is_too_large_is_inconclusive_after_all_trials(run):
    status, measured, _ = run((0.5, 1.0, 1.5))
    assert (3, 3 + 2 * 16) == (status, measured)


def test_a_service_alone_is_measured_again_until_its_trial_counts(run):
    """Else harm could not be judged. The budget holds: a block less is planned."""
    status, measured, into = run((0.5, 1.0, 1.5), excluded={2, 3, 4})
    alone = [("candidate", 1), ("base", 1), ("iperf-cubic", 1), ("base", 2), ("iperf-cubic", 2), ("base", 3)]
    assert alone == [(key.pair, key.number) for key in run.measured[:6]]
    assert (3, 6 + 2 * 14) == (status, measured)
    assert measured == json.loads((into / "report.json").read_text())["trials"]


def test_a_service_alone_is_measured_three_times_at_most(run):
    run(FAR, excluded={3, 4, 5})
    assert [1, 2, 3] == [key.number for key in run.measured if key.pair == "iperf-cubic"]


def test_a_busy_machine_gets_no_verdict(run, capsys):
    status, measured, _ = run(FAR, excluded=range(4, 8))
    assert (3, 11) == (status, measured)
    assert "the machine was late" in capsys.readouterr().out


def test_an_arm_without_the_fewest_trials_at_the_end_gets_no_verdict(run, capsys):
    status, measured, _ = run(())
    assert (3, 3 + 2 * 16) == (status, measured)
    assert "the machine was late" in capsys.readouterr().out


def test_a_testbed_that_cannot_measure_is_status_4(tmp_path, monkeypatch, capsys):
    def fails(keys, folder, cycle):
        raise UnmeasuredError("python -m scripts.hosts ended with status 2")

    monkeypatch.setattr(gate, "measure", fails)
    assert 4 == gate.main([*WORDS, "--into", str(tmp_path / "gate")])
    assert "the testbed could not measure" in capsys.readouterr().err


def ctrl_c(*_):
    raise KeyboardInterrupt


def sigterm(*_):
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize(("interrupt", "status"), [(ctrl_c, 130), (sigterm, 143)])
def test_a_gate_that_is_ended_says_what_is_kept_and_the_command_that_goes_on(
    tmp_path, monkeypatch, capsys, interrupt, status
):
    into, before = tmp_path / "my gate", signal.signal(signal.SIGTERM, lambda *_: pytest.fail("no answer"))
    monkeypatch.setattr(gate, "measure", interrupt)
    try:
        assert status == gate.main([*WORDS, "--into", str(into)])
    finally:
        signal.signal(signal.SIGTERM, before)
    told, command = capsys.readouterr().err.splitlines()
    assert f"interrupted; the trials measured so far are kept in {into}; this command goes on:" == told
    assert ["python", "-m", "scripts.gate", *WORDS, "--into", str(into)] == shlex.split(command)


def test_the_command_that_goes_on_names_the_folder_that_the_gate_chose(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gate, "measure", ctrl_c)
    assert 130 == gate.main(WORDS)
    (into,) = tmp_path.glob("gate-*")
    assert capsys.readouterr().err.endswith(f" --into {into.name}\n")


def test_a_trial_has_the_time_to_end_when_the_gate_is_ended(tmp_path, monkeypatch):
    """Else it would leave its claim behind, and the next gate would wait."""
    ended = tmp_path / "ended"
    (tmp_path / "slow.py").write_text(
        "import signal, sys, time\n"
        f"def end(*_): time.sleep(1); open({str(ended)!r}, 'w').close(); sys.exit(143)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        f"open({str(tmp_path / 'began')!r}, 'w').close()\n"
        "time.sleep(60)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def interrupt(*_):
        if (tmp_path / "began").exists():
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            running._run("slow", [()])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert ended.exists()


@pytest.mark.parametrize("pair", ["base", "candidate", "base~iperf-cubic", "iperf-cubic"])
@pytest.mark.parametrize(("status", "mbps"), [("failed", None), ("completed", 0.04), ("completed", 7.5)])
def test_a_build_that_does_not_run_alone_ends_the_gate(tmp_path, monkeypatch, pair, status, mbps):
    key = TrialKey("8mbps", pair, 1)
    rows = tmp_path / "rows" / key.path
    rows.mkdir(parents=True)
    client = {
        "status": status,
        "valid": False,
        "reason": "no server",
        "throughput_mbps": mbps,
        "rate_mbps": 8.0,
    }
    pq.write_table(pa.Table.from_pylist([client]), rows / "trial_services.parquet")
    monkeypatch.setattr(running, "_run", lambda *_: None)
    measure = partial(running.measure, [key], tmp_path, RunningCycle(tmp_path))
    if mbps != 7.5 and pair in ("base", "candidate"):
        why = "no server" if status == "failed" else "it gets 0.04 of 8 Mbps"
        with pytest.raises(UserError, match=f"the {pair} does not run alone: {why}; its programs"):
            measure()
    else:
        assert ["no server"] == measure()


def test_the_same_command_goes_on_and_another_one_is_refused(run, capsys):
    run(SAME)
    assert 0 == run(SAME)[0]
    assert 2 == run(SAME, "--budget", "20m")[0]
    assert "is the folder of something else" in capsys.readouterr().err


def test_a_build_that_changed_since_needs_another_folder(run, tmp_path, capsys):
    """A runner keeps its folders, and the verdict of the build before is no verdict on this one."""
    new = make_endpoint(tmp_path / "new")
    words = ("--candidate", str(new), "--base", str(make_endpoint(tmp_path / "old")))
    _, _, into = run(SAME, *words)
    builds = json.loads((into / "report.json").read_text())["asked"]["builds"]
    files = ("new/server.py", "new/endpoint.yaml", "old/client.py")
    assert {str(tmp_path / name) for name in files} < {*builds}
    assert 0 == run(SAME, *words)[0]
    (new / "server.py").write_text((new / "server.py").read_text() + "# built again\n")
    assert 2 == run(SAME, *words)[0]
    assert f"its trials are those of another build: {new}/server.py changed" in capsys.readouterr().err


def test_a_budget_beyond_the_most_trials_is_told(run, capsys):
    status, measured, _ = run((0.0, 1.0, 2.0), "--at-once", "4", "--budget", "2h")
    assert (3, 3 + 2 * 99) == (status, measured)
    printed = capsys.readouterr().out
    assert "an arm has 99 trials at most, so a longer budget changes nothing" in printed.splitlines()
    assert "99 of each arm are the most, so name fewer contenders, or allow wider margins." in printed


def test_two_gates_never_work_in_one_folder(run, capsys):
    _, _, into = run(SAME)
    with locked(into):
        assert 2 == run(SAME)[0]
    assert f"{into}: another process works in it" in capsys.readouterr().err


def test_it_says_what_it_can_show_before_it_measures(run, capsys):
    run(SAME)
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert "32 trials of 20 s, 16 of each arm beside each contender, and 3 alone: at most 14 min" == first
    assert "of the share fails in four of five gates; a pass needs" in second


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--budget", "soon"], "--budget: soon is no time; write 15m, 2h or 900s"),
        (["--budget", "1m"], "--budget: 3 trials of each arm take"),
        (["--margins", "/nowhere.yaml"], "/nowhere.yaml"),
        (["--candidate", "iperf-none"], "iperf-none: is no folder"),
        (["--candidate", "unbuilt"], "'./build/endpoint': there is no such program; build it"),
    ],
)
def test_an_error_is_one_line_and_leaves_no_folder(tmp_path, monkeypatch, capsys, words, told):
    into = tmp_path / "gate"
    shutil.copytree(
        ROOT / "services/stacks/quinn", tmp_path / "unbuilt", ignore=shutil.ignore_patterns("build")
    )
    monkeypatch.chdir(tmp_path)
    assert 2 == gate.main([*WORDS, "--into", str(into), *words])
    lines = capsys.readouterr().err.splitlines()
    assert [told in line for line in lines] == [True]
    assert not into.exists()


def test_a_folder_of_something_else_stays(tmp_path, capsys):
    other = tmp_path / "notes"
    other.mkdir()
    (other / "a.txt").write_text("mine")
    assert 2 == gate.main([*WORDS, "--into", str(other)])
    assert "mine" == (other / "a.txt").read_text()
