"""Each way in which a snapshot can differ from what its owner published is refused by name."""

import json
import re
import shutil
import subprocess
from hashlib import sha256

import pytest

from scripts.base.errors import UserError
from scripts.snapshot.__main__ import main
from scripts.snapshot.absent import remove, withdraw
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.signatures import CHAIN, OWNER, SNAPSHOT, SUCCESSOR, read_signers, sign_content
from scripts.snapshot.source import Folder, SnapshotAddress
from scripts.snapshot.trust import Policy
from scripts.snapshot.verify import describe, verify
from tests.snapshot.published import serving
from tests.snapshot.signed_archive import (
    CAPTURE,
    FILES,
    FIRST,
    LATER,
    SECOND,
    Signed,
    at,
    line_of,
    make_key,
    write_snapshot,
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The archive that each test copies."""
    return Signed(tmp_path_factory.mktemp("made"))


@pytest.fixture
def signed(made, tmp_path):
    """A copy of the archive."""
    copy = object.__new__(Signed)
    shutil.copytree(made.archive, tmp_path / "snapshots")
    shutil.copytree(made.keys, tmp_path / "keys")
    copy.archive, copy.keys = tmp_path / "snapshots", tmp_path / "keys"
    copy.key, copy.allowed, copy.first = (
        copy.keys / "operator",
        copy.keys / "allowed_signers",
        copy.archive / FIRST,
    )
    return copy


def check(signed, folder=FIRST, now="2026-12-31", allow=(), archive=None, source=None, sums=None):
    """Verify on a day."""
    policy = Policy(read_signers(signed.allowed), at(now), frozenset(allow), archive, sums=sums)
    source = source or Folder(signed.archive / folder)
    return describe(source, verify(source, policy))


def refused(signed, text, *names, **more):
    """Verify, and expect an error with this text and these kinds of problems, each once."""
    with pytest.raises(UserError, match=re.escape(text)) as error:
        check(signed, **more)
    assert list(names) == re.findall(r"\(([a-z ]+)\)$", str(error.value), re.MULTILINE)


def test_a_verdict_tells_who_signed_when_and_the_place_in_the_chain(signed):
    assert re.fullmatch(
        rf".*{FIRST}: signed by operator@{OWNER} \(SHA256:\S+\) on 2026-12-08T12:00:00Z, "
        rf"line 1 of 1 of chain\.jsonl; {len(FILES) + 1} files match SHA256SUMS",
        check(signed),
    )


def test_a_flipped_file_is_refused(signed):
    content = bytearray((signed.first / CAPTURE).read_bytes())
    content[3] ^= 1
    (signed.first / CAPTURE).write_bytes(content)
    refused(signed, f"{CAPTURE}: does not match SHA256SUMS", "flipped")


def test_a_missing_file_is_refused(signed):
    (signed.first / CAPTURE).unlink()
    refused(signed, f"{CAPTURE}: is missing", "missing")


def test_an_extra_file_is_refused(signed):
    (signed.first / ".hidden").write_text("more")
    refused(signed, ".hidden: is not in SHA256SUMS", "extra")


def test_a_renamed_file_is_refused_with_both_names(signed):
    (signed.first / CAPTURE).rename(signed.first / "trials/c1")
    refused(signed, f"trials/c1: has the content of {CAPTURE}, which is missing", "renamed")


@pytest.mark.parametrize("path", [CAPTURE, "SHA256SUMS.sig", "trials"])
def test_a_symlink_is_refused_although_it_leads_to_the_same_content(signed, path):
    (signed.first / path).rename(signed.keys / "moved")
    (signed.first / path).symlink_to(signed.keys / "moved")
    with pytest.raises(UserError, match=rf"{path}\S*: .*is a symbolic link, or is below one"):
        check(signed)


def test_a_link_to_the_whole_folder_is_none_of_these(signed):
    (signed.keys / FIRST).symlink_to(signed.first)
    assert "5 files match" in check(signed, source=Folder(signed.keys / FIRST))


def test_a_file_that_became_a_folder_is_refused(signed):
    (signed.first / CAPTURE).unlink()
    (signed.first / CAPTURE).mkdir()
    refused(signed, f"{CAPTURE}: is not a file", "unreadable")


def test_at_most_ten_problems_are_told_by_name(signed):
    for number in range(12):
        (signed.first / f"more-{number:02d}").write_text(str(number))
    refused(signed, "and 2 more problems", *["extra"] * 10)


def test_another_key_is_refused(signed):
    signed.allow(line_of(make_key(signed.keys, "other")))
    refused(signed, "SHA256SUMS.sig: is by the key SHA256:", "other key", "other key")


def test_a_signature_for_another_purpose_is_refused(signed):
    content = (signed.first / "SHA256SUMS").read_bytes()
    signature = sign_content(content, signed.key, "file@example.org")
    (signed.first / "SHA256SUMS.sig").write_bytes(signature)
    refused(signed, f"SHA256SUMS.sig: is meant for something else than {SNAPSHOT}", "wrong namespace")


def test_the_namespace_that_somebody_chose_is_not_shown(signed, capsys):
    content = (signed.first / "SHA256SUMS").read_bytes()
    signature = sign_content(content, signed.key, "x: signed by operator; 5 files match SHA256SUMS")
    (signed.first / "SHA256SUMS.sig").write_bytes(signature)
    assert main(["verify", str(signed.first), "--signers", str(signed.allowed)]) == 2
    assert "5 files match" not in capsys.readouterr().err


def test_a_verdict_shows_no_control_characters(signed, capsys):
    signed.allow(line_of(signed.key, after="20200101Z"))
    withdraw(signed.first, "\x1b[2J\u202ewhy", "2026-12-11")
    signed.sign(FIRST, "2026-12-11")
    assert main(["verify", str(signed.first), "--signers", str(signed.allowed)]) == 0
    assert "withdrawn on 2026-12-11: \\x1b[2J\\u202ewhy\n" in capsys.readouterr().out


def test_a_key_signs_only_what_its_line_says(signed):
    signed.allow(line_of(signed.key, (SNAPSHOT, SUCCESSOR)))
    refused(signed, f"lacks {CHAIN}", "wrong namespace")


def test_an_expired_key_is_refused_now_and_at_a_date_outside_the_chain(signed):
    signed.allow(line_of(signed.key, before="20261215Z"))
    assert "signed by operator" in check(signed, now="2026-12-14")
    refused(signed, "chain.jsonl.sig: is by operator", "expired", "expired")
    refused(signed, "SHA256SUMS.sig: is by operator", "expired", allow=["unchained"])


def test_an_old_snapshot_of_an_expired_key_stays_good_if_the_chain_has_it_and_a_forgery_does_not(signed):
    """The successor signs the chain. Whoever has the old key cannot write a line with an old date into it."""
    successor = make_key(signed.keys, "successor")
    signed.allow(line_of(signed.key, before="20261215Z"), line_of(successor, after="20261210Z"))
    write_snapshot(signed.archive, SECOND)
    signed.sign(SECOND, "2026-12-22", successor)
    assert "signed by operator" in check(signed)
    assert "signed by successor" in check(signed, SECOND)
    (signed.first / CAPTURE).write_text("forged")
    write_checksums(signed.first)
    content = (signed.first / "SHA256SUMS").read_bytes()
    (signed.first / "SHA256SUMS.sig").write_bytes(sign_content(content, signed.key, SNAPSHOT))
    refused(signed, "SHA256SUMS: differs from what the chain has", "flipped", "expired")


def test_an_unsigned_snapshot_is_refused_unless_it_is_allowed(signed):
    write_snapshot(signed.archive, SECOND)
    text = f"{SECOND}/SHA256SUMS.sig: is missing"
    refused(signed, text, "not in the chain", "unsigned", folder=SECOND)
    describe = check(signed, SECOND, allow=["unsigned"])
    assert "not signed; 5 files match SHA256SUMS\nnote: allowed: unsigned" in describe


def test_a_snapshot_that_is_not_in_the_chain_is_refused(signed):
    write_snapshot(signed.archive, SECOND)
    content = (signed.archive / SECOND / "SHA256SUMS").read_bytes()
    (signed.archive / SECOND / "SHA256SUMS.sig").write_bytes(sign_content(content, signed.key, SNAPSHOT))
    refused(signed, f"{SECOND}: is not in the chain", "not in the chain", folder=SECOND)
    assert "signed by operator" in check(signed, SECOND, allow=["unchained"])


def test_without_signature_and_chain_one_option_is_named(signed):
    copy = signed.keys / "copy"
    shutil.copytree(signed.first, copy)
    (copy / "SHA256SUMS.sig").unlink()
    refused(signed, "(make: ALLOW=unsigned)", "unsigned", source=Folder(copy))


def test_an_archive_without_a_chain_is_refused_unless_the_chain_is_elsewhere(signed):
    shutil.copytree(signed.first, signed.keys / "copy")
    copy = Folder(signed.keys / "copy")
    refused(signed, "has no chain beside it", "not in the chain", source=copy)
    assert "line 1 of 1" in check(signed, source=copy, archive=Folder(signed.archive))


def test_a_chain_without_signature_or_with_a_lost_line_is_refused(signed):
    write_snapshot(signed.archive, SECOND)
    signed.sign(SECOND, "2026-12-22")
    chain = signed.archive / "chain.jsonl"
    chain.write_bytes(chain.read_bytes().splitlines(keepends=True)[1])
    refused(signed, "chain.jsonl.sig: is not the signature of this content", "flipped")
    (signed.archive / "chain.jsonl.sig").unlink()
    refused(signed, "chain.jsonl: has no signature", "unsigned")


def test_a_signed_chain_whose_line_does_not_follow_is_refused(signed):
    chain = signed.archive / "chain.jsonl"
    entry = json.loads(chain.read_text()) | {"folder": "another"}
    chain.write_text(chain.read_text() + json.dumps(entry) + "\n")
    signature = sign_content(chain.read_bytes(), signed.key, CHAIN)
    (signed.archive / "chain.jsonl.sig").write_bytes(signature)
    refused(signed, "chain.jsonl: line 2 is damaged, or does not follow", "flipped")


def test_an_old_revision_is_refused_with_the_folder_of_the_later_one(signed):
    write_snapshot(signed.archive, LATER, revision=2)
    signed.sign(LATER, "2026-12-20")
    refused(signed, f"{FIRST}: has a later revision: {LATER}", "old revision")
    assert "note: allowed: superseded" in check(signed, allow=["superseded"])
    assert "line 2 of 2" in check(signed, LATER)


def test_a_snapshot_under_the_name_of_another_is_refused(signed):
    signed.first.rename(signed.archive / SECOND)
    refused(signed, f"{SECOND}: is {FIRST} in the chain", "renamed", folder=SECOND)


@pytest.fixture
def address(signed):
    """FIRST at the address of SECOND, without a chain beside it."""
    root = signed.keys / "root/snapshots"
    shutil.copytree(signed.first, root / SECOND)
    with serving(root.parent) as server:
        yield SnapshotAddress(f"http://127.0.0.1:{server.port}/snapshots/{SECOND}/")


def test_another_snapshot_than_that_of_the_address_is_refused_whoever_has_the_chain(signed, address):
    text, chain = f"{SECOND}: is {FIRST} in the chain", Folder(signed.archive)
    refused(signed, text, "renamed", source=address, archive=chain)


@pytest.mark.parametrize("allowed", ["unchained", "unsigned"])
def test_without_a_chain_the_name_of_an_address_is_compared_with_snapshot_json(signed, address, allowed):
    text = f"{SECOND}: is {FIRST} by its snapshot.json"
    refused(signed, text, "renamed", source=address, allow=[allowed])


def test_a_folder_under_another_name_is_told_with_the_name_of_its_snapshot(signed):
    copy = Folder(shutil.copytree(signed.first, signed.keys / SECOND))
    describe = f"{copy.title}: is {FIRST}; signed by operator"
    assert check(signed, source=copy, archive=Folder(signed.archive)).startswith(describe)
    assert check(signed, source=copy, allow=["unchained"]).startswith(describe)
    assert f": is {FIRST}" not in check(signed)


def test_a_snapshot_before_that_vanished_from_the_chain_is_refused(signed):
    write_snapshot(signed.archive, SECOND, {"folder": "demo-2026-12-14", "sha256": "0" * 64})
    signed.sign(SECOND, "2026-12-22")
    text = "the snapshot before it, demo-2026-12-14, is not in the chain as it was"
    refused(signed, text, "not in the chain", folder=SECOND)


def test_a_tombstone_must_be_signed_and_in_the_chain(signed):
    remove(signed.first, [CAPTURE], "Asked for by c1", "2026-12-10")
    refused(signed, "tombstone.json.sig: is missing", "not in the chain", "unsigned")
    signed.sign(FIRST, "2026-12-10")
    assert "line 1 of 2 of chain.jsonl; 4 files match SHA256SUMS; removed since: 1" in check(signed)


def test_a_tombstone_that_vanished_or_is_an_old_one_is_refused(signed):
    names = ["tombstone.json", "tombstone.json.sig"]
    remove(signed.first, [CAPTURE], "Asked for by c1", "2026-12-10")
    signed.sign(FIRST, "2026-12-10")
    old = {name: (signed.first / name).read_bytes() for name in names}
    withdraw(signed.first, "The link was wrong", "2026-12-11")
    signed.sign(FIRST, "2026-12-11")
    assert "withdrawn on 2026-12-11: The link was wrong" in check(signed)
    for name, content in old.items():
        (signed.first / name).write_bytes(content)
    refused(signed, "tombstone.json: the chain has a later one, of 2026-12-11T", "old tombstone")
    for name in names:
        (signed.first / name).unlink()
    refused(signed, "tombstone.json: is missing, although it was published", "missing")


def test_a_tombstone_of_another_revision_hides_nothing(signed):
    """Both have the same files. Without a chain only the tombstone itself tells whose it is."""
    copy = signed.archive / LATER
    write_snapshot(signed.archive, LATER, revision=2)
    (copy / CAPTURE).write_bytes((signed.first / CAPTURE).read_bytes())
    write_checksums(copy)
    signed.sign(LATER, "2026-12-09")
    remove(signed.first, [CAPTURE], "Asked for by c1", "2026-12-10")
    signed.sign(FIRST, "2026-12-10")
    assert "removed since: 1" in check(signed, allow=["unchained", "superseded"])
    for name in ("tombstone.json", "tombstone.json.sig"):
        shutil.copy(signed.first / name, copy / name)
    (copy / CAPTURE).unlink()
    with pytest.raises(UserError, match=r"tombstone\.json: belongs to another snapshot"):
        check(signed, folder=LATER, allow=["unchained"])


class TwoFaced(Folder):
    """A source that answers otherwise when SHA256SUMS is read again."""

    def __init__(self, path, forged):
        super().__init__(path)
        self.forged, self.asked = forged, 0

    def stream(self, path):
        if path.as_posix() == "SHA256SUMS":
            self.asked += 1
            if self.asked % 2 == 1:
                return iter([self.forged])
        return super().stream(path)


class Asked(Folder):
    """A source that keeps which files were read of it."""

    def __init__(self, path):
        super().__init__(path)
        self.asked = []

    def stream(self, path):
        self.asked.append(path.as_posix())
        return super().stream(path)


def test_nothing_is_read_of_a_snapshot_that_is_refused_already(signed):
    """Not even its list, which may be as long as whoever wrote it likes."""
    (signed.first / "SHA256SUMS").write_text("no list")
    source = Asked(signed.first)
    refused(signed, "SHA256SUMS: differs from what the chain has", "flipped", "flipped", source=source)
    assert {"SHA256SUMS", "SHA256SUMS.sig"} == {*source.asked}


@pytest.mark.parametrize("name", ["tombstone.json", "chain.jsonl"])
def test_deeply_nested_json_is_refused(signed, name):
    file = (signed.archive if name == "chain.jsonl" else signed.first) / name
    file.write_text("[" * 200_000)
    purpose = CHAIN if name == "chain.jsonl" else SNAPSHOT
    file.with_name(f"{name}.sig").write_bytes(sign_content(file.read_bytes(), signed.key, purpose))
    with pytest.raises(UserError, match=f"{name}: .*(nested too deeply|line 1 is damaged)"):
        check(signed)


def test_what_is_checked_is_what_is_used(signed):
    """The signature is that of the true list, the files are those of the forged one."""
    (signed.first / CAPTURE).write_text("forged")
    true = (signed.first / "SHA256SUMS").read_bytes()
    write_checksums(signed.first)
    forged = (signed.first / "SHA256SUMS").read_bytes()
    (signed.first / "SHA256SUMS").write_bytes(true)
    with pytest.raises(UserError):
        check(signed, source=TwoFaced(signed.first, forged))


class Failing:
    """A server that fails at the captures."""

    def __init__(self, folder):
        self.folder, self.title = folder, folder.title
        self.exists, self.archive = folder.exists, folder.archive

    def names(self):
        return None

    def stream(self, path):
        if path.parts[0] == "trials":
            raise UserError("the server fails")
        return self.folder.stream(path)


def test_a_server_that_fails_ends_the_verification(signed):
    with pytest.raises(UserError, match=r"^the server fails$"):
        check(signed, source=Failing(Folder(signed.first)))


@pytest.mark.parametrize(
    "line",
    [
        "../elsewhere",
        "/etc/passwd",
        "plan/./plan.csv",
        "plan//plan.csv",
        "plan/plan.csv",
        "plan\\\\a",
        "plan/a\r",
        "plan/a\x9b2J",
        "plan/a\u202eb",
        "SHA256SUMS.sig",
        "",
    ],
)
def test_a_list_with_tricks_is_refused(signed, line):
    with (signed.first / "SHA256SUMS").open("a", newline="") as stream:
        stream.write(f"{'0' * 64}  {line}\n")
    checksum = sha256((signed.first / "SHA256SUMS").read_bytes()).hexdigest()
    with pytest.raises(UserError, match=r"SHA256SUMS: line 6"):
        check(signed, sums=checksum)


def test_what_ssh_keygen_overlooks_in_a_signature_is_refused(signed):
    """ssh-keygen accepts bytes after the last line."""
    signature = signed.first / "SHA256SUMS.sig"
    signature.write_bytes(signature.read_bytes() + b"x")
    words = ["ssh-keygen", "-Y", "check-novalidate", "-n", SNAPSHOT, "-s", str(signature)]
    with (signed.first / "SHA256SUMS").open() as stream:
        subprocess.run(words, stdin=stream, capture_output=True, check=True)
    refused(signed, "SHA256SUMS.sig: is damaged", "flipped")


def test_a_snapshot_is_trusted_by_the_checksum_of_its_list_without_signature_and_chain(signed, capsys):
    copy = shutil.copytree(signed.first, signed.keys / FIRST)
    signed.allow(line_of(make_key(signed.keys, "other")))
    checksum = sha256((copy / "SHA256SUMS").read_bytes()).hexdigest()
    command = ["verify", str(copy), "--signers", str(signed.allowed), "--sums"]
    assert main([*command, checksum]) == 0
    assert f"{FIRST}: SHA256SUMS is the one that was named; 5 files match" in capsys.readouterr().out
    assert main([*command, checksum.replace(checksum[0], "f" if checksum[0] == "e" else "e")]) == 2
    assert f"{FIRST}/SHA256SUMS: has the SHA-256 {checksum}, not " in capsys.readouterr().err
    (copy / CAPTURE).write_text("forged")
    assert main([*command, checksum]) == 2
    assert f"{CAPTURE}: does not match SHA256SUMS" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*command, "abc"])


def test_of_a_snapshot_that_is_trusted_by_checksum_a_tombstone_needs_a_signature_still(signed):
    checksum = sha256((signed.first / "SHA256SUMS").read_bytes()).hexdigest()
    remove(signed.first, [CAPTURE], "Asked for by c1", "2026-12-10")
    refused(signed, "tombstone.json.sig: is missing", "unsigned", sums=checksum)


def test_the_command_verifies_and_fails(signed, capsys):
    signed.allow(line_of(signed.key, after="20200101Z"))
    command = ["verify", str(signed.first), "--signers", str(signed.allowed)]
    assert main(command) == 0
    assert "5 files match SHA256SUMS" in capsys.readouterr().out
    assert main([*command, "--chain", str(signed.keys)]) == 2
    assert "(not in the chain)" in capsys.readouterr().err
