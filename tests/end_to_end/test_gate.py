"""The gate with real trials: a build that takes more fails, what it leaves can be read, and it goes on."""

import json
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from scripts.base.files import ROOT

pytestmark = [pytest.mark.soak(minutes=9), pytest.mark.usefixtures("quiet_host")]

WORDS = ["--candidate", "iperf-bbr-5", "--base", "iperf-cubic", "--seconds", "20", "--budget", "8m"]


@pytest.fixture(scope="module")
def gate(tmp_path_factory):
    """Five flows with BBR instead of one with Cubic: the ended command and its folder.

    A machine that is late gets no verdict, so it shows nothing more.
    """
    into = tmp_path_factory.mktemp("gates") / "gate"
    command = [sys.executable, "-m", "scripts.gate", *WORDS, "--into", str(into)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    report = into / "report.json"
    if report.exists() and json.loads(report.read_text())["late"]:
        assert 3 == done.returncode, done.stdout + done.stderr
        assert "the machine was late" in done.stdout
        pytest.skip("the machine was late")
    return done, into


def test_five_flows_with_bbr_fail(gate):
    done, into = gate
    assert 1 == done.returncode, done.stdout + done.stderr
    told = json.loads((into / "report.json").read_text())
    assert "fail" == told["verdict"]
    assert {"harm": "fail"}.items() <= {one["figure"]: one["verdict"] for one in told["figures"]}.items()


def test_its_figures_are_those_of_the_tables_of_a_cycle(gate):
    """The means of the report are those of the values that `samples` has."""
    _, into = gate
    rows = pq.read_table(into / "tables/samples.parquet").to_pylist()
    for figure in json.loads((into / "report.json").read_text())["figures"]:
        for arm in ("candidate", "base"):
            services = (arm, figure["contender"])
            service, contender = services if figure["of"] == "candidate" else services[::-1]
            values = [
                row["value"]
                for row in rows
                if (row["service"], row["contender"], row["metric"]) == (service, contender, figure["metric"])
                and row["valid"]
            ]
            assert figure[arm]["n"] == len(values)
            assert figure[arm]["mean"] == pytest.approx(sum(values) / len(values))
