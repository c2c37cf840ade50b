"""The unlisted pages of submissions: their site, and the folder unlisted/ on the remote.

The address of a submission's pages is `unlisted/<token>/`, which nobody can guess. No list on the remote has
it. Publishing the site neither sends nor deletes anything below unlisted/.
"""

import shutil
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from scripts.model.submission import Submission
from scripts.operate.children import run_child
from scripts.operate.context import Context
from scripts.operate.layout import unlisted_headers
from scripts.operate.remote import Remote, remote_of
from scripts.site.headers import UNLISTED_ADDRESSES


def build_unlisted(context: Context, submission: Submission, folder: Path) -> str:
    """Build the unlisted site of a submission, whole or not at all.

    Args:
        context: of the submission (submission_records.own_context).
        submission: its record.
        folder: where the site is to be. It is not there yet.

    Raises:
        UserError: the snapshot is damaged, or the site cannot be written.
    """
    fresh = folder.with_name(f".{folder.name}")
    shutil.rmtree(fresh, ignore_errors=True)
    words = [sys.executable, "-m", "scripts.site", "unlisted", str(context.snapshots), submission.token]
    run_child(context, [*words, "--until", submission.release, "-o", str(fresh)])
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
    remote = remote_of(context)
    there: dict[str, dict[str, int]] = defaultdict(dict)
    for address, size in remote.below(UNLISTED_ADDRESSES).listing().items():
        token, _, name = address.partition("/")
        there[token][name] = size
    gone = sorted(there.keys() - wanted.keys())
    for token in gone:
        remote.purge(f"{UNLISTED_ADDRESSES}{token}")
    sent = sum(
        _send(remote.below(f"{UNLISTED_ADDRESSES}{token}"), folder, there[token])
        for token, folder in wanted.items()
    )
    return f"{sent} files sent, {len(gone)} sites deleted"


def _send(remote: Remote, site: Path, there: Mapping[str, int]) -> int:
    """Send the files of a site that are missing there, pages after everything else; returns their number."""
    groups: dict[tuple[bool, tuple[tuple[str, str], ...]], list[str]] = defaultdict(list)
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        name = path.relative_to(site).as_posix()
        if there.get(name) != path.stat().st_size:
            groups[name.endswith(".html"), tuple(unlisted_headers(name).items())].append(name)
    for (_, headers), names in sorted(groups.items()):
        remote.send(site, names, dict(headers))
    return sum(map(len, groups.values()))
