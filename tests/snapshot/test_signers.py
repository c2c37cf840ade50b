"""A reviewer with an old list of keys follows a rotation, and nobody else's."""

import shutil

import pytest

from scripts.base.errors import UserError
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import (
    CHAIN,
    SNAPSHOT,
    SUCCESSOR,
    read_signers,
    sign_content,
    with_successors,
)
from scripts.snapshot.source import Folder
from scripts.snapshot.trust import Policy, trusted
from scripts.snapshot.verify import describe, verify
from tests.snapshot.signed_archive import FIRST, SECOND, Signed, at, line_of, make_key, write_snapshot


@pytest.fixture
def signed(tmp_path):
    made = Signed(tmp_path)
    made.allow(line_of(made.key, before="20261215Z"))
    return made


def name_successor(folder, number, lines, key, namespace=SUCCESSOR):
    """Write a successor and its signature."""
    path = folder / f"successors/{number:02d}"
    path.parent.mkdir(exist_ok=True)
    path.write_text(lines)
    path.with_name(f"{number:02d}.sig").write_bytes(sign_content(lines.encode(), key, namespace))


def test_an_old_checkout_follows_the_successors_of_the_archive(signed):
    second, third = (make_key(signed.keys, name) for name in ("second", "third"))
    signed.allow(line_of(signed.key, before="20270101Z"))
    name_successor(signed.archive, 1, line_of(second, after="20261201Z", before="20280101Z"), signed.key)
    name_successor(signed.archive, 2, line_of(third, after="20261220Z"), second)
    write_snapshot(signed.archive, SECOND)
    signers = with_successors(read_signers(signed.allowed), Folder(signed.archive), at("2026-12-22"))
    sign(signed.archive / SECOND, third, at("2026-12-22"), signers)
    lists = [f"{signed.archive}/successors/{number:02d}" for number in (1, 2)]
    for folder, name in ((FIRST, "operator"), (SECOND, "third")):
        source = Folder(signed.archive / folder)
        verdict = verify(source, Policy(read_signers(signed.allowed), at("2026-12-31")))
        assert verdict.trusted.signer is not None and verdict.trusted.signer.name.startswith(name)
        notes = describe(source, verdict).splitlines()[1:]
        assert [f"note: {one}: has keys that did not come with this checkout" for one in lists] == notes


def test_a_list_of_the_archive_counts_only_while_a_key_of_the_list_before_is_valid(signed):
    """Whoever has a stolen key can date a list back, into the life of the key."""
    thief, second = (make_key(signed.keys, name) for name in ("thief", "second"))
    name_successor(signed.archive, 1, line_of(thief, after="20261210Z"), signed.key)
    signers = read_signers(signed.allowed)
    with pytest.raises(
        UserError, match=r"01\.sig: is by operator\S*, .*not valid at 2026-12-16.*\(expired\)"
    ):
        with_successors(signers, Folder(signed.archive), at("2026-12-16"))
    assert thief.name in with_successors(signers, Folder(signed.archive), at("2026-12-14")).newest[0].text
    name_successor(signed.keys, 1, line_of(second, after="20261210Z"), signed.key)
    assert second.name in read_signers(signed.allowed).newest[0].text  # it came with the checkout


def test_a_successor_that_is_known_changes_nothing(signed):
    second = make_key(signed.keys, "second")
    line = line_of(second, after="20261201Z")
    name_successor(signed.archive, 1, line, second)
    signed.allow(line)
    before = read_signers(signed.allowed)
    assert with_successors(before, Folder(signed.archive), at("2027-01-01")) == before


@pytest.mark.parametrize(
    ("after", "by", "namespace", "error"),
    [
        ("20261216Z", "operator", SUCCESSOR, r"01\.sig: .*not valid at 2026-12-16.*\(expired\)"),
        ("20261201Z", "second", SUCCESSOR, r"01\.sig: .*\(other key\)"),
        ("20261201Z", "operator", "file@example.org", r"01\.sig: .*\(wrong namespace\)"),
    ],
)
def test_a_successor_is_named_by_a_valid_key_for_this_purpose(signed, after, by, namespace, error):
    second = make_key(signed.keys, "second")
    key = second if by == "second" else signed.key
    name_successor(signed.archive, 1, line_of(second, after=after), key, namespace)
    with pytest.raises(UserError, match=error):
        with_successors(read_signers(signed.allowed), Folder(signed.archive), at("2026-12-12"))


def test_a_stolen_key_of_an_earlier_list_names_nobody(signed):
    second, thief = (make_key(signed.keys, name) for name in ("second", "thief"))
    name_successor(signed.keys, 1, line_of(second, after="20261201Z"), signed.key)
    name_successor(signed.archive, 1, (signed.keys / "successors/01").read_text(), signed.key)
    name_successor(signed.archive, 2, line_of(thief, after="20261202Z"), signed.key)
    with pytest.raises(UserError, match=r"02\.sig: .*\(other key\)"):
        with_successors(read_signers(signed.allowed), Folder(signed.archive), at("2026-12-12"))


def test_after_a_theft_old_snapshots_stay_good_and_the_thief_signs_no_chain(signed):
    """The steps of docs/signing.md. Here the thief adds a snapshot of his own to the chain."""
    new = make_key(signed.keys, "new")
    stolen = line_of(signed.key, (SNAPSHOT, CHAIN), before="20261209Z")
    shutil.copytree(signed.archive, signed.keys / "thief")
    signed.allow(stolen, line_of(new, after="20261210Z"))
    assert signed.sign(FIRST, "2026-12-11", new).endswith("written: chain.jsonl.sig")
    policy = Policy(read_signers(signed.allowed), at("2026-12-31"))
    assert trusted(Folder(signed.first), policy).signer.name.startswith("operator")
    thief = read_signers(signed.allowed)
    write_snapshot(signed.keys / "thief", SECOND)
    with pytest.raises(UserError, match=r"nobody could check what it signs: .*\(expired\)"):
        sign(signed.keys / "thief" / SECOND, signed.key, at("2026-12-22"), thief)
    sign(signed.keys / "thief" / SECOND, signed.key, at("2026-12-08"), thief)
    with pytest.raises(UserError, match=r"chain.jsonl.sig: is by operator\S+, whose key was not valid at"):
        trusted(Folder(signed.keys / "thief" / SECOND), policy)


def test_a_successor_without_signature_or_begin_is_refused(signed):
    second = make_key(signed.keys, "second")
    name_successor(signed.archive, 1, line_of(second).replace('valid-after="20260101Z"', 'x="y"'), signed.key)
    with pytest.raises(UserError, match=r"successors/01: second@\S+: has no valid-after"):
        with_successors(read_signers(signed.allowed), Folder(signed.archive), at("2026-12-12"))
    (signed.archive / "successors/01.sig").unlink()
    with pytest.raises(UserError, match=r"successors/01: has no signature 01.sig"):
        with_successors(read_signers(signed.allowed), Folder(signed.archive), at("2026-12-12"))


def test_a_line_without_namespaces_is_refused(signed):
    signed.allowed.write_text("operator@example.org ssh-ed25519 AAAA\n")
    with pytest.raises(UserError, match=r"allowed_signers: line 1: a line is: NAME namespaces="):
        read_signers(signed.allowed)
