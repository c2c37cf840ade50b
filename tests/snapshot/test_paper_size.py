"""A snapshot of the paper's size: what is fetched of it to verify it and to rebuild one cell; minutes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from scripts.model.plan_file import read_plan
from scripts.snapshot.choice import Asked, Content, part_of
from scripts.snapshot.part import needed
from scripts.snapshot.provision import open_snapshot
from scripts.snapshot.sign import sign
from scripts.snapshot.signers import read_signers
from scripts.snapshot.trust import Policy
from tests.bench.generated import TRIALS_A_PAIR
from tests.bench.generated_snapshot import write_snapshot
from tests.bench.published_snapshot import FOLDER, bytes_of, publish
from tests.site.serving import Server
from tests.snapshot.signed_archive import line_of, make_key

SERVICES, SECONDS = 12, 600
CELL = "pairs/8mbps/s01~s02"

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A signed snapshot in the folder `snapshots`, the site `public`, and the keys."""
    folder = tmp_path_factory.mktemp("paper")
    snapshot = folder / "snapshots" / FOLDER
    write_snapshot(snapshot, SERVICES, TRIALS_A_PAIR, SECONDS)
    publish(snapshot, folder / "public")
    key = make_key(folder / "keys", "operator")
    (folder / "keys/allowed_signers").write_text(line_of(key))
    sign(snapshot, key, datetime.now(UTC), read_signers(folder / "keys/allowed_signers"))
    return folder


def test_a_cell_needs_one_percent_of_the_bytes(root, tmp_path):
    """The pair's trials and those of its services alone, all metadata, and the tables that are compared."""
    policy = Policy(read_signers(root / "keys/allowed_signers"), datetime.now(UTC))
    with Server.of_command(root / "public", root / "snapshots") as server:
        url = f"http://127.0.0.1:{server.port}/snapshots/{FOLDER}/"
        snapshot = open_snapshot(url, None, tmp_path, policy)
        metadata = bytes_of(tmp_path)
        trials = tuple(line.key for line in read_plan(root / "snapshots" / FOLDER / "plan/plan.csv"))
        part = part_of(Asked(only=CELL), Content(trials, frozenset(snapshot.listed)))
        snapshot.bring(snapshot.sizes(needed(part, snapshot.listed.keys())))
    total, fetched = bytes_of(root / "snapshots" / FOLDER), bytes_of(tmp_path)
    assert (1_800, 3 * TRIALS_A_PAIR) == (len(trials), len(part.trials))
    print(
        f"{len(snapshot.listed):,} files, {total / 1e6:,.1f} MB; metadata {metadata / 1e6:.1f} MB; ", end=""
    )
    print(f"{CELL}: {fetched / 1e6:.1f} MB fetched in all, {fetched / total:.2%}")
    assert fetched <= total / 100
