"""Publish everything of the site that is not on the remote yet, in an order in which no page lacks a file.

Files are sent first, then manifests, pages of cycles, other pages, and at last the first page, the feed and
latest/. What vanished from the site is deleted after that: only what operate/pages.txt names, which lists
what was published and may vanish. Nothing below captures/, snapshots/, cycles/ and data/ is deleted, except
files that a tombstone names, which go first.

A file is sent if it is missing or its size differs. If neither its address nor its cycle says that it never
changes, hashes are compared, too: those of pages, and of cycles whose published copy was not verified yet.
Interrupted anywhere, the next call sends what is missing.
"""

import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import write_text
from scripts.extract.byte_progress import ByteProgress
from scripts.model.submission import FOLDER as SUBMISSIONS
from scripts.model.submission import PREFIX, locked_submissions, read_submission, write_submission
from scripts.operate.context import Context, iso
from scripts.operate.layout import (
    CHAIN_FILES,
    PAGES,
    PERMANENT,
    SNAPSHOTS,
    STAGES,
    Layout,
    headers_at,
    is_frozen,
    layout_of,
    outbox,
    place_of,
    stage_of,
)
from scripts.operate.remote import PARTIAL, Remote, remote_of
from scripts.operate.restoring import refuse_unfinished
from scripts.snapshot.identity import CHECKSUMS

CHAIN = f"{SNAPSHOTS}{CHAIN_FILES[0]}"


@dataclass(frozen=True)
class Published:
    """What a publication sent: files, their bytes, and how long it took."""

    files: int
    bytes: int
    seconds: float


def publish(context: Context) -> Published:
    """Send what is missing or differs, and delete what vanished.

    Raises:
        UserError: the remote refuses, cannot be reached or has another snapshot of a cycle; or a file is
            missing here and there; or the site has pages of a submission that was withdrawn.
    """
    began_s = time.monotonic()
    refuse_unfinished(context)
    remote, layout = remote_of(context), layout_of(context)
    there = remote.listing()
    remote.delete(sorted(layout.removed & there.keys()))
    _refuse_lost(remote, layout, there)
    with outbox(context, layout) as source:
        changed = _changed(remote, layout, there, source)
        if CHAIN in changed and CHAIN in there:
            _refuse_other_chain(remote, layout)
        mark_submissions(context)
        former = _former_pages(context, remote, there)
        pages = {address for address in layout.files if not address.startswith(PERMANENT)}
        if not pages <= former:
            _write_pages(context, remote, pages | former)
        _send(context, remote, layout, changed, source)
    remote.delete(sorted((former - pages) & there.keys()))
    remote.delete(sorted(address for address in there if _is_left(address, layout)))
    if former != pages:
        _write_pages(context, remote, pages)
    sent = sum(layout.files[address].stat().st_size for address in changed)
    return Published(len(changed), sent, time.monotonic() - began_s)


def mark_submissions(context: Context) -> None:
    """Record that the submissions that have pages are published from now on, so that `withdraw` refuses them.

    Raises:
        UserError: the site has pages of a submission that was withdrawn.
    """
    if not (context.data / SUBMISSIONS).is_dir():
        return
    with locked_submissions(context.data):
        for pages in context.public.glob(f"cycles/{PREFIX}*"):
            identity = pages.name.removeprefix(PREFIX)
            if not (context.data / SUBMISSIONS / identity).is_dir():  # of a host that was restored
                continue
            submission = read_submission(context.data, identity)
            if submission.withdrawn:
                raise UserError(f"{pages}: is of a submission that was withdrawn; the next run removes it")
            if not submission.published:
                write_submission(context.data, replace(submission, published=iso(context.clock.now())))


def _changed(remote: Remote, layout: Layout, there: Mapping[str, int], source: Path) -> list[str]:
    """The addresses of the files that are to be sent."""
    folders = {folder.name: place for place, folder in layout.snapshots.items()}
    sizes = {address: path.stat().st_size for address, path in layout.files.items()}
    missing = {address for address, size in sizes.items() if there.get(address) != size}
    compared = [
        address
        for address in sizes.keys() - missing
        if not is_frozen(address) or place_of(address, folders) not in layout.settled
    ]
    different = remote.differences(source, sorted(compared))
    for address in (*different, *(missing & there.keys())):
        if address.startswith("snapshots/") and address.endswith(f"/{CHECKSUMS}"):
            problem = f"{layout.files[address]}: {remote.place} has another snapshot of this cycle"
            raise UserError(f"{problem}; publish this one as a later revision, or restore that one")
    return sorted(missing.union(different))


def _send(context: Context, remote: Remote, layout: Layout, changed: Iterable[str], source: Path) -> None:
    """Send files, stage by stage, those with the same headers together."""
    groups: dict[tuple[int, tuple[tuple[str, str], ...]], list[str]] = defaultdict(list)
    for address in changed:
        groups[stage_of(address), tuple(headers_at(address).items())].append(address)
    site = context.public.stat().st_ino
    sizes = {address: layout.files[address].stat().st_size for group in groups.values() for address in group}
    with ByteProgress(sum(sizes.values()), "sent") as sending:
        for (stage, headers), addresses in sorted(groups.items()):
            if context.public.stat().st_ino != site:
                raise UserError(f"{context.public}: was built again meanwhile; the next run publishes that")
            sending.begin(STAGES[stage], sum(sizes[address] for address in addresses))
            remote.send(source, addresses, dict(headers), sending.show)


def _refuse_lost(remote: Remote, layout: Layout, there: Mapping[str, int]) -> None:
    """Raise UserError if a pruned file is not on the remote."""
    lost = sorted(layout.elsewhere - there.keys())
    if lost:
        problem = f"{remote.place}: lacks {lost[0]}, which was pruned here, and {len(lost) - 1} more files"
        raise UserError(f"{problem}; restore them there, or publish to the remote that has them")


def _refuse_other_chain(remote: Remote, layout: Layout) -> None:
    """Raise UserError if the remote has a chain that the one here does not continue."""
    with tempfile.TemporaryDirectory(prefix="observatory-") as folder:
        remote.fetch([CHAIN], Path(folder))
        if not layout.files[CHAIN].read_bytes().startswith((Path(folder) / CHAIN).read_bytes()):
            problem = f"{layout.files[CHAIN]}: does not continue the chain of {remote.place}"
            raise UserError(f"{problem}; restore that one, with its signature, and sign again")


def _is_left(address: str, layout: Layout) -> bool:
    """Whether a file is what a killed rclone left of one in a folder, such as `a.csv.1f2e3d4c.partial`."""
    name = address.removesuffix(PARTIAL)
    return name != address and name.rpartition(".")[0] in layout.files


def _former_pages(context: Context, remote: Remote, there: Mapping[str, int]) -> set[str]:
    """What was published and may vanish."""
    if PAGES not in there:
        return set()
    remote.fetch([PAGES], context.data)
    return set((context.data / PAGES).read_text(encoding="utf-8").splitlines())


def _write_pages(context: Context, remote: Remote, pages: Iterable[str]) -> None:
    """Replace operate/pages.txt."""
    write_text(context.data / PAGES, "".join(f"{page}\n" for page in sorted(pages)))
    remote.send(context.data, [PAGES], headers_at(PAGES))
