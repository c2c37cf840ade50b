"""No published byte tells anything private: a live trial that is full of markers, its tables, its pages."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard

from scripts.base.files import ROOT
from scripts.base.records import from_json, to_json
from scripts.extract.extract_trial import extract
from scripts.extract.trial_files import HANDSHAKES
from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.services import Service
from scripts.model.trials import TrialKey
from scripts.plan.campaign_file import load_campaign
from scripts.plan.specification_writer import specification
from scripts.snapshot.rebuild import CAMPAIGN, CYCLE, stage
from tests.end_to_end.marked_trial import KNOWN_HERE, MARKERS, MARKERS_HERE, MARKERS_SENT, SERVICE, run_marked
from tests.end_to_end.markers import find

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: the machine lends its uplink")

KEY = TrialKey("8mbps", SERVICE["name"], 1)
PUBLISHED = ("plan", "published", "tables", "charts")
"""The folders of a cycle that are published, besides the site."""


class MarkedCycle:
    """A cycle with one trial, which is full of markers, and its site."""

    def __init__(self, folder: Path) -> None:
        demo = load_campaign("demo")
        campaign = replace(
            demo,
            services=demo.services | {SERVICE["name"]: from_json(Service, SERVICE, "the test")},
            trial=replace(demo.trial, duration_s=10, ignore_first_s=3, kinds={}),
        )
        measured = folder / KNOWN_HERE["user name"]
        spec = measured / "plan/specs" / KEY.path.with_suffix(".json")
        spec.parent.mkdir(parents=True)
        spec.write_text(json.dumps(to_json(specification(campaign, "test", KEY))))
        (measured / "plan/config.json").write_text(json.dumps(to_json(campaign)))
        write_plan_table([PlanLine(1, 1, KEY, 10)], measured / "plan/plan.csv")
        self.trial = measured / "trials" / KEY.path
        self.known = run_marked(spec, self.trial)
        self.cycle = stage(measured, folder / "data")
        self.public = folder / "public"
        self._build()

    def _build(self) -> None:
        command = [sys.executable, "-m", "snakemake", "--nolock", "--cores", "all", "--quiet", "all"]
        command += ["--rerun-triggers", "mtime", "--config", f"data={self.cycle.parent.parent}"]
        command += [f"public={self.public}", f"campaign={CAMPAIGN}", f"cycle={CYCLE}", "frozen=True"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        logs = "".join(log.read_text() for log in self.cycle.glob("logs/**/*.log"))
        assert done.returncode == 0, done.stderr + logs


@pytest.fixture(scope="module")
def cycle(tmp_path_factory):
    return MarkedCycle(tmp_path_factory.mktemp("marked"))


def test_the_trial_is_completed_and_the_markers_were_there(cycle):
    record = json.loads((cycle.trial / "trial.json").read_text())
    assert ("completed", None) == (record["status"], record["reason"])
    known = json.dumps(cycle.known)
    assert [] == [marker.name for marker in MARKERS_HERE if marker.text not in known]
    with zstandard.open(cycle.trial / HANDSHAKES, "rb") as file:
        packets = file.read()
    assert [] == [marker.name for marker in MARKERS_HERE if marker.text not in known]
    with zstandard.open(cycle.trial / HANDSHAKES, "rb") as file:
        packets = file.read()
    assert [] == [marker.name for marker in MARKERS_SENT if not marker.in_bytes(packets, binary=True)]


def test_no_published_byte_tells_a_marker(cycle):
    folders = [cycle.cycle / name for name in PUBLISHED] + [cycle.public]
    kinds = {path.suffix for folder in folders for path in folder.rglob("*")}
    assert kinds > {".zst", ".json", ".parquet", ".csv", ".svg", ".html"}
    assert [] == [f"{folder.name}/{found}" for folder in folders for found in find(MARKERS, folder)]


def test_the_published_trial_gives_the_tables_of_the_private_one(cycle, tmp_path):
    """The cycle's own tables are made of the private trial."""
    extract(cycle.cycle / "published" / KEY.path, tmp_path)
    private = cycle.cycle / "parquet" / KEY.path
    for table in ("clients", "flows", "queue", "senders", "qoe"):
        name = f"{table}.parquet"
        assert (private / name).read_bytes() == (tmp_path / name).read_bytes(), table
    packets = [pq.read_table(folder / "packets.parquet") for folder in (private, tmp_path)]
    assert packets[0].num_rows > 1000
    assert packets[0].equals(packets[1])


def test_tshark_finds_no_bad_checksum_in_the_published_capture(cycle):
    layers = ("ip", "tcp", "udp")
    options = [word for layer in layers for word in ("-o", f"{layer}.check_checksum:TRUE")]
    fields = [word for layer in layers for word in ("-e", f"{layer}.checksum.status")]
    capture = cycle.cycle / "published" / KEY.path / "client-c1.pcapng.zst"
    command = ["tshark", "-r", capture, *options, "-T", "fields", *fields]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    bad, good = "0", "1"
    assert good in found
    assert bad not in found


def test_the_workload_is_still_told(cycle):
    flows = pq.read_table(cycle.cycle / "tables/trial_flows.parquet").to_pylist()
    assert "*.cdn-of-films.com" in {flow["name"] for flow in flows if flow["workload"]}
    names = {flow["name"] for flow in flows}
    assert {"tracker.com", None} < names  # the browser's own requests are there too
    assert "meet-p2xc8.com" not in names


def test_the_key_is_private_and_is_in_no_published_folder(cycle):
    key = cycle.cycle / "private/pseudonyms.key"
    assert 0o600 == key.stat().st_mode & 0o777
    content = key.read_bytes()
    for folder in [*(cycle.cycle / name for name in PUBLISHED), cycle.public]:
        for path in folder.rglob("*"):
            assert not (path.is_file() and content in path.read_bytes()), path


def test_a_search_of_the_private_trial_finds_markers(cycle, tmp_path):
    """Without publication there is something to find."""
    shutil.copytree(cycle.trial, tmp_path / "trial")
    found = " ".join(find(MARKERS, tmp_path))
    assert [] == [marker.name for marker in MARKERS_SENT if marker.name not in found]
