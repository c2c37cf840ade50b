"""The stack ngtcp2 from Debian: it offers what its build offers, and transfers with two controllers."""

import json
import re
import shutil
import subprocess

import pytest

from scripts.base.files import ROOT
from scripts.model.endpoint import read_endpoint, read_versions
from services.endpoint import STOP_S
from tests.services.endpoint.running import Running

STACK = ROOT / "services/stacks/ngtcp2"
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("gtlsserver", "gtlsclient"))), reason="needs ngtcp2-server and ngtcp2-client"
)


def test_it_offers_every_controller_of_its_build_and_says_what_each_is():
    endpoint = read_endpoint(STACK)
    usage = subprocess.run(["gtlsserver", "--help"], capture_output=True, text=True, check=True).stdout
    offered = re.search(r"--cc=\((\S+)\)", usage)[1].split("|")
    printed = subprocess.run(endpoint.versions, cwd=STACK, capture_output=True, check=True).stdout
    told = read_versions(json.loads(printed), "versions")
    assert sorted(offered) == sorted(endpoint.controllers) == sorted(told.controllers)
    assert re.fullmatch(r"\d+\.\d+\.\d+", told.version)


@pytest.mark.traffic
@pytest.mark.parametrize("cca", ["cubic", "bbr2"])
def test_it_transfers_and_stores_nothing(namespace, tmp_path, cca):
    (tmp_path / "endpoint").symlink_to(STACK)
    running = Running(namespace, tmp_path, cca=cca)
    try:
        observation, end = running.observed(4), running.stopped()
    finally:
        running.end()
    assert observation["received_bytes"] > 10_000_000
    assert (1, 0, 0) == (
        observation["client_runs"],
        observation["left_processes"],
        observation["written_bytes"],
    )
    assert max(observation["stop_s"], end["stop_s"]) < STOP_S
    assert (0, 0) == (end["left_processes"], end["written_bytes"])
