"""Two submitted services on the tests' Internet: one is measured, unlisted and released, one is withdrawn.

The panel is the campaign `smoke`, whose trials take five seconds. Its cycle is complete before. Each trial
has a real browser, the real switch and the routed uplink. It takes some minutes.
"""

import os
import subprocess
import sys
import tarfile
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest
import yaml

from scripts.base.files import ROOT
from scripts.model.submission import Submission, read_submissions
from scripts.operate.context import iso
from scripts.operate.records import CycleRecord, write_cycle
from scripts.operate.settings import read_settings
from scripts.operate.submissions.desk import add, desk_of
from testbed.host_lock import exclusive_host_lock
from tests.testbed.internet import run_in_namespaces

pytestmark = [
    pytest.mark.soak(minutes=3),
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: the machine lends its uplink"),
]

TODAY = datetime.now(UTC).date()
RELEASE = TODAY + timedelta(30)
PANEL = "smoke"
ADDRESSES = {"Film": "http://files.example/film.html", "Other film": "http://files.example/film.html?other"}


class Observatory:
    """Settings, data, site and remote in a folder, and the commands of the operator."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data, self.remote = folder, folder / "data", folder / "remote"
        settings = yaml.safe_load((ROOT / "config/operate.yaml").read_text())
        settings |= {"campaign": PANEL, "variables": {"provisional": False}}
        settings["schedule"] |= {"anchor": TODAY.isoformat(), "period_days": 300, "stale_days": 600}
        settings["publish"] |= {"remote": str(self.remote), "rclone_config": None}
        settings["health"] |= {"disk_reserve_gb": 1, "load_fraction": 1, "clock": "warning", "canary_s": 14}
        settings["submissions"] |= {"http": True}
        self.settings = folder / "operate.yaml"
        self.settings.write_text(yaml.safe_dump(settings))
        begun = f"{TODAY}T00:00:00Z"
        write_cycle(
            self.data / "operate", CycleRecord(PANEL, TODAY.isoformat(), True, begun, completed=begun)
        )

    def submissions(self, *words: str) -> str:
        """Run `scripts.operate submissions`, and return what it printed."""
        command = [sys.executable, "-m", "scripts.operate", "submissions", *words, "--data", str(self.data)]
        return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout

    def add(self, name: str, code: str) -> None:
        """Submit a film. The names of the tests' Internet are not public: the command refuses them."""
        content = {"name": name, "address": ADDRESSES[name], "kind": "video", "contact": "me@example.org"}
        content |= {"code": code, "release": RELEASE.isoformat(), "contenders": ["iperf-cubic"]}
        path = self.folder / "submission.yaml"
        path.write_text(yaml.safe_dump(content))
        add(path, desk_of(self.data, read_settings(self.settings), is_public=lambda host: True))

    def run(self, day: date) -> list[str]:
        """The command of a run on a day."""
        now = iso(datetime.combine(day, time(23, 59), UTC))
        words = [sys.executable, "-m", "scripts.operate", "run", "--config", str(self.settings), "--now", now]
        return [*words, "--data", str(self.data), "--public", str(self.folder / "public")]

    def record(self, name: str) -> Submission:
        """The record of a submission."""
        return next(one for one in read_submissions(self.data) if one.name == name)

    def files(self) -> set[str]:
        """What the remote has."""
        paths = (path for path in self.remote.rglob("*") if path.is_file())
        return {path.relative_to(self.remote).as_posix() for path in paths}


@pytest.fixture(scope="module")
def observatory(tmp_path_factory) -> Observatory:
    """An observatory with two submissions; the approved one is measured."""
    made = Observatory(tmp_path_factory.mktemp("observatory"))
    expires = (TODAY + timedelta(60)).isoformat()
    code = made.submissions("code", "new", "--tests", "2", "--expires", expires, "--for", "a test").strip()
    for name in ADDRESSES:
        made.add(name, code)
    made.submissions("approve", made.record("Film").id)
    with exclusive_host_lock():  # The test machine has a lock of its own.
        status = run_in_namespaces(*made.run(TODAY), module="tests.end_to_end.submitted")
    assert status == 0, (made.record("Film").problem, (made.data / "operate/operate.log").read_text()[-3000:])
    return made


def test_the_approved_one_is_measured_and_the_other_one_waits(observatory):
    film, other = (observatory.record(name) for name in ADDRESSES)
    assert ("measured", "waiting") == (film.state, other.state)
    assert 0 < film.hours < 1 and film.problem is None


def test_its_unlisted_pages_and_its_bundle_are_at_an_address_of_their_own(observatory):
    film = observatory.record("Film")
    here = f"unlisted/{film.token}/"
    assert {f"{here}index.html", f"{here}bundle.tar"} <= observatory.files()
    with tarfile.open(observatory.remote / here / "bundle.tar") as bundle:
        names = bundle.getnames()
    assert any(name.endswith("SHA256SUMS") for name in names)
    assert any(name.endswith(".pcapng.zst") for name in names)
    assert "noindex" in (observatory.remote / here / "index.html").read_text()
    elsewhere = {name for name in observatory.files() if not name.startswith(here)}
    texts = (observatory.remote.joinpath(name).read_bytes() for name in elsewhere)
    assert not any(film.token.encode() in text or film.campaign.encode() in text for text in texts)


def test_on_its_day_it_is_released_and_the_withdrawn_one_leaves_nothing(observatory):
    film = observatory.record("Film")
    observatory.submissions("withdraw", observatory.record("Other film").id)
    assert 0 == subprocess.run(observatory.run(RELEASE), cwd=ROOT, check=False).returncode
    assert ["released", "withdrawn"] == [observatory.record(name).state for name in ADDRESSES]
    assert f"cycles/{film.campaign}/{film.cycle}/index.html" in observatory.files()
    assert f"snapshots/{film.campaign}-{film.cycle}/SHA256SUMS" in observatory.files()
    assert not [name for name in observatory.files() if name.startswith("unlisted/")]
    other = observatory.record("Other film").campaign
    assert not [name for name in observatory.files() if other in name]
