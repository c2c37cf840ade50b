"""Pruning with published copies that rclone reads back."""

import json
from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.operate.publishing import publish
from scripts.operate.settings import Retention
from scripts.operate.step_actions import prune
from scripts.snapshot.absent import verify_checksums
from tests.operate.host import complete, copied, stored
from tests.site.generated_archive import cycle_name

CYCLE = cycle_name(0)
CAPTURE = "8mbps/iperf-bbr~iperf-cubic/01/client-c1.pcapng.zst"


@pytest.fixture
def done(first_host, tmp_path, monkeypatch):
    """A host with one completed cycle and its working folder, the published copies, and the snapshot."""
    monkeypatch.chdir(tmp_path)
    context = copied(first_host, tmp_path, str(tmp_path / "a remote"))
    publish(context)
    complete(context, CYCLE)
    (context.cycle(CYCLE) / "rows").mkdir(parents=True)
    (context.cycle(CYCLE) / "rows/one.parquet").write_bytes(bytes(1000))
    return context, tmp_path / "a remote", context.snapshots / f"demo-{CYCLE}"


def keeping(context, trials, work):
    """The same host with another retention."""
    return replace(context, settings=replace(context.settings, retention=Retention(trials, work)))


@pytest.mark.soak(minutes=1)
def test_trials_go_first_and_the_working_folder_later_with_all_copies_read_again(done):
    context, remote, snapshot = done
    published = stored(remote)
    assert prune(keeping(context, 0, 1)).startswith(f"the trials of demo {CYCLE}: ")
    assert not (snapshot / "trials" / CAPTURE).exists()
    assert verify_checksums(snapshot) > 0
    capture = remote / f"captures/demo/{CYCLE}" / CAPTURE
    content = capture.read_bytes()
    capture.write_bytes(b"x" * len(content))
    with pytest.raises(UserError, match="has another SHA-256 there"):
        prune(keeping(context, 0, 0))
    assert context.cycle(CYCLE).is_dir()
    capture.write_bytes(content)
    assert prune(keeping(context, 0, 0)).startswith(f"the working folder of demo {CYCLE}: ")
    assert not context.cycle(CYCLE).exists()
    publish(context)
    assert published == stored(remote)


def test_nothing_goes_while_the_remote_is_away(done):
    context, remote, snapshot = done
    remote.rename(remote.with_name("away"))
    with pytest.raises(UserError, match=f"the trials of demo {CYCLE}"):
        prune(keeping(context, 0, 0))
    assert (snapshot / "trials" / CAPTURE).exists()
    assert context.cycle(CYCLE).is_dir()
    assert not (snapshot / "pruned.json").exists()


def test_pruned_json_says_how_much_went(done):
    context, remote, snapshot = done
    prune(keeping(context, 0, 1))
    told = json.loads((snapshot / "pruned.json").read_text())
    gone = [path for path in (remote / "captures").rglob("*") if path.is_file() and path.name != "trial.json"]
    assert {**told, "date": None} == {
        "date": None,
        "remote": str(remote),
        "files": len(gone),
        "bytes": sum(path.stat().st_size for path in gone),
    }
