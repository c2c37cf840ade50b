"""Live services over the routed uplink, on an Internet of the test's own (tests/testbed/internet.py)."""

import json
import os
from pathlib import Path
from typing import Any

import duckdb
import pytest

from scripts.base.records import to_json
from scripts.extract.extract_trial import extract
from scripts.tables.trial_tables import build_trial
from testbed.host_lock import exclusive_host_lock
from tests.end_to_end.conftest import BROKEN_BY_LOAD
from tests.testbed.internet import IDLE, WEB, run_in_namespaces
from tests.testbed.live_services import FILE, FILM, PAGE, live_campaign, write_live_specification

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: the machine lends its uplink")

WORKLOAD_BYTES = 500_000


class LiveTrial:
    """A trial of live services on a machine of the test's own, and what it left."""

    def __init__(self, directory: Path, *services: dict[str, Any], duration_s: int) -> None:
        campaign = live_campaign(*services, duration_s=duration_s)
        self.config = directory / "config.json"
        self.config.write_text(json.dumps(to_json(campaign)))
        spec = write_live_specification(campaign, directory / "01.json", *services)
        self.directory = directory / "trials/01"
        with exclusive_host_lock():  # The test machine has a lock of its own.
            self.told = run_in_namespaces(str(spec), str(self.directory))


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    return LiveTrial(tmp_path_factory.mktemp("live"), FILE, FILM, duration_s=14)


@pytest.fixture(scope="module")
def record(trial) -> dict[str, Any]:
    found = json.loads((trial.directory / "trial.json").read_text())
    assert (found["status"], found["reason"]) == ("completed", None)
    return found


@pytest.fixture(scope="module")
def parquet(trial, record) -> Path:
    folder = trial.directory.parent / "parquet"
    extract(trial.directory, folder, key=folder.parent / "key", config=trial.config)
    build_trial(folder, folder, trial.config)
    return folder


def test_nothing_is_left_on_the_machine(trial, record):
    assert trial.told == IDLE


def test_what_the_services_sent_passed_the_bottleneck(trial, parquet):
    """Its log has packets from the server's own address, so no proxy stood in between."""
    flows = json.loads((trial.directory / "flows.json").read_text())
    of_server = [str(number) for number, flow in enumerate(flows) if WEB == flow["source"]]
    rows = duckdb.sql(
        f"select client, sum(frame_bytes) from '{parquet}/queue.parquet' "
        f"where verdict = 'forwarded' and flow in ({', '.join(of_server)}) group by 1 order by 1"
    ).fetchall()
    assert [client for client, _ in rows] == ["c1", "c2"]
    assert all(size > WORKLOAD_BYTES for _, size in rows)


def test_every_rule_is_kept(parquet):
    """Conservation, captures, losses: a live service is measured as well as a self-hosted one."""
    broken = duckdb.sql(f"select rule, figure from '{parquet}/validity.parquet' where not valid").fetchall()
    assert [] == [found for found in broken if found[0] not in BROKEN_BY_LOAD]


def test_a_download_is_counted_as_it_arrives(trial, record):
    """Two services share the link of 8 Mbps."""
    seen = json.loads((trial.directory / "qoe.json").read_text())["c1"]
    assert 8e6 / 8 * 14 > seen["received_bytes"] > 500_000
    assert sum(size for _, _, size in seen["intervals"]) <= seen["received_bytes"]
    assert (seen["headless"], record["clients"][0]["headless"]) == (True, True)


def test_a_film_whose_page_reports_nothing_is_watched(trial, record):
    seen = json.loads((trial.directory / "qoe.json").read_text())["c2"]
    assert 0 < seen["startup_s"] < seen["startup_s"] + seen["played_s"] <= 14
    assert [72] == [step["height"] for step in seen["heights"]]
    assert seen["frames"]["shown"] > 0


@pytest.mark.soak(minutes=1)
def test_a_page_is_loaded_again_and_again(tmp_path):
    trial = LiveTrial(tmp_path, PAGE, duration_s=14)
    record = json.loads((trial.directory / "trial.json").read_text())
    assert (record["status"], record["reason"]) == ("completed", None)
    loads = json.loads((trial.directory / "qoe.json").read_text())["c1"]["loads"]
    assert len(loads) == 2
    assert all(load["load_event_s"] > record["link"]["rtt_ms"] / 1e3 for load in loads)
