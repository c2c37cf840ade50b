"""A signed snapshot is published with its chain, verified at its address, and restored."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.operate import layout
from scripts.operate.context import Clock
from scripts.operate.layout import STAGES, is_frozen, stage_of
from scripts.operate.publishing import publish
from scripts.operate.restoring import restore
from scripts.operate.settings import Signing
from scripts.operate.step_actions import sign_snapshot
from scripts.operate.verifying import verify as verify_published
from scripts.site.addresses import Place
from scripts.snapshot.__main__ import main
from scripts.snapshot.absent import remove
from scripts.snapshot.signatures import SUCCESSOR, read_signers, sign_content
from scripts.snapshot.trust import Policy
from tests.operate.host import NOW, add_cycle, build, complete, copied, expected, host, stored
from tests.site.generated_archive import cycle_name
from tests.snapshot.signed_archive import line_of, make_key

FIRST, SECOND = (Place("demo", cycle_name(number)) for number in range(2))
CAPTURE = "trials/8mbps/iperf-bbr~iperf-cubic/01/client-c1.pcapng.zst"
CHAIN = {"snapshots/chain.jsonl", "snapshots/chain.jsonl.sig"}


@pytest.fixture
def signed(first_host, tmp_path):
    """A host with a cycle that is signed and published, its remote, and the keys that are trusted."""
    key = make_key(tmp_path / "keys", "operator")
    signers = tmp_path / "keys/allowed_signers"
    signers.write_text(line_of(key, after="20200101Z"))
    context = copied(first_host, tmp_path / "host", str(tmp_path / "remote"))
    context = replace(context, settings=replace(context.settings, sign=Signing(str(key))))
    sign_snapshot(context, FIRST, signers)
    publish(context)
    return context, tmp_path / "remote", signers


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder that is served on this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def check(remote, signers, cycle=0):
    """Verify a snapshot at its address."""
    with served(remote) as root:
        return main(["verify", f"{root}/snapshots/demo-{cycle_name(cycle)}", "--signers", str(signers)])


def test_without_a_key_nothing_is_signed_and_the_line_says_so(first_host):
    before = stored(first_host.snapshots)
    assert sign_snapshot(first_host, FIRST) == "is not signed: sign.key of config/operate.yaml names no key"
    assert stored(first_host.snapshots) == before


def test_a_signed_snapshot_is_published_and_verified_at_its_address(signed, capsys):
    context, remote, signers = signed
    assert expected(context) == stored(remote)
    assert stored(remote).keys() >= CHAIN
    complete(context, FIRST.cycle)
    assert publish(context).files == 1
    assert check(remote, signers) == 0
    out = capsys.readouterr().out
    assert "line 1 of 1 of chain.jsonl" in out and "additional files were not looked for" in out


@pytest.mark.soak(minutes=1)
def test_a_cycle_and_a_removal_grow_the_published_chain(signed, snapshots, capsys):
    context, remote, signers = signed
    complete(context, FIRST.cycle)
    add_cycle(context, snapshots[1])
    sign_snapshot(context, SECOND, signers)
    publish(context)
    assert "20 read back" in verify_published(context, SECOND.cycle)
    remove(context.snapshots / f"demo-{FIRST.cycle}", [CAPTURE], "Asked for", "2027-01-05")
    publish(context)
    assert check(remote, signers) == 2
    assert "tombstone.json.sig: is missing" in capsys.readouterr().err
    sign_snapshot(context, FIRST, signers)
    publish(context)
    assert check(remote, signers) == 0
    assert "line 1 of 3 of chain.jsonl" in capsys.readouterr().out
    assert check(remote, signers, cycle=1) == 0
    (remote / "captures/demo" / FIRST.cycle / "8mbps/iperf-bbr~iperf-cubic/01/queue.bin.zst").write_text("x")
    assert check(remote, signers) == 2
    assert "queue.bin.zst: does not match SHA256SUMS" in capsys.readouterr().err


def test_the_chain_is_restored_and_goes_on(signed):
    context, remote, signers = signed
    complete(context, FIRST.cycle)
    publish(context)
    before = stored(context.snapshots)
    shutil.rmtree(context.data.parent)
    new = host(context.data.parent, str(remote))
    restore(new, str(remote), Policy(read_signers(signers), NOW), build)
    assert all(before[name] == digest for name, digest in stored(new.snapshots).items() if "chain" in name)
    assert publish(new).files == 0
    new = replace(new, settings=context.settings)
    assert "was signed already" in sign_snapshot(new, FIRST, signers)


def test_a_chain_that_does_not_continue_the_published_one_is_refused(signed):
    """A host that lost its chain begins another one."""
    context, remote, signers = signed
    before = stored(remote)
    for name in CHAIN:
        (context.data / name).unlink()
    later = replace(context, clock=Clock(NOW + timedelta(days=1)))
    sign_snapshot(later, FIRST, signers)
    with pytest.raises(UserError, match=r"chain\.jsonl: does not continue the chain of .*; restore that one"):
        publish(later)
    assert stored(remote) == before


def test_the_keys_that_follow_are_published_beside_the_chain(signed, monkeypatch):
    context, remote, signers = signed
    (signers.parent / "successors").mkdir()
    second = make_key(signers.parent, "second")
    line = line_of(second, after="20260601Z")
    (signers.parent / "successors/01").write_text(line)
    signature = sign_content(line.encode(), signers.parent / "operator", SUCCESSOR)
    (signers.parent / "successors/01.sig").write_bytes(signature)
    monkeypatch.setattr(layout, "SIGNERS", signers)
    assert publish(context).files == 2
    assert (remote / "snapshots/successors/01").read_text() == line
    shutil.rmtree(signers.parent / "successors")
    assert check(remote, signers) == 0


def test_the_files_of_the_chain_are_manifests_that_may_change():
    for name in (*CHAIN, "snapshots/a/SHA256SUMS.sig", "snapshots/a/tombstone.json.sig"):
        assert (is_frozen(name), STAGES[stage_of(name)]) == (False, "manifests")
    assert not is_frozen("snapshots/successors/01")
    assert is_frozen("snapshots/a/plan/plan.csv")


def test_a_key_inside_the_repository_is_refused(signed):
    context, _, signers = signed
    inside = Signing(str(context.snapshots / "key"))
    shutil.copy(signers.parent / "operator", context.snapshots / "key")
    with pytest.raises(UserError, match=r"move the key out of it"):
        sign_snapshot(replace(context, settings=replace(context.settings, sign=inside)), FIRST, signers)
