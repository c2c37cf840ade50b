"""Publish the pages again when what they say of the operation changed.

data/operate/reported holds the checksum of what was published last: the records, the next slot, and whether
the observatory is stale. It is written after the publication, so that a killed report is repeated.
"""

import hashlib

from scripts.base.files import write_text
from scripts.operate.context import Context
from scripts.operate.parts import Parts
from scripts.operate.records import CYCLES

NAME = "reported"


def report(context: Context, parts: Parts, stale: bool) -> str:
    """Build the pages about all cycles and publish them, with the records, if they changed.

    Raises:
        UserError: the site cannot be built or published.
    """
    told, stored = _fingerprint(context, stale), context.folder / NAME
    if stored.is_file() and stored.read_text(encoding="utf-8") == told:
        return "the published pages are as they should be"
    parts.build(context)
    done = parts.publish(context)
    write_text(stored, told)
    return f"{done.files} files published again"


def _fingerprint(context: Context, stale: bool) -> str:
    """The checksum of what the published pages tell of the operation."""
    files = sorted((context.folder / CYCLES).glob("[!.]*.json"))
    told = hashlib.sha256(b"".join(path.read_bytes() for path in files))
    slot = context.settings.schedule.grid.next_slot(context.clock.now())
    told.update(f"{slot} {stale}".encode())
    return told.hexdigest() + "\n"
