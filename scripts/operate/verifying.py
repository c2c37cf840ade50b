"""Compare published files with those on this disk: a cycle by `rclone check`, and a sample by its bytes.

A storage reports the hashes of the upload. Only a file that is read back shows what readers get.
"""

import random
from collections.abc import Mapping
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import digest
from scripts.extract.byte_progress import ByteProgress
from scripts.operate.context import Context
from scripts.operate.layout import Layout, layout_of, outbox, place_named
from scripts.operate.remote import Remote, remote_of
from scripts.site.addresses import Place
from scripts.snapshot.checksums import read_checksums


def verify(context: Context, cycle: str) -> str:
    """Compare every published file of a cycle by its hash, and read a sample of them back.

    Args:
        context: the settings and folders.
        cycle: a cycle of the campaign; a later revision ends with `.r2`.

    Raises:
        UserError: a file is missing or differs.
    """
    remote, layout = remote_of(context), layout_of(context)
    place = place_named(context.settings.campaign, cycle)
    addresses = layout.of_cycle(place)
    if place not in layout.snapshots or not addresses:
        raise UserError(f"{context.snapshots}: has no published snapshot of cycle {cycle}; run make site")
    with outbox(context, layout) as source:
        different = remote.differences(source, addresses)
    if different:
        problem = f"{remote.place}: {len(different)} of {len(addresses)} files differ, such as {different[0]}"
        raise UserError(f"{problem}; the next run sends them again")
    sample = random.sample(addresses, min(context.settings.publish.sample, len(addresses)))
    _read_back(remote, layout, _expected(layout, place, sample))
    return f"{len(addresses)} files equal, {len(sample)} read back"


def read_back(context: Context, files: Mapping[Path, str]) -> None:
    """Read published copies of files, pruned ones too, back, and compare their SHA-256 with the given ones.

    Raises:
        UserError: a file is not published, or its copy has another SHA-256.
    """
    layout = layout_of(context)
    known = {**layout.files, **layout.pruned()}
    addresses = {path.absolute(): address for address, path in known.items()}
    unknown = [path for path in files if path.absolute() not in addresses]
    if unknown:
        raise UserError(
            f"{unknown[0]}: is not published, and {len(unknown) - 1} more files; publish it first"
        )
    wanted = {addresses[path.absolute()]: checksum for path, checksum in files.items()}
    _read_back(remote_of(context), layout, wanted)


def _read_back(remote: Remote, layout: Layout, wanted: Mapping[str, str]) -> None:
    """Read files back, and compare them."""
    total = sum(layout.files[address].stat().st_size for address in wanted if address in layout.files)
    with ByteProgress(total, "read back") as sending:
        sending.begin("checksums", total)
        published = remote.digests(sorted(wanted), sending.show)
    wrong = [address for address, checksum in wanted.items() if published.get(address) != checksum]
    if wrong:
        what = "has another SHA-256 there" if wrong[0] in published else "is missing there"
        problem = f"{remote.place}: {wrong[0]} {what}; so are {len(wrong) - 1} more files"
        raise UserError(f"{problem}; remove it there, the next run sends it again")


def _expected(layout: Layout, place: Place, addresses: list[str]) -> dict[str, str]:
    """The SHA-256 of files: by SHA256SUMS where it lists them, otherwise of the file here."""
    snapshot = layout.snapshots[place]
    listed = {snapshot / path: checksum for path, checksum in read_checksums(snapshot).items()}
    paths = {address: layout.files[address] for address in addresses}
    return {address: listed.get(path) or digest(path) for address, path in paths.items()}
