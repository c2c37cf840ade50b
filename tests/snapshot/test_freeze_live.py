"""A frozen cycle of live services has published copies of its trials, and needs no key."""

import json
import shutil
from pathlib import Path

import pytest

from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from scripts.snapshot import freeze as freezing
from scripts.snapshot.freeze import freeze
from scripts.snapshot.source_archive import SOURCE_ARCHIVE as SOURCE
from scripts.tables.table_list import EVERY
from tests.extract.live_trial import SERVER, write_live_trial

KEY = TrialKey("8mbps", "iperf-cubic~live-video", 1)


@pytest.fixture
def cycle(tmp_path, monkeypatch):
    """A measured cycle, without what is rebuilt from its trials."""
    trial, config = write_live_trial(tmp_path)
    cycle = tmp_path / "data/live/cycle"
    for source, target in ((trial, cycle / "trials" / KEY.path), (config, cycle / "plan/config.json")):
        target.parent.mkdir(parents=True)
        shutil.move(source, target)
    spec = cycle / "plan/specs" / KEY.path.with_suffix(".json")
    spec.parent.mkdir(parents=True)
    spec.write_text("{}")
    write_plan_table([PlanLine(1, 1, KEY, 10)], cycle / "plan/plan.csv")
    monkeypatch.setattr(freezing, "rebuild", make_empty_tables)
    monkeypatch.setattr(freezing, "write_metadata", lambda made: {})
    return cycle


def make_empty_tables(staged):
    """Stands in for the rules."""
    for folder in ("tables", "charts/cycle", Path("charts/trials", KEY.path.parent), "compared"):
        (staged / folder).mkdir(parents=True, exist_ok=True)
    for table in EVERY:
        (staged / f"tables/{table}.parquet").touch()
    (staged / "tables/cycle.json").write_text('{"campaign": "live", "cycle": "cycle"}')
    (staged / "compared/comparison.json").write_text("{}")


def test_a_snapshot_has_pseudonyms_and_no_private_file_and_is_frozen_again_without_a_key(cycle, tmp_path):
    freeze(cycle, tmp_path / "snapshot", again=True)
    key = (cycle / "private/pseudonyms.key").read_bytes()
    freeze(tmp_path / "snapshot", tmp_path / "again", again=True)
    for snapshot in (tmp_path / "snapshot", tmp_path / "again"):
        files = [path for path in snapshot.rglob("*") if path.is_file()]
        assert {"private.json", "handshakes.pcapng.zst", "pseudonyms.key"}.isdisjoint(
            path.name for path in files
        )
        measured = [path for path in files if path.name != SOURCE]  # the code of this test names the server
        assert not any(key in path.read_bytes() or SERVER.encode() in path.read_bytes() for path in measured)
        assert json.loads((snapshot / "trials" / KEY.path / "trial.json").read_text())["pseudonyms"] is True
    assert not (tmp_path / "snapshot/private").exists()
