"""The panel of a host with submissions, one of which is measured, is that of a host without, byte for byte.

Both hosts run the whole of a cycle by the command line, with simulated trials. It takes a few minutes.
"""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from scripts.model.submission import (
    Submission,
    folder_of,
    locked_submissions,
    read_submissions,
    write_submission,
)
from tests.operate.year.comparison import differences, digests
from tests.operate.year.project import ANCHOR, SERVICES, TRIAL_S, TRIALS, Observatory

pytestmark = [pytest.mark.processes, pytest.mark.soak(minutes=3)]

LONGEST_S = 1800
SLOT = datetime.fromisoformat(f"{ANCHOR}T03:00:00").replace(tzinfo=UTC)
SECRET = {"name": "Wonder", "contact": "wonderer@example.org", "address": "https://wonder.example/"}
MEASURED, WAITING, GONE = "aaaa1111", "bbbb2222", "cccc3333"


def submit(host: Observatory, identity: str, **changes: object) -> None:
    """Add a submission, whose service is a copy of one in the catalogue: its trials can be simulated."""
    made = Submission(
        id=identity, shown_host="wonder.example", kind="download", workload=(), code="c1",
        release="2027-05-01", settings=("8mbps",), contenders=(SERVICES[0],), token=identity * 4,
        added=f"{ANCHOR}T00:00:00Z",
        **SECRET, **changes,
    )  # fmt: skip
    service = yaml.safe_load((host.root / f"services/catalogue/{SERVICES[1]}.yaml").read_text())
    service |= {"name": made.campaign, "title": "Wonder (submitted)"}
    campaign = {
        "title": "Wonder",
        "services": [made.campaign, SERVICES[0]],
        "trials": TRIALS,
        "trial": TRIAL_S,
    }
    campaign |= {"settings": {"50mbps": None}, "pairs": [f"{SERVICES[0]}~{made.campaign}"]}
    folder = folder_of(host.root / "data", made) / "definition"
    (folder / "services").mkdir(parents=True)
    (folder / "campaign.yaml").write_text(yaml.safe_dump(campaign))
    (folder / f"services/{made.campaign}.yaml").write_text(yaml.safe_dump(service))
    with locked_submissions(host.root / "data"):
        write_submission(host.root / "data", made)


@pytest.fixture(scope="module")
def hosts(tmp_path_factory) -> dict[str, Observatory]:
    """A host without submissions and one with three, after a run on the first slot."""
    made = {}
    for name in ("plain", "asked"):
        folder: Path = tmp_path_factory.mktemp(name)
        made[name] = Observatory(folder / "host", folder / "said", str(folder / "remote"))
    submit(made["asked"], MEASURED, approved=f"{ANCHOR}T00:00:00Z")
    submit(made["asked"], WAITING)
    submit(made["asked"], GONE, withdrawn=f"{ANCHOR}T00:00:00Z")
    for host in made.values():
        host.start(SLOT).wait(LONGEST_S)
    yield made
    for host in made.values():
        shutil.rmtree(host.root)


def published(host: Observatory) -> Path:
    return host.root.parent / "remote"


def test_the_approved_submission_is_measured_in_a_folder_of_its_own(hosts):
    data = hosts["asked"].root / "data"
    states = {one.id: one.state for one in read_submissions(data)}
    assert {MEASURED: "measured", WAITING: "waiting", GONE: "withdrawn"} == states, hosts[
        "asked"
    ].said.read_text()
    (snapshot,) = (data / f"submissions/{MEASURED}/data/snapshots").glob("submission-*")
    assert (snapshot / "SHA256SUMS").is_file() and not (snapshot / "parquet").exists()
    assert [f"simulated-{ANCHOR}"] == [path.name for path in (data / "snapshots").glob("*-*")]


def test_everything_that_is_published_of_the_panel_is_the_same(hosts):
    first, second = (published(host) for host in hosts.values())
    own = {name for name in digests(second) if name.startswith("unlisted/")}
    assert len(digests(first)) > 100
    assert own == set(differences(first, second))


def test_nothing_that_is_published_names_a_submission(hosts):
    words = [MEASURED, WAITING, GONE, *SECRET.values(), "wonder.example"]
    root = published(hosts["asked"])
    files = [path for path in root.rglob("*") if path.is_file() and "unlisted" not in path.parts]
    found = {path.relative_to(root) for path in files for word in words if word.encode() in path.read_bytes()}
    assert found == set()
