"""One run: the next cycle, then the next, until nothing is left, then submissions; then prune and report.

A step that fails is recorded, and ends the work of this run on its cycle. It does not stop the other cycles:
a cycle is measured while the storage is away, and everything unpublished is published when it is back. The
next run tries again. A run can be killed at any point: what is done is read from the disk, never remembered.

The pages are published again when what they say of the operation changed.

data/operate/reported holds the checksum of what was published last: the records, the next slot, and whether
the observatory is stale. It is written after the publication, so that a killed report is repeated.
"""

import hashlib
from dataclasses import replace

from scripts.base.files import write_text
from scripts.model.cycle_names import order_of
from scripts.operate.agenda import next_cycle, records_of
from scripts.operate.context import BusyError, Context, iso, only_run, say
from scripts.operate.current_run import Run
from scripts.operate.records import CYCLES, read_cycle, write_cycle
from scripts.operate.restoring import refuse_unfinished
from scripts.operate.step_actions import StepActions
from scripts.operate.steps import bound, steps_of
from scripts.operate.submissions.work import measure_next, settle, watching


def run(context: Context, actions: StepActions) -> int:
    """Do whatever is next, until nothing is.

    Returns:
        The exit status: 0 done or nothing due, 1 a step failed.

    Raises:
        BusyError: another run is active, or a cycle is measured by hand.
        UserError: a record cannot be read, or this host is not wholly restored.
    """
    with only_run(context):
        refuse_unfinished(context)
        this = Run(context, actions)
        this.actions = watching(this)
        try:
            _work(this)
        except BusyError:
            this.show_phase("idle", None)
            raise
        _keep_house(this)
        return 0 if this.well else 1


def _work(run: Run) -> None:
    """Work on the cycles; then on submissions, and after each one again on cycles, if a slot has begun."""
    tried: set[str] = set()
    settle(run)
    _work_on_cycles(run)
    while measure_next(run, tried):
        settle(run)
        _work_on_cycles(run)


def _work_on_cycles(run: Run) -> None:
    """Work on each cycle once. Once one is published the storage is back, so the others are tried again."""
    tried: set[str] = set()
    published = False
    while (following := next_cycle(run.context, tried)) is not None:
        if published:
            _prune_and_report(run)  # cycles that follow each other without a pause never end the run
        if published := _advance(run, following.cycle):
            tried.clear()
        else:
            tried.add(following.cycle)
    if not tried:
        slot = run.context.settings.schedule.next_slot(run.context.clock.now())
        say(run.context, f"nothing is due; the next slot begins on {slot}")


def _advance(run: Run, cycle: str) -> bool:
    """Do the steps of a cycle, up to the first one that fails."""
    context, target = run.context, run.target_cycle(cycle)
    if not run.attempt(target, "begin", "starting", lambda: _begin(context, cycle)):
        return False
    if not run.do(target, bound(steps_of(context, cycle), context, cycle, run.actions)):
        return False
    record = read_cycle(context.folder, context.settings.campaign, cycle)
    run.tell("completed", cycle=cycle, at=record.completed, files=record.files, bytes=record.bytes)
    return True


def _begin(context: Context, cycle: str) -> str:
    """Record when the first step of a cycle ran."""
    record = read_cycle(context.folder, context.settings.campaign, cycle)
    if record.started:
        return f"goes on; begun {record.started}"
    started = iso(context.clock.now())
    scheduled = context.settings.schedule.names(cycle)
    write_cycle(context.folder, replace(record, started=started, scheduled=scheduled))
    return f"begun {started}"


def _keep_house(run: Run) -> None:
    """What ends a run, also if a step failed: a full disk must not stay full."""
    _prune_and_report(run)
    run.show_phase(run.resting, None)
    if run.well:
        run.tell("ping")


def _prune_and_report(run: Run) -> None:
    """Prune, and publish what the pages tell of the operation."""
    context, actions = run.context, run.actions
    records = records_of(context)
    if records:
        newest = run.target_cycle(max(records, key=order_of))
        run.attempt(newest, "prune", "pruning", lambda: actions.prune(context))
        if not run.failed & {"site", "publish", "verify"}:
            run.attempt(newest, "report", run.resting, lambda: report(context, actions, run.stale))


NAME = "reported"


def report(context: Context, actions: StepActions, stale: bool) -> str:
    """Build the pages about all cycles and publish them, with the records, if they changed.

    Raises:
        UserError: the site cannot be built or published.
    """
    fingerprint, stored = _fingerprint(context, stale), context.folder / NAME
    if stored.is_file() and stored.read_text(encoding="utf-8") == fingerprint:
        return "the published pages are as they should be"
    actions.build(context)
    done = actions.publish(context)
    write_text(stored, fingerprint)
    return f"{done.files} files published again"


def _fingerprint(context: Context, stale: bool) -> str:
    """The checksum of what the published pages tell of the operation."""
    files = sorted((context.folder / CYCLES).glob("[!.]*.json"))
    sha256 = hashlib.sha256(b"".join(path.read_bytes() for path in files))
    slot = context.settings.schedule.next_slot(context.clock.now())
    sha256.update(f"{slot} {stale}".encode())
    return sha256.hexdigest() + "\n"
