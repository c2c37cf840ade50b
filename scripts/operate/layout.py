"""Where everything stands on the remote, and in which order it is sent. Addresses are relative to the remote.

    captures/<campaign>/<label>/<setting>/<pair>/<nn>/…   the trials of a snapshot
    snapshots/<folder>/…                                  the snapshot without its trials
    snapshots/chain.jsonl, successors/…                   the chain and the keys that follow: docs/signing.md
    data/v1/…, cycles/…, services/…, index.html, …        the site, at the addresses that it has
    operate/cycles/<campaign>-<label>.json                the records of cycles
    operate/pages.txt                                     what may vanish: see publishing.py
    unlisted/<token>/…                                    the pages of a submission: see unlisted.py

Captures are there also if config/site.yaml names another address for them. That address must lead there.
"""

from collections.abc import Mapping

from scripts.operate.context import FOLDER
from scripts.operate.records import CYCLES
from scripts.site.addresses import REVISION, Place
from scripts.site.headers import FROZEN, UNLISTED_ADDRESSES, headers_of
from scripts.snapshot import signatures
from scripts.snapshot.chain import CHAIN_FILE as CHAIN
from scripts.snapshot.checksums import PUBLISHED_WITHOUT_CHECKSUM
from scripts.snapshot.identity import IDENTITY, SIGNATURE

CAPTURES = "captures/"
SNAPSHOTS = "snapshots/"
RECORDS = f"{FOLDER}/{CYCLES}/"
PAGES = f"{FOLDER}/pages.txt"
PERMANENT = (CAPTURES, SNAPSHOTS, "cycles/", "data/", f"{FOLDER}/")
"""What never vanishes from the remote, except files that a tombstone names."""

TRIALS = "trials"
STAGES = ("files", "manifests", "pages of cycles", "other pages", "first page")
SUCCESSORS = f"{SNAPSHOTS}{signatures.SUCCESSORS}/"
CHAIN_FILES = (CHAIN, CHAIN + SIGNATURE)
CHANGING = {*PUBLISHED_WITHOUT_CHECKSUM, *CHAIN_FILES}
"""The files below snapshots/ that may change. Another SHA256SUMS is refused (publishing.py)."""

MANIFESTS = {
    *CHANGING,
    IDENTITY,
    "manifest.parquet",
    "index.json",
    "summary.json",
    "summary.parquet",
}
LAST = ("latest/", FOLDER)
FIRST_PAGE = {"index.html", "feed.xml", "sitemap.xml"}


def stage_of(address: str) -> int:
    """When a file is sent: the index in STAGES. No page is sent before what it shows or leads to."""
    name = address.rpartition("/")[2]
    if address.startswith(LAST) or address in FIRST_PAGE:
        return 4
    if name.endswith((".html", ".xml")):
        return 2 if address.startswith("cycles/") else 3
    return 1 if name in MANIFESTS else 0


def headers_at(address: str) -> dict[str, str]:
    """The type and the cache of an object, as scripts/site/headers.py has them."""
    headers = headers_of(address, CAPTURES)
    return {name: headers[name] for name in ("Content-Type", "Cache-Control")}


def unlisted_headers(address: str) -> dict[str, str]:
    """The type and the cache of an object of an unlisted site."""
    return headers_at(f"{UNLISTED_ADDRESSES}{address}")


def is_frozen(address: str) -> bool:
    """Whether the file at an address never changes."""
    name = address.rpartition("/")[2]
    return headers_at(address)["Cache-Control"] == FROZEN or (
        address.startswith(SNAPSHOTS) and name not in CHANGING and not address.startswith(SUCCESSORS)
    )


def place_of(address: str, folders: Mapping[str, Place]) -> Place | None:
    """The cycle to which a file belongs; None for all others. `folders` are those of the snapshots."""
    parts = address.split("/")
    if parts[0] == "snapshots":
        return folders.get(parts[1])
    if parts[0] == "captures":
        return place_named(parts[1], parts[2])
    if parts[:2] == ["data", "v1"] and len(parts) == 6:
        return place_named(parts[3].removeprefix("campaign="), parts[4].removeprefix("cycle="))
    if parts[0] == "cycles" and len(parts) > 3:
        later = int(parts[3][1:]) if len(parts) > 4 and REVISION.fullmatch(parts[3]) else 1
        return Place(parts[1], parts[2], later)
    return None


def place_named(campaign: str, label: str) -> Place:
    """The cycle of this label, which may end with its revision."""
    cycle, _, revision = label.partition(".r")
    return Place(campaign, cycle, int(revision) if revision.isdigit() else 1)
