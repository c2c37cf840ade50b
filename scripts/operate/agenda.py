"""Which cycle is next: one that is measured but not published, one that is begun, the one of the slot of now.

Unattended operation works on its own cycles only: those of the campaign that are named by a slot of the grid
or have a record. A cycle that was measured by hand is published with the site, and that is all.

A cycle that has no trial when its slot has passed is never measured: only the present can be measured. To
give up a begun cycle, remove its folder.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass

from scripts.base.errors import UserError
from scripts.model.cycle_names import order_of
from scripts.operate.context import Context
from scripts.operate.records import CycleRecord, read_records
from scripts.site.addresses import Place
from scripts.snapshot.identity import IDENTITY, read_identity


@dataclass(frozen=True)
class Next:
    """A cycle to work on, and why."""

    cycle: str
    reason: str


def next_cycle(context: Context, tried: Collection[str] = ()) -> Next | None:
    """What is next, without the cycles that this run tried already; None if nothing is.

    Raises:
        UserError: a record cannot be read.
    """
    return next((following for following in agenda(context) if following.cycle not in tried), None)


def agenda(context: Context) -> list[Next]:
    """Every cycle that is not complete, in the order of work.

    Raises:
        UserError: a record cannot be read.
    """
    records = records_of(context)
    measured = frozen(context)
    own = {name for name, place in measured.items() if _is_own(context, place.cycle, records)}
    begun = {name for name in _begun(context) if _is_own(context, name, records)}
    slot = context.settings.schedule.slot(context.clock.now())
    work = [Next(name, "is measured and not published") for name in sorted(own, key=order_of)]
    work += [Next(name, "is begun") for name in sorted(begun - measured.keys(), key=order_of)]
    if slot and slot.isoformat() not in measured.keys() | begun:
        work.append(Next(slot.isoformat(), "is the cycle of this slot"))
    done = {name for name, record in records.items() if record.completed}
    return [following for following in work if following.cycle not in done]


def records_of(context: Context) -> dict[str, CycleRecord]:
    """The records of the campaign, by cycle.

    Raises:
        UserError: a record cannot be read.
    """
    campaign = context.settings.campaign
    return {record.cycle: record for record in read_records(context.folder) if record.campaign == campaign}


def frozen(context: Context) -> dict[str, Place]:
    """The cycles of the campaign that have a snapshot, by label: a later revision is `<cycle>.r2`.

    A snapshot that cannot be read is none here; the build of the site names it.
    """
    places = []
    for path in context.snapshots.glob(f"[!.]*/{IDENTITY}"):
        with suppress(UserError):
            identity = read_identity(path.parent)
            places.append(Place(identity.campaign, identity.cycle, identity.revision))
    return {place.label: place for place in places if place.campaign == context.settings.campaign}


def _is_own(context: Context, cycle: str, records: Collection[str]) -> bool:
    return cycle in records or context.settings.schedule.names(cycle)


def _begun(context: Context) -> set[str]:
    """The cycles that have a trial."""
    folders = (context.data / context.settings.campaign).glob("[!.]*/trials")
    return {folder.parent.name for folder in folders if any(folder.glob("*/*/[0-9]*"))}
