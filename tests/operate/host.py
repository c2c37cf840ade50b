"""A host with made-up published cycles, and what its remote has."""

import hashlib
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from scripts.operate.context import Clock, Context
from scripts.operate.records import CycleRecord, write_cycle
from scripts.operate.settings import read_settings
from scripts.site.archive import build_archive
from scripts.site.previous_site import cycles_of
from tests.site.archives import SETTINGS

NOW = datetime(2027, 1, 5, 3, tzinfo=UTC)


def host(folder: Path, remote: str, config: Path | None = None) -> Context:
    """A host whose data/ and public/ are in this folder. It publishes to this remote."""
    settings = read_settings()
    publication = replace(settings.publish, remote=remote, rclone_config=config and str(config), sample=20)
    settings = replace(settings, campaign="demo", publish=publication)
    return Context(settings, folder / "data", folder / "public", Clock(NOW))


def copied(other: Context, folder: Path, remote: str, config: Path | None = None) -> Context:
    """A host with the same cycles and pages as another one."""
    for part in (other.data, other.public):
        shutil.copytree(part, folder / part.name, symlinks=True)
    return host(folder, remote, config)


def add_cycle(context: Context, snapshot: Path) -> None:
    """Freeze a cycle on a host: copy its snapshot, and build the site."""
    shutil.copytree(snapshot, context.snapshots / snapshot.name)
    build(context)


def build(context: Context) -> None:
    build_archive(context.snapshots, context.public, SETTINGS)


def complete(context: Context, cycle: str) -> None:
    """Record that a cycle was published and verified."""
    place = context.settings.publish.remote
    write_cycle(context.folder, CycleRecord("demo", cycle, completed="2027-01-05T03:00:00Z", remote=place))


def expected(context: Context) -> dict[str, str]:
    """The SHA-256 of every file that the remote of a host should have, but for operate/."""
    found = {}
    for path in context.public.rglob("*"):
        if path.is_file() and "captures" not in path.relative_to(context.public).parts[:1]:
            found[path.relative_to(context.public).as_posix()] = path
    for place in cycles_of(context.public):
        suffix = "" if place.revision == 1 else f"-r{place.revision}"
        snapshot = context.snapshots / f"{place.campaign}-{place.cycle}{suffix}"
        for path in snapshot.rglob("*"):
            below = path.relative_to(snapshot)
            if path.is_file() and below.parts[0] == "trials":
                found[f"captures/{place.campaign}/{place.label}/{below.relative_to('trials').as_posix()}"] = (
                    path
                )
            elif path.is_file() and below.name != "pruned.json":
                found[f"snapshots/{snapshot.name}/{below.as_posix()}"] = path
    for path in context.snapshots.glob("chain.jsonl*"):
        found[f"snapshots/{path.name}"] = path
    return {address: sha256(path) for address, path in sorted(found.items())}


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def stored(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file of a remote that is a folder, but for operate/."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    found = {path.relative_to(folder).as_posix(): sha256(path) for path in files}
    return {address: digest for address, digest in found.items() if not address.startswith("operate/")}
