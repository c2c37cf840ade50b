"""Publishing to a folder: all is there, nothing is sent twice, only what vanished goes."""

import shutil
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.operate.layout import RECORDS, STAGES, stage_of
from scripts.operate.publishing import Published, publish
from scripts.operate.remote import Remote
from scripts.operate.verifying import read_back, verify
from scripts.snapshot.absent import Pruned, remove, write_pruned
from scripts.snapshot.checksums import read_checksums
from tests.operate.host import add_cycle, build, complete, copied, expected, host, stored
from tests.site.generated_archive import cycle_name

CAPTURE = "8mbps/iperf-bbr~iperf-cubic/01/client-c1.pcapng.zst"


@pytest.fixture(scope="module")
def first_published(first_host, tmp_path_factory):
    """A host with one cycle, which is published in a folder beside it. Copy both."""
    folder = tmp_path_factory.mktemp("published")
    context = copied(first_host, folder, str(folder / "a remote"))
    assert publish(context).files > 100
    return context, folder / "a remote"


@pytest.fixture
def published(first_published, tmp_path):
    """A copy of this host, and of what it published."""
    context, remote = first_published
    shutil.copytree(remote, tmp_path / remote.name)
    return copied(context, tmp_path, str(tmp_path / remote.name)), tmp_path / remote.name


def sent(context) -> list[str]:
    """The names of the files that a publication sends, in its order."""
    order: list[str] = []
    plain = Remote.send

    def recorded(self, source, addresses, headers, watch=None):
        order.extend(addresses)
        plain(self, source, addresses, headers, watch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Remote, "send", recorded)
        publish(context)
    return [address for address in order if not address.startswith("operate/")]


def test_the_remote_has_every_file_and_no_other(published):
    context, remote = published
    assert expected(context) == stored(remote)


def test_a_second_publication_sends_nothing(published):
    context, _ = published
    again = publish(context)
    assert Published(0, 0, again.seconds) == again


def test_a_new_cycle_sends_only_what_is_new_and_no_page_before_its_files(published, snapshots):
    context, remote = published
    before = stored(remote)
    add_cycle(context, snapshots[1])
    order = sent(context)
    assert expected(context) == stored(remote)
    assert {address for address, digest in stored(remote).items() if before.get(address) != digest} == set(
        order
    )
    assert sorted(order, key=stage_of) == order
    assert len(STAGES) == len({stage_of(address) for address in order})
    assert not [address for address in order if address.startswith(f"captures/demo/{cycle_name(0)}")]
    last = next(number for number, address in enumerate(order) if stage_of(address) == len(STAGES) - 1)
    assert all(address.startswith("latest/") or "/" not in address for address in order[last:])


def test_a_site_of_lean_snapshots_is_not_published(published):
    context, remote = published
    before = stored(remote)
    (context.public / "lean").mkdir()
    with pytest.raises(UserError, match="shows lean snapshots, which may be those of others"):
        publish(context)
    assert before == stored(remote)


def test_pages_that_vanished_are_deleted_and_nothing_that_others_put_there(published):
    context, remote = published
    foreign = remote / "notes/of somebody.txt"
    foreign.parent.mkdir()
    foreign.write_text("mine")
    shutil.rmtree(context.public / "services")
    publish(context)
    assert not [address for address in stored(remote) if address.startswith("services/")]
    assert "mine" == foreign.read_text()


def test_published_cycles_stay_though_their_snapshot_and_pages_are_gone(published):
    context, remote = published
    before = stored(remote)
    shutil.rmtree(context.public / "cycles")
    shutil.rmtree(context.public / "data")
    shutil.rmtree(context.snapshots)
    publish(context)
    assert before == stored(remote)


def test_files_that_were_taken_back_are_deleted(published):
    context, remote = published
    snapshot = context.snapshots / f"demo-{cycle_name(0)}"
    remove(snapshot, [f"trials/{CAPTURE}"], "a private name", "2027-01-04")
    build(context)
    assert (remote / f"captures/demo/{cycle_name(0)}/{CAPTURE}").is_file()
    publish(context)
    assert not (remote / f"captures/demo/{cycle_name(0)}/{CAPTURE}").exists()
    assert expected(context) == stored(remote)


