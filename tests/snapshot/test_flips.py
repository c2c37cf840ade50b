"""A thousand random flips of one bit over a signed snapshot, its chain and its signatures are all refused."""

import random
import shutil
from datetime import UTC, datetime

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.snapshot.absent import remove
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import read_signers
from scripts.snapshot.source import Folder
from scripts.snapshot.trust import Policy
from scripts.snapshot.verify import verify
from tests.snapshot.signed_archive import line_of, make_key

pytestmark = pytest.mark.soak(minutes=2)

FLIPS, SEED = 1000, 17
KEPT = 4
"""So many trials are kept. With all, each verification would take a third of a second."""
NOW = datetime(2027, 1, 1, tzinfo=UTC)
PROOFS = ("SHA256SUMS", "SHA256SUMS.sig", "snapshot.json", "tombstone.json", "tombstone.json.sig")
PROOFS += ("chain.jsonl", "chain.jsonl.sig")


@pytest.fixture(scope="module")
def signed(tmp_path_factory):
    """The pinned snapshot with fewer trials and one removed capture, signed by a key of this test."""
    root = tmp_path_factory.mktemp("flips")
    snapshot = root / "snapshots/reference"
    shutil.copytree(ROOT / "data/snapshots/reference", snapshot)
    for trial in sorted(snapshot.glob("trials/*/*/*"))[KEPT:]:
        shutil.rmtree(trial)
    write_checksums(snapshot)
    (root / "keys").mkdir()
    key = make_key(root / "keys", "operator")
    (root / "keys/allowed_signers").write_text(line_of(key))
    capture = min(snapshot.rglob("client-c1.pcapng.zst"))
    remove(snapshot, [capture.relative_to(snapshot).as_posix()], "Asked for", "2027-01-01")
    sign(snapshot, key, NOW, read_signers(root / "keys/allowed_signers"))
    return root


def test_every_flip_is_refused(signed):
    """Half of the flips are in the files that prove the others."""
    draw = random.Random(SEED)
    policy = Policy(read_signers(signed / "keys/allowed_signers"), NOW)
    source = Folder(signed / "snapshots/reference")
    every = (path for path in (signed / "snapshots").rglob("*") if path.is_file())
    files = sorted(path for path in every if path.stat().st_size)
    proofs = [path for path in files if path.name in PROOFS]
    assert len(proofs) == len(PROOFS)
    verify(source, policy)
    accepted = []
    for number in range(FLIPS):
        path = draw.choice(proofs if number % 2 else files)
        content = path.read_bytes()
        place, bit = draw.randrange(len(content)), draw.randrange(8)
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])
        try:
            verify(source, policy)
            accepted.append((path, place, bit))
        except UserError:
            pass
        finally:
            path.write_bytes(content)
    assert accepted == []
    verify(source, policy)
