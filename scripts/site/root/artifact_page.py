"""The data of the page artifact/: how anybody verifies the latest cycle and rebuilds what it claims."""

from scripts.model.durations import readable
from scripts.site import Row
from scripts.site.data.summary import CORES, Claim, Effort
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.history_pages import cycle_entry
from scripts.site.root.sitemap import absolute
from scripts.snapshot.source import snapshot_address

SHORT_S = 240
"""The longest rebuild that is a minimal example: it leaves a minute of five to fetch its files."""

SPACE = 2
"""The disk space of a rebuild, as a multiple of what it reads: fetched files and working files.

Measured with the pinned snapshot: 1.9 for a pair, 2.0 for the whole."""


def artifact_page(archive: Archive) -> Row:
    """The claims of the front page's cycle, each with the commands that rebuild it. Empty without a cycle."""
    cycle = archive.front
    if cycle is None:
        return {}
    address = absolute(archive.settings, cycle.pages)
    return cycle_entry(cycle) | {
        "campaign": cycle.summary.campaign,
        "address": address,
        "snapshot": snapshot_address(address),
        "keys": absolute(archive.settings, "allowed_signers"),
        "checksum": cycle.summary.checksum,
        "cores": CORES,
        "claims": [_claim(cycle, claim) for claim in cycle.summary.claims],
        "example": _example(cycle.summary.claims),
    }


def _claim(cycle: Cycle, claim: Claim) -> Row:
    """A row of the table, with a line for each way to rebuild it, and its page if it has one of its own."""
    kind, _, name = claim.option.partition("=")
    return {
        "words": claim.words,
        "page": cycle.page(f"{name}/") if kind == "ONLY" else None,
        "ways": [_way(claim, effort) for effort in (claim.captures, claim.rows) if effort],
    }


def _example(claims: tuple[Claim, ...]) -> Row | None:
    """The first claim that is rebuilt in less than five minutes: from captures, else from rows."""
    ways = [*((claim, claim.captures) for claim in claims), *((claim, claim.rows) for claim in claims)]
    short = ((claim, effort) for claim, effort in ways if effort and effort.seconds <= SHORT_S)
    return next((_way(claim, effort) | {"words": claim.words} for claim, effort in short), None)


def _way(claim: Claim, effort: Effort) -> Row:
    """A way to rebuild a claim: the command, and what it takes."""
    option = "FROM=rows" if effort is claim.rows else ""
    return vars(effort) | {
        "command": " ".join(word for word in ("make reproduce", claim.option, option) if word),
        "disk": SPACE * effort.bytes,
        "time": readable(effort.seconds),
    }