def test_pruned_trials_stay_published(published, snapshots):
    context, remote = published
    before = stored(remote)
    snapshot = context.snapshots / f"demo-{cycle_name(0)}"
    shutil.rmtree(snapshot / "trials")
    write_pruned(snapshot, Pruned("2027-01-05", str(remote), 1, 1))
    publish(context)
    assert before == stored(remote)
    add_cycle(context, snapshots[1])
    publish(context)
    assert verify(context, cycle_name(1))
    capture = remote / f"captures/demo/{cycle_name(0)}/{CAPTURE}"
    capture.unlink()
    with pytest.raises(UserError, match=r"lacks captures/.*client-c1.pcapng.zst, which was pruned here"):
        publish(context)


def test_a_missing_file_of_a_snapshot_is_an_error_before_anything_is_sent(published):
    context, _ = published
    (context.snapshots / f"demo-{cycle_name(0)}/trials/{CAPTURE}").unlink()
    with pytest.raises(UserError, match=r"client-c1\.pcapng\.zst: is missing; restore the snapshot"):
        publish(context)


def test_another_snapshot_of_a_published_cycle_is_refused(snapshots, published, tmp_path):
    _, remote = published
    other = host(tmp_path / "another host", str(remote))
    add_cycle(other, snapshots[0])
    sums = other.snapshots / f"demo-{cycle_name(0)}/SHA256SUMS"
    sums.write_text("".join(reversed(sums.read_text().splitlines(keepends=True))))
    shutil.rmtree(other.public)
    build(other)
    before = stored(remote)
    with pytest.raises(
        UserError, match="has another snapshot of this cycle; publish this one as a later revision"
    ):
        publish(other)
    assert before == stored(remote)


def test_a_damaged_copy_is_found_and_sent_again(published):
    context, remote = published
    capture = remote / f"captures/demo/{cycle_name(0)}/{CAPTURE}"
    whole = capture.read_bytes()
    capture.write_bytes(bytes(reversed(whole)))
    with pytest.raises(UserError, match=r"1 of \d+ files differ, such as captures/"):
        verify(context, cycle_name(0))
    publish(context)
    assert whole == capture.read_bytes()
    assert "20 read back" in verify(context, cycle_name(0))


def test_files_of_a_completed_cycle_that_never_change_are_not_read_again(published, monkeypatch):
    context, _ = published
    complete(context, cycle_name(0))
    compared: list[str] = []
    plain = Remote.differences
    monkeypatch.setattr(Remote, "differences", lambda *given: (compared.extend(given[2]), plain(*given))[1])
    publish(context)
    assert f"cycles/demo/{cycle_name(0)}/index.html" in compared
    assert not [address for address in compared if address.startswith("captures/")]


def test_reading_back_finds_each_wrong_file(published):
    context, remote = published
    snapshot = context.snapshots / f"demo-{cycle_name(0)}"
    files = {snapshot / path: digest for path, digest in read_checksums(snapshot).items()}
    read_back(context, files)
    capture = remote / f"captures/demo/{cycle_name(0)}/{CAPTURE}"
    capture.write_bytes(b"x" * len(capture.read_bytes()))
    with pytest.raises(UserError, match=f"{CAPTURE} has another SHA-256 there"):
        read_back(context, files)
    capture.unlink()
    with pytest.raises(UserError, match=f"{CAPTURE} is missing there"):
        read_back(context, files)
    with pytest.raises(UserError, match="is not published"):
        read_back(context, {context.data / "demo/other": "0"})


def test_what_a_killed_copy_left_is_removed(published):
    context, remote = published
    (remote / "index.html.1f2e3d4c.partial").write_text("half")
    publish(context)
    assert expected(context) == stored(remote)


def test_records_are_published(published):
    context, remote = published
    complete(context, cycle_name(0))
    publish(context)
    record = f"{RECORDS}demo-{cycle_name(0)}.json"
    assert (context.data / record).read_bytes() == (remote / record).read_bytes()


def test_without_a_site_nothing_is_published(tmp_path):
    with pytest.raises(UserError, match="public: is no site; run make site"):
        publish(host(tmp_path, str(tmp_path / "remote")))


@pytest.mark.parametrize("place", ["public/remote", "data", "."])
def test_a_folder_that_overlaps_with_the_site_is_refused(tmp_path, place):
    (tmp_path / "public").mkdir()
    with pytest.raises(UserError, match="overlaps with"):
        publish(host(tmp_path, str(Path(tmp_path / place))))


def test_any_number_of_pages_may_change(published):
    """`rclone check` counts each as an error."""
    context, remote = published
    pages = [context.public / f"page-{number}.html" for number in range(60)]
    for text in ("before", "behind"):
        for page in pages:
            page.write_text(text)
        publish(context)
    assert {(remote / page.name).read_text() for page in pages} == {"behind"}
