"""A dead host is restored from a remote that others may have written, and goes on with the next cycle."""

import json
import shutil
from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.operate.publishing import publish
from scripts.operate.records import read_records
from scripts.operate.remote import Remote
from scripts.operate.restoring import restore
from scripts.operate.settings import Signing
from scripts.operate.step_actions import sign_snapshot
from scripts.operate.verifying import verify
from scripts.site.addresses import Place
from scripts.snapshot.absent import read_pruned
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.signatures import read_signers
from scripts.snapshot.source import Folder
from scripts.snapshot.trust import Policy
from tests.operate.host import NOW, add_cycle, build, complete, copied, host, stored
from tests.site.generated_archive import cycle_name
from tests.snapshot.signed_archive import line_of, make_key

TRIAL = f"captures/demo/{cycle_name(0)}/8mbps/iperf-bbr~iperf-cubic/01"


FIRST = f"demo-{cycle_name(0)}"


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """A folder with the key `operator`, and with `allowed_signers`, which trust it."""
    folder = tmp_path_factory.mktemp("keys")
    (folder / "allowed_signers").write_text(line_of(make_key(folder, "operator"), after="20200101Z"))
    return folder


@pytest.fixture(scope="module")
def policy(keys):
    """What is asked of a snapshot if the operator asks for nothing else."""
    return Policy(read_signers(keys / "allowed_signers"), NOW)


@pytest.fixture(scope="module")
def left(first_host, keys, tmp_path_factory):
    """What a host published before it died. Copy it."""
    folder = tmp_path_factory.mktemp("published")
    before = copied(first_host, folder / "dead", str(folder / "remote"))
    before = replace(before, settings=replace(before.settings, sign=Signing(str(keys / "operator"))))
    sign_snapshot(before, Place("demo", cycle_name(0)), keys / "allowed_signers")
    complete(before, cycle_name(0))
    publish(before)
    shutil.rmtree(folder / "dead")
    return folder / "remote"


@pytest.fixture
def dead(left, tmp_path):
    """A bare host, and the remote that has what the dead one published."""
    shutil.copytree(left, tmp_path / "remote")
    return host(tmp_path / "new", str(tmp_path / "remote")), tmp_path / "remote"


def revive(context, remote, policy, **changes):
    return restore(context, str(remote), replace(policy, **changes), built)


def built(context):
    build(context)
    return "built"


def test_a_restored_host_measures_and_publishes_the_next_cycle(dead, snapshots, policy):
    context, remote = dead
    before = stored(remote)
    message = revive(context, remote, policy)
    assert message == f"1 snapshots without captures restored from {remote}; built"
    assert [cycle_name(0)] == [record.cycle for record in read_records(context.folder) if record.completed]
    assert publish(context).files == 0, "the pages that were built again are those that were published"
    add_cycle(context, snapshots[1])
    publish(context)
    assert "20 read back" in verify(context, cycle_name(1))
    after = stored(remote)
    old = {address for address in before if cycle_name(0) in address and not address.endswith(".html")}
    assert {address: before[address] for address in old} == {address: after[address] for address in old}
    assert not {address for address in before.keys() - after.keys() if address.startswith("cycles/")}


def test_a_bare_host_builds_its_pages_without_a_status(dead, policy):
    context, remote = dead
    restore(context, str(remote), policy)
    assert (context.public / "index.html").is_file() and not (context.folder / "restore").exists()


def test_a_restored_snapshot_has_everything_but_its_captures(dead, snapshots, policy):
    context, remote = dead
    revive(context, remote, policy)
    restored = context.snapshots / FIRST
    trials = [path for path in files(snapshots[0] / "trials") if path.name != "trial.json"]
    pruned = read_pruned(restored)
    assert ("2027-01-05", str(remote), len(trials)) == (pruned.date, pruned.remote, pruned.files)
    assert sum(path.stat().st_size for path in trials) == pruned.bytes
    own = {"pruned.json", "SHA256SUMS.sig"}
    names = {path.relative_to(restored).as_posix() for path in files(restored)} - own
    assert {
        path.relative_to(snapshots[0]).as_posix() for path in files(snapshots[0]) if path not in trials
    } == names


def test_a_restore_is_repeated_without_effect_and_replaces_nothing(dead, policy):
    context, remote = dead
    revive(context, remote, policy)
    before = stored(context.public)
    assert revive(context, remote, policy).startswith("0 snapshots without captures")
    assert before == stored(context.public)
    (context.snapshots / FIRST / "tables/pairs.csv").write_text("mine")
    with pytest.raises(
        UserError, match=r"pairs\.csv: differs from the published one, or is missing; nothing"
    ):
        revive(context, remote, policy)
    assert "mine" == (context.snapshots / FIRST / "tables/pairs.csv").read_text()


