"""The unlisted pages of submissions: their site, and the folder unlisted/ on the remote.

The address of a submission's pages is `unlisted/<token>/`, which nobody can guess. No list on the remote has
it, and no command line: every user of the host can read those. Publishing the site neither sends nor deletes
anything below unlisted/.
"""

import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from scripts.model.submission import RECORD
from scripts.operate.children import run_child
from scripts.operate.context import Context
from scripts.operate.layout import unlisted_headers
from scripts.operate.remote import Remote, remote_of
from scripts.site.headers import UNLISTED_ADDRESSES


def build_unlisted(context: Context, folder: Path) -> str:
    """Build the unlisted site of a submission, whole or not at all.

    Args:
        context: of the submission (submission_records.own_context).
        folder: where the site is to be: beside the record of the submission. It is not there yet.

    Raises:
        UserError: the snapshot is damaged, or the site cannot be written.
    """
    fresh = folder.with_name(f".{folder.name}")
    shutil.rmtree(fresh, ignore_errors=True)
    record = folder.parent / RECORD
    words = [sys.executable, "-m", "scripts.site", "unlisted", str(context.snapshots), str(record)]
    run_child(context, [*words, "-o", str(fresh)])
    fresh.rename(folder)
    return f"built: {folder}"


def publish_unlisted(context: Context, wanted: Mapping[str, Path]) -> str:
    """Send what is missing of unlisted sites, and delete everything else below unlisted/.

    Args:
        context: of the run.
        wanted: the folder of each site, by its token.

    Raises:
        UserError: the remote refuses or cannot be reached.
    """
    remote = _remote(context)
    there = remote.listing()
    gone = _delete(remote, [address for address in there if _token(address) not in wanted])
    sent = sum(_send(remote, token, folder, there) for token, folder in wanted.items())
    return f"{sent} files sent, {gone} sites deleted"


def delete_unlisted(context: Context, token: str | None = None) -> str:
    """Delete the site of a token below unlisted/, or all of them.

    Raises:
        UserError: the remote refuses or cannot be reached.
    """
    remote = _remote(context)
    gone = [address for address in remote.listing() if token is None or _token(address) == token]
    return f"{_delete(remote, gone)} sites deleted"


def _remote(context: Context) -> Remote:
    return remote_of(context).below(UNLISTED_ADDRESSES)


def _token(address: str) -> str:
    """The token of a file below unlisted/."""
    return address.partition("/")[0]


def _delete(remote: Remote, addresses: Sequence[str]) -> int:
    """Delete files and what is empty then; returns the number of their sites."""
    if addresses:
        remote.delete(addresses)
        remote.delete_empty_folders()
    return len(set(map(_token, addresses)))


def _send(remote: Remote, token: str, site: Path, there: Mapping[str, int]) -> int:
    """Send the files of a site that are missing there, pages after everything else; returns their number."""
    groups: dict[tuple[bool, tuple[tuple[str, str], ...]], list[str]] = defaultdict(list)
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        name = path.relative_to(site).as_posix()
        address = f"{token}/{name}"
        if there.get(address) != path.stat().st_size:
            groups[name.endswith(".html"), tuple(unlisted_headers(name).items())].append(address)
    with tempfile.TemporaryDirectory(prefix="observatory-") as source:
        (Path(source) / token).symlink_to(site.resolve())
        for (_, headers), addresses in sorted(groups.items()):
            remote.send(Path(source), addresses, dict(headers))
    return sum(map(len, groups.values()))
