"""A snapshot of the paper's size: what is fetched of it to verify it and to rebuild one cell; minutes."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scripts.charts.trial_charts import chosen_of, draw_trial
from scripts.model.campaign import read_campaign
from scripts.model.pairs import members
from scripts.model.plan_file import read_plan
from scripts.snapshot.choice import Choice
from scripts.snapshot.reproduce import reproduce
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import read_signers
from scripts.snapshot.trust import Policy
from tests.bench.generated import TRIALS_A_PAIR, cycle_keys, paper_campaign
from tests.bench.generated_snapshot import names_of, write_snapshot
from tests.bench.published_snapshot import FOLDER, bytes_of, publish
from tests.site.serving import Server
from tests.snapshot.measured_cell import measured_trial
from tests.snapshot.signed_archive import line_of, make_key
from tests.tables.campaigns import write_campaign

SERVICES, DRAWN_S, MEASURED_S = 12, 600, 40
SETTING, PAIR = "8mbps", "s01~s02"
CELL = f"pairs/{SETTING}/{PAIR}"

pytestmark = pytest.mark.soak(minutes=10)


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A signed snapshot in the folder `snapshots`, the site `public`, and the keys."""
    folder = tmp_path_factory.mktemp("paper")
    snapshot = folder / "snapshots" / FOLDER
    names = names_of(SERVICES)
    config = write_campaign(folder / "config.json", paper_campaign(names))
    keys = [key for key in cycle_keys(names) if key.setting == SETTING and key.pair in (PAIR, *members(PAIR))]
    measured = {key: measured_trial(key, MEASURED_S, config, folder / "measured") for key in keys}
    rows = {key: one.rows for key, one in measured.items()}
    write_snapshot(snapshot, SERVICES, TRIALS_A_PAIR, DRAWN_S, rows)
    for table in snapshot.glob("tables/plan.*"):  # It is empty, and that of a rebuilt cell is not.
        table.unlink()
    draw_cell(snapshot)
    publish(snapshot, folder / "public", {key: one.published for key, one in measured.items()})
    key = make_key(folder / "keys", "operator")
    (folder / "keys/allowed_signers").write_text(line_of(key))
    sign(snapshot, key, datetime.now(UTC), read_signers(folder / "keys/allowed_signers"))
    return folder


def draw_cell(snapshot: Path) -> None:
    """Draw the trials of the cell, which have figures of their own."""
    tables, charts = snapshot / "tables", snapshot / "charts/trials"
    shutil.rmtree(charts / SETTING / PAIR)
    (cell,) = [one for one in chosen_of(tables) if (one.setting, one.pair) == (SETTING, PAIR)]
    for key in cell.keys:
        draw_trial(tables, read_campaign(snapshot / "plan/config.json"), charts, key)


def test_a_cell_is_rebuilt_from_one_percent_of_the_bytes(root, tmp_path):
    """From the captures of the pair's trials and of its services alone, with all metadata."""
    policy = Policy(read_signers(root / "keys/allowed_signers"), datetime.now(UTC))
    snapshot = root / "snapshots" / FOLDER
    with Server.of_command(root / "public", root / "snapshots") as server:
        url = f"http://127.0.0.1:{server.port}/snapshots/{FOLDER}/"
        words, same = reproduce(url, Choice(only=CELL), policy, tmp_path)
    total, fetched = bytes_of(snapshot), bytes_of(tmp_path / "snapshot")
    files = sum(path.is_file() for path in snapshot.rglob("*"))
    print(f"{files:,} files, {total / 1e6:,.1f} MB; {fetched / 1e6:.1f} MB fetched, {fetched / total:.2%}")
    print(words)
    assert same
    captures = [path.parent for path in (tmp_path / "snapshot/trials").rglob("*.pcapng.zst")]
    assert (1_800, 3 * TRIALS_A_PAIR) == (len(read_plan(snapshot / "plan/plan.csv")), len({*captures}))
    assert fetched <= total / 100
