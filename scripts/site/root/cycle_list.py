"""The data of the list of all cycles."""

from dataclasses import dataclass

from scripts.figures.words import several
from scripts.model.submission import is_submission
from scripts.site import Row
from scripts.site.addresses import provisional
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.change_pages import change_counts
from scripts.site.root.history import KINDS, differences
from scripts.site.root.history_pages import cycle_entry
from scripts.site.times import span
from scripts.snapshot.identity import Provisional


@dataclass(frozen=True)
class ProvisionalCycle(Provisional):
    """A cycle that still runs, with the address of its pages (site/root/layouts/_partials/running.html)."""

    address: str


@dataclass(frozen=True)
class ListedCampaign:
    """A campaign with its cycles, the latest first (site/root/layouts/cycles/section.html).

    Submissions are in a section of their own. A campaign may test the testbed rather than services.
    """

    campaign: str
    submitted: bool
    tests_testbed: bool
    title: str
    cycles: list[Row]


def cycle_list(archive: Archive) -> list[ListedCampaign]:
    """Every campaign, also one whose first cycle still runs."""
    return [
        ListedCampaign(
            campaign,
            is_submission(campaign) and not archive.settings.unlisted,
            any(cycle.summary.tests_testbed for cycle in archive.all_of(campaign)[-1:]),
            cycles[-1].summary.title if (cycles := archive.all_of(campaign)) else campaign,
            [_entry(archive, cycle) for cycle in reversed(cycles)],
        )
        for campaign in archive.campaigns
    ]


def running_cycles(archive: Archive) -> list[ProvisionalCycle]:
    """The cycles that still run."""
    return [ProvisionalCycle(**vars(cycle), address=provisional(cycle.campaign)) for cycle in archive.running]


def _entry(archive: Archive, cycle: Cycle) -> Row:
    summary = cycle.summary
    return cycle_entry(cycle) | {
        "measured_span": span(summary.first_start_ns, summary.last_stop_ns),
        "counted": summary.counted,
        "excluded": summary.excluded,
        "statuses": _statuses(archive, cycle),
        "revisions": _revisions(cycle) if len(cycle.revisions) > 1 else [],
        "news": [] if cycle.withdrawn else _news(archive, cycle),
        "changes": None if cycle.withdrawn else change_counts(cycle),
    }


def _statuses(archive: Archive, cycle: Cycle) -> list[str]:
    """Whether a cycle is the latest of its campaign over its switch, corrected, withdrawn, or lost files."""
    words: list[str] = []
    if cycle.withdrawn:
        words.append(f"withdrawn on {cycle.withdrawn.date}: {cycle.withdrawn.reason}")
    else:
        counted = archive.counted(cycle.summary.campaign)
        latest = [other for other in counted if _switch(other) == _switch(cycle)][-1]
        words.append("latest" if latest is cycle else f"superseded by cycle {latest.name}")
    if cycle.summary.revision > 1:
        words.append(f"corrected by revision {cycle.summary.revision}")
    removed = sum(len(tombstone.removed) for tombstone in cycle.tombstones)
    if removed:
        words.append(f"{several(removed, 'file')} removed")
    return words


def _switch(cycle: Cycle) -> object:
    """The switch that its campaign chose: a cycle over another one is the other half of a comparison."""
    return cycle.summary.method.get("bottleneck")


def _revisions(cycle: Cycle) -> list[Row]:
    """Every revision with its pages, the latest first."""
    return [
        {
            "revision": summary.revision,
            "pages": summary.place.pages,
            **(vars(summary.correction) if summary.correction else {}),
        }
        for summary in reversed(cycle.revisions)
    ]


def _news(archive: Archive, cycle: Cycle) -> list[str]:
    """What is new against the cycle before: services, settings, method, code and host."""
    counted = archive.counted(cycle.summary.campaign)
    earlier = counted[: counted.index(cycle)]
    if not earlier:
        return ["the first cycle of its campaign"]
    before = earlier[-1]
    words = [
        *_added("service", before.labels.services, cycle.labels.services),
        *_added("setting", before.labels.settings, cycle.labels.settings),
    ]
    differing = differences(before.summary, cycle.summary)
    for kind in KINDS:
        if of_kind := [difference.words for difference in differing if difference.kind == kind]:
            words.append(f"{kind}: {'; '.join(of_kind)}")
    return words


def _added(kind: str, before: dict[str, str], after: dict[str, str]) -> list[str]:
    """What was added and removed, by title."""
    words = []
    for verb, one, other in (("new", after, before), ("no longer measured", before, after)):
        if titles := [one[name] for name in one if name not in other]:
            words.append(f"{verb}: {kind}{'s' if len(titles) > 1 else ''} {', '.join(titles)}")
    return words
