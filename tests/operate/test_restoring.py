"""A dead host is restored from the remote, and goes on with the next cycle."""

import shutil

import pytest

from scripts.base.errors import UserError
from scripts.operate.publishing import publish
from scripts.operate.records import read_records
from scripts.operate.remote import Remote
from scripts.operate.restoring import restore
from scripts.operate.verifying import verify
from scripts.snapshot.pruned import read_pruned
from tests.operate.host import add_cycle, complete, copied, host, stored
from tests.site.generated_archive import cycle_name

TRIAL = f"captures/demo/{cycle_name(0)}/8mbps/iperf-bbr~iperf-cubic/01"


@pytest.fixture(scope="module")
def left(first_host, tmp_path_factory):
    """What a host published before it died. Copy it."""
    folder = tmp_path_factory.mktemp("published")
    before = copied(first_host, folder / "dead", str(folder / "remote"))
    complete(before, cycle_name(0))
    publish(before)
    shutil.rmtree(folder / "dead")
    return folder / "remote"


@pytest.fixture
def dead(left, tmp_path):
    """A bare host, and the remote that has what the dead one published."""
    shutil.copytree(left, tmp_path / "remote")
    return host(tmp_path / "new", str(tmp_path / "remote")), tmp_path / "remote"


def test_a_restored_host_measures_and_publishes_the_next_cycle(dead, snapshots):
    context, remote = dead
    before = stored(remote)
    message = restore(context, str(remote))
    assert f"1 snapshots without trials and {len(list(files(context.public)))} files of the site" in message
    assert [cycle_name(0)] == [record.cycle for record in read_records(context.folder) if record.completed]
    assert publish(context).files == 0
    add_cycle(context, snapshots[1])
    publish(context)
    assert "20 read back" in verify(context, cycle_name(1))
    after = stored(remote)
    old = {address for address in before if cycle_name(0) in address and not address.endswith(".html")}
    assert {address: before[address] for address in old} == {address: after[address] for address in old}
    assert not {address for address in before.keys() - after.keys() if address.startswith("cycles/")}


def test_a_restored_snapshot_has_everything_but_its_trials(dead, snapshots):
    context, remote = dead
    restore(context, str(remote))
    restored = context.snapshots / f"demo-{cycle_name(0)}"
    trials = list(files(snapshots[0] / "trials"))
    pruned = read_pruned(restored)
    assert ("2027-01-05", str(remote), len(trials)) == (pruned.date, pruned.remote, pruned.files)
    assert sum(path.stat().st_size for path in trials) == pruned.bytes
    names = {path.relative_to(restored).as_posix() for path in files(restored)} - {"pruned.json"}
    found = {path.relative_to(snapshots[0]).as_posix() for path in files(snapshots[0])}
    assert {name for name in found if not name.startswith("trials/")} == names


def test_a_restore_is_repeated_without_effect_and_replaces_nothing(dead):
    context, remote = dead
    restore(context, str(remote))
    before = stored(context.public)
    assert "0 snapshots without trials and 0 files" in restore(context, str(remote))
    assert before == stored(context.public)
    (context.public / "index.html").write_text("mine")
    with pytest.raises(
        UserError, match=r"index.html: differs from the published one, or is missing; nothing"
    ):
        restore(context, str(remote))
    assert "mine" == (context.public / "index.html").read_text()


@pytest.mark.parametrize("step", range(3))
def test_an_interrupted_restore_goes_on_and_publishes_nothing_before(dead, monkeypatch, step):
    """The first fetch, the second one, or a move is interrupted."""
    context, remote = dead
    plain, calls = Remote.fetch, []

    def interrupted(self, addresses, target, watch=None):
        calls.append(target)
        if len(calls) == step + 1:
            plain(self, addresses[: len(addresses) // 2], target, watch)
            (target / "a.1f2e3d4c.partial").write_text("half")
            raise KeyboardInterrupt
        plain(self, addresses, target, watch)

    with monkeypatch.context() as patch:
        patch.setattr(Remote, "fetch", interrupted)
        if step == 2:
            patch.setattr("scripts.operate.restoring._check_snapshot", stop)
        with pytest.raises(KeyboardInterrupt):
            restore(context, str(remote))
    assert not context.public.exists()
    with pytest.raises(UserError, match="a restore was interrupted; run"):
        publish(context)
    restore(context, str(remote))
    site = {
        name: digest for name, digest in stored(remote).items() if not name.startswith(("captures/", "snap"))
    }
    assert site == stored(context.public)
    assert publish(context).files == 0


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_damaged_table_on_the_remote_is_not_restored(dead):
    context, remote = dead
    table = remote / f"snapshots/demo-{cycle_name(0)}/tables/pairs.parquet"
    table.write_bytes(bytes(len(table.read_bytes())))
    with pytest.raises(UserError, match=r"tables/pairs\.parquet: is missing or damaged on the remote"):
        restore(context, str(remote))
    assert not context.public.exists() and not context.snapshots.exists()


def test_captures_that_the_remote_lacks_are_told(dead, capsys):
    context, remote = dead
    (remote / TRIAL / "queue.bin.zst").unlink()
    restore(context, str(remote))
    assert f"lacks {TRIAL}/queue.bin.zst, and 0 more captures" in capsys.readouterr().err


def test_a_place_without_a_site_is_a_user_error(tmp_path):
    with pytest.raises(UserError, match="has no published site; name the remote with its path"):
        restore(host(tmp_path, "remote"), str(tmp_path / "nothing"))


def files(folder):
    """Every file below a folder."""
    return (path for path in folder.rglob("*") if path.is_file())
