"""A browser in the hands of a hostile page reaches nothing but its own folder (hostile_chromedriver.py)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.base.files import ROOT
from scripts.extract.extract_trial import extract
from tests.end_to_end import test_live
from tests.end_to_end.test_live import LiveTrial
from tests.testbed.live_services import FILE, FILM

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: the machine lends its uplink")

MARKER = "a-secret-of-the-operator"
OWN = "/run/confined"
TRIAL = "/run/trial"
FORBIDDEN = [
    "/etc/shadow", "/etc/passwd", "/etc/hostname", "/etc/machine-id", "/root/.ssh", "/home", "/var",
    "/proc/1/root", "/proc/1/environ", "/proc/1/maps", "/sys/class/net", "/dev/net/tun",
    "/dev/kmsg", "/run/netns", TRIAL,
    f"{TRIAL}/queue.bin", f"{TRIAL}/client-c1.pcapng", f"{TRIAL}/logs", f"{TRIAL}/drivers/c1/use",
    f"{TRIAL}/drivers/c2/use/home", str(ROOT / "data"), str(ROOT / "tests"),
    str(ROOT / "config/browser.yaml"),
]  # fmt: skip
SEEN = [f"{OWN}/shared/browser.json", "/etc/resolv.conf", str(ROOT / "services")]
UNWRITABLE = [
    "/run/x", "/etc/x", "/usr/x", "/usr/src/x", "/x", str(ROOT / "services/x"), f"{OWN}/shared/x",
    f"{OWN}/shared/finish", f"{OWN}/shared/browser.json", f"{TRIAL}/x", "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger", "/sys/fs/cgroup/x",
]  # fmt: skip
WRITABLE = [f"{OWN}/x", "/tmp/x"]

SCRIPT = """
set -e
mount --make-rprivate /
driver=$(readlink -f /usr/bin/chromedriver)
mount -t tmpfs tmpfs /usr/src
cp "$driver" /usr/src/chromedriver
cp "$1"/hostile_chromedriver.py /usr/src/hostile && chmod 755 /usr/src/hostile
cp "$1"/targets.json /usr/src
mount --bind /usr/src/hostile "$driver"
mount --bind "$1"/browser.yaml "$2"
shift 2
exec "$@"
"""


class HostileTrial(LiveTrial):
    """A trial of two live services whose browsers are hostile, and what they must not touch."""

    def __init__(self, folder: Path) -> None:
        self.private = folder / "private"
        self.private.write_text(MARKER)
        self.private.chmod(0o600)
        self.readable = folder / "readable"
        self.readable.write_text(MARKER)
        profile = folder / "profiles/live-film/Default"
        profile.mkdir(parents=True)
        (profile / "Notes").write_text(MARKER)
        settings = {"window": "headless", "profiles": str(folder / "profiles"), "addresses": {}}
        (folder / "browser.yaml").write_text(yaml.safe_dump(settings))
        files = [str(self.private), str(self.readable), str(profile), str(folder / "01.json")]
        targets = {
            "marker": MARKER,
            "python": [sys.prefix, sys.base_prefix],
            "read": [*FORBIDDEN, *files, *SEEN],
            "write": [*UNWRITABLE, *files, *WRITABLE],
            "linked": [str(self.private), f"{TRIAL}/queue.bin", f"{TRIAL}/client-c1.pcapng", "/etc/shadow"],
        }
        (folder / "targets.json").write_text(json.dumps(targets))
        wrapper = Path(__file__).with_name("hostile_chromedriver.py")
        (folder / wrapper.name).write_text(wrapper.read_text())
        super().__init__(folder, FILE, FILM, duration_s=14)

    def found(self, client: str, file: str = "report.log") -> Any:
        """What the hostile browser of this client reached."""
        return json.loads((self.directory / f"logs/{client}-use/{file}").read_text())


def run_hostile(*argv: str) -> Any:
    """As run_in_namespaces, with the hostile chromedriver in place of the machine's."""
    folder = Path(argv[0]).parent
    run = f"import json; from tests.testbed import internet; x = internet.run_in_namespaces(*{argv})"
    command = [
        "unshare",
        "--mount",
        "bash",
        "-c",
        SCRIPT,
        "bash",
        str(folder),
        str(ROOT / "config/browser.yaml"),
    ]
    done = subprocess.run(
        [*command, sys.executable, "-c", f"{run}; print(json.dumps(x))"],
        check=True,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"OPERATORS_SECRET": MARKER},
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def trial(tmp_path_factory) -> HostileTrial:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(test_live, "run_in_namespaces", run_hostile)
        return HostileTrial(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module", params=["c1", "c2"])
def report(request, trial) -> dict[str, Any]:
    return trial.found(request.param)


def test_the_trial_is_completed_and_its_files_are_whole(trial, tmp_path):
    record = json.loads((trial.directory / "trial.json").read_text())
    assert (record["status"], record["reason"]) == ("completed", None)
    extract(trial.directory, tmp_path, key=tmp_path / "key", config=trial.config)
    observed = json.loads((trial.directory / "qoe.json").read_text())
    assert all(seen["received_bytes"] > 100_000 for seen in observed.values())


def test_it_sees_its_own_files_and_no_others(report):
    assert SEEN == report["read"]
    assert WRITABLE == report["written"]


def test_it_reaches_no_other_process_and_gets_no_privilege(report):
    assert [] == report["processes"]
    assert [] == report["gained"]


def test_it_finds_no_secret_but_those_of_its_own_profile(trial):
    assert [] == trial.found("c1", "secrets.log")
    own = trial.found("c2", "secrets.log")
    assert f"{OWN}/prepared/Default/Notes" in own
    assert all(path.startswith(OWN) for path in own)


def test_its_environment_has_nothing_of_the_operators(report):
    assert {"HOME", "LANG", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "TMPDIR"} >= set(
        report["environment"]
    ) - {"PWD", "SE_MANAGER_PATH", "LC_CTYPE"}


def test_its_links_lead_nowhere(trial):
    assert (trial.private.read_text(), trial.readable.read_text()) == (MARKER, MARKER)
    kept = [path for path in (trial.directory / "logs").rglob("*") if path.is_file()]
    assert all(MARKER.encode() not in path.read_bytes() for path in kept)
    assert {path.name for path in (trial.directory / "logs/c1-use").iterdir()} <= {
        "chromedriver.log", "report.log", "secrets.log", "x", *(f"z{number}" for number in range(50)),
    }  # fmt: skip
