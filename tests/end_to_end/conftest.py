"""Real trials, as short as possible. They need root, or a /dev/net/tun that this user may open."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts.base.records import from_json, to_json
from scripts.model.campaign import WebTimes
from scripts.model.pairs import members
from scripts.model.settings import Setting
from scripts.model.trials import TrialKey
from scripts.plan.campaign_file import load_campaign, load_service
from scripts.plan.specification_writer import specification
from tests.end_to_end.running import RunningTrial
from tests.testbed.sample_specification import in_order_of_name, write_specification

BROKEN_BY_LOAD = {
    "clock_step_ms",
    "sender_wait_fraction",
    "client_wait_fraction",
    "lateness_p99_fraction",
    "longest_stall_rtt",
    "rtt_error_ms",
}
"""Rules of validity that work of others on the host can break."""


@pytest.fixture(autouse=True, scope="session")
def testbed_usable():
    if not (os.geteuid() == 0 or os.access("/dev/net/tun", os.R_OK | os.W_OK)):
        pytest.skip("needs root or a /dev/net/tun that this user may open")


def make_spec(
    directory: Path,
    pair: str,
    duration_s: int = 6,
    number: int = 1,
    ignore_first_s: int = 2,
    loads: int = 2,
    limit_s: int = 45,
    parallel: int = 1,
    **keys: Any,
) -> Path:
    """A specification as the plan writes it: a short trial in the 8 Mbps setting, with these keys changed.

    A page is loaded `loads` times, each half of that time after the end of the load before. Its contender
    starts `ignore_first_s` earlier.
    """
    demo = load_campaign("demo")
    times = replace(
        demo.trial,
        duration_s=duration_s,
        ignore_first_s=ignore_first_s,
        kinds={},
        web=WebTimes(lead_s=ignore_first_s, loads=loads, gap_s=duration_s // 2, limit_s=limit_s),
    )
    setting = from_json(Setting, {**to_json(demo.settings["8mbps"]), **keys}, "the test")
    services = {name: load_service(name, "the test") for name in members(pair)}
    short = replace(
        demo,
        trial=times,
        services=demo.services | services,
        settings={"8mbps": setting},
        parallel=parallel,
    )
    spec = in_order_of_name(specification(short, "test", TrialKey("8mbps", pair, number)))
    return write_specification(spec, directory / f"{number:02d}.json")


@pytest.fixture
def start_trial(tmp_path) -> Callable[..., RunningTrial]:
    """Start a trial in the background, which is killed at the end of the test."""
    started: list[RunningTrial] = []

    def start(
        pair: str = "iperf-cubic",
        environment: dict[str, str] | None = None,
        duration_s: int = 6,
        parallel: int = 1,
    ) -> RunningTrial:
        spec = make_spec(tmp_path, pair, duration_s, parallel=parallel)
        running = RunningTrial(spec, tmp_path / "trials/01", environment)
        started.append(running)
        return running

    yield start
    for running in started:
        running.end()
