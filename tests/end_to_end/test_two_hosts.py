"""Real trials over a real Slurm, on two hosts of this machine, up to the pages that name the hosts.

The machine's lock lets one trial run at a time, so the two hosts take turns.
"""

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from tests.hosts.cluster import TESTBED_NODES, is_possible, running

pytestmark = [
    pytest.mark.soak(minutes=3),
    pytest.mark.skipif(not is_possible(), reason="needs Slurm, and root to start it"),
]

LONGEST_S = 900


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the data and the site of a cycle that two hosts measured."""
    folder = tmp_path_factory.mktemp("two hosts")
    words = [f"data={folder}/data", f"public={folder}/public", "cycle=test", "PROFILE=slurm"]
    command = ["make", "--no-print-directory", "cycle", "CAMPAIGN=smoke", *words]
    with running(tmp_path_factory.mktemp("slurm")) as cluster:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=cluster.environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def records(folder: Path, pairs: str) -> list[dict]:
    files = (folder / "data/smoke/test/trials").glob(f"8mbps/{pairs}/*/trial.json")
    return [json.loads(file.read_text()) for file in files]


def test_both_hosts_measured_real_trials_each_after_a_calibration_of_its_own(folder):
    trials = records(folder, "iperf*")
    assert len(trials) == 5 and {trial["host"]["name"] for trial in trials} == set(TESTBED_NODES)
    assert {trial["status"] for trial in trials} == {"completed"}
    for trial in trials:
        packets = [client["forwarded_packets"] for client in trial["bottleneck"]["downlink"]["clients"]]
        assert sum(packets) > 1000 and min(packets) > 0, "how much each got is an outcome"
    calibrations = records(folder, "calibration")
    assert sorted(one["calibration"]["host"] for one in calibrations) == sorted(TESTBED_NODES)
    assert all(one["host"]["name"] == one["calibration"]["host"] for one in calibrations)


def test_no_two_trials_ran_at_the_same_time_on_this_machine(folder):
    spans = sorted((one["start_ns"], one["stop_ns"]) for one in records(folder, "*"))
    assert len(spans) == 7
    assert all(earlier[1] < later[0] for earlier, later in pairwise(spans))


def test_nothing_is_left_of_claims_and_own_disks(folder):
    assert not [path for path in (folder / "data/smoke/test/claims").rglob("*") if path.is_file()]
    own = Path("/var/tmp/internet-fairness-observatory") / folder.relative_to("/")
    assert not [path for path in own.rglob("*") if path.is_file()]


def test_the_page_of_a_trial_names_its_host(folder):
    (record,) = records(folder, "iperf-bbr~iperf-cubic")
    page = folder / "public/cycles/smoke/test/trials/8mbps/iperf-bbr~iperf-cubic/01/index.html"
    assert record["host"]["name"] in page.read_text()