@pytest.mark.parametrize("step", ["fetch", "verify", "build"])
def test_an_interrupted_restore_goes_on_and_publishes_nothing_before(dead, policy, monkeypatch, step):
    context, remote = dead
    plain = Remote.fetch

    def half(self, addresses, target, watch=None):
        plain(self, addresses[: len(addresses) // 2], target, watch)
        (target / "a.1f2e3d4c.partial").write_text("half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if step == "fetch":
            patch.setattr(Remote, "fetch", half)
        if step == "verify":
            patch.setattr("scripts.operate.restoring.verify", stop)
        with pytest.raises(KeyboardInterrupt):
            restore(context, str(remote), policy, stop)
    assert not context.public.exists()
    with pytest.raises(UserError, match="a restore was interrupted; run"):
        publish(context)
    revive(context, remote, policy)
    site = {
        name: digest for name, digest in stored(remote).items() if not name.startswith(("captures/", "snap"))
    }
    assert site == stored(context.public)
    assert publish(context).files == 0


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def unsigned(snapshot):
    """Forge a table, and give the snapshot a SHA256SUMS that fits, without a signature."""
    (snapshot / "tables/pairs.csv").write_text("forged")
    resum(snapshot)
    (snapshot / "SHA256SUMS.sig").unlink()
    for path in snapshot.parent.glob("chain.jsonl*"):
        path.unlink()


def resum(snapshot):
    """Write SHA256SUMS again, with the files of trials as it has them."""
    lines = (snapshot / "SHA256SUMS").read_text().splitlines(keepends=True)
    (snapshot / "SHA256SUMS.sig").rename(snapshot.parent / "kept")
    write_checksums(snapshot)
    (snapshot.parent / "kept").rename(snapshot / "SHA256SUMS.sig")
    with (snapshot / "SHA256SUMS").open("a") as file:
        file.writelines(line for line in lines if "  trials/" in line)


def renamed(snapshot):
    """Let a snapshot say that it is a folder elsewhere."""
    named = json.loads((snapshot / "snapshot.json").read_text())
    (snapshot / "snapshot.json").write_text(json.dumps(named | {"cycle": "../../../home"}))
    resum(snapshot)


def flipped(snapshot):
    table = snapshot / "tables/pairs.parquet"
    table.write_bytes(bytes(len(table.read_bytes())))


def extra(snapshot):
    (snapshot / "charts/x.js").write_text("alert(1)")


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (unsigned, r"SHA256SUMS\.sig: is missing; .* \(unsigned\)"),
        (renamed, r"'\.\./\.\./\.\./home' is no name of a campaign or cycle"),
        (resum, r"differs from what the chain has as .*\(flipped\)"),
        (flipped, r"tables/pairs\.parquet: .*\(flipped\)"),
        (extra, r"charts/x\.js: .*\(extra\)"),
    ],
)
def test_what_somebody_else_wrote_on_the_remote_is_not_restored(dead, policy, forge, message):
    context, remote = dead
    if forge is resum:
        (remote / f"snapshots/{FIRST}/tables/pairs.csv").write_text("forged")
    forge(remote / f"snapshots/{FIRST}")
    with pytest.raises(UserError, match=message):
        revive(context, remote, policy)
    assert not context.public.exists() and not [*context.snapshots.glob("*")]


def test_pages_of_the_remote_are_not_restored(dead, policy):
    context, remote = dead
    (remote / "index.html").write_text("forged")
    (remote / "cycles/x.js").write_text("forged")
    revive(context, remote, policy)
    assert not [path for path in files(context.public) if b"forged" in path.read_bytes()]


def test_what_was_restored_without_a_signature_is_never_signed(dead, policy, keys):
    context, remote = dead
    unsigned(remote / f"snapshots/{FIRST}")
    revive(context, remote, policy, allowed=frozenset({"unsigned"}))
    context = replace(context, settings=replace(context.settings, sign=Signing(str(keys / "operator"))))
    with pytest.raises(UserError, match=f"{FIRST}: its trials are not on this disk"):
        sign_snapshot(context, Place("demo", cycle_name(0)), keys / "allowed_signers")
    assert not (context.snapshots / FIRST / "SHA256SUMS.sig").exists()


def test_a_chain_that_does_not_continue_the_known_one_is_refused(dead, policy, tmp_path):
    context, remote = dead
    (tmp_path / "known").mkdir()
    content = (remote / "snapshots/chain.jsonl").read_bytes()
    (tmp_path / "known/chain.jsonl").write_bytes(content + b"a later line\n")
    with pytest.raises(UserError, match=r"its chain\.jsonl does not continue that of .*known"):
        revive(context, remote, policy, archive=Folder(tmp_path / "known"))
    (tmp_path / "known/chain.jsonl").write_bytes(content)
    revive(context, remote, policy, archive=Folder(tmp_path / "known"))


def test_captures_that_the_remote_lacks_are_told(dead, policy, capsys):
    context, remote = dead
    (remote / TRIAL / "queue.bin.zst").unlink()
    revive(context, remote, policy)
    assert f"lacks {TRIAL}/queue.bin.zst, and 0 more captures" in capsys.readouterr().err


def test_a_lost_record_of_a_trial_is_an_error_before_anything_is_restored(dead, policy):
    context, remote = dead
    (remote / TRIAL / "trial.json").unlink()
    with pytest.raises(UserError, match=r"lacks trial\.json of trials/8mbps/iperf-bbr~iperf-cubic/01"):
        revive(context, remote, policy)
    assert not context.public.exists()


def test_a_place_without_snapshots_is_a_user_error(tmp_path, policy):
    with pytest.raises(UserError, match="has no published snapshot; name the remote with its path"):
        revive(host(tmp_path, "remote"), tmp_path / "nothing", policy)


def files(folder):
    """Every file below a folder."""
    return (path for path in folder.rglob("*") if path.is_file())
