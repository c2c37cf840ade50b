"""The steps of a cycle, in order. Each can be repeated, and returns one line that says what it did."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.files import write_text
from scripts.model.cycle_names import SITE_STAMP
from scripts.model.pairs import is_solo
from scripts.operate.agenda import frozen
from scripts.operate.context import Context, complain, iso
from scripts.operate.current_run import reason_of
from scripts.operate.host_checks import HealthCheck
from scripts.operate.records import read_cycle, write_cycle
from scripts.operate.step_actions import StepActions
from scripts.site.addresses import Place
from scripts.site.data.manifest import NAME as MANIFEST
from scripts.site.data.summary import JSON as SUMMARY

STATUS_S = 600
"""While trials are measured, the status is written again after so many seconds. It reads every trial."""

Step = Callable[[Context, str, StepActions], str]


def health(context: Context, cycle: str, actions: StepActions) -> str:
    """Look at the host.

    Raises:
        UserError: a check failed.
    """
    checks = [*actions.check(context, cycle)]
    failed = [f"{check.name}: {check.message}" for check in checks if check.state == "failed"]
    if failed:
        raise UserError("; ".join(failed))
    return _summary(checks)


def canaries(context: Context, cycle: str, actions: StepActions) -> str:
    """Try the live services, and record which ones are set aside."""
    aside = dict(actions.canaries(context, cycle))
    record = read_cycle(context.folder, context.settings.campaign, cycle)
    if record.set_aside != aside:
        write_cycle(context.folder, replace(record, set_aside=aside))
    return f"set aside: {_words(aside)}" if aside else "no service is set aside"


def measure(context: Context, cycle: str, actions: StepActions) -> str:
    """Measure the cycle up to its snapshot."""
    write_status = status_writer(context, cycle, actions)

    def during() -> None:
        actions.watch(context)
        write_status()

    return actions.measure(context, cycle, during)


def status_writer(context: Context, cycle: str | None, actions: StepActions) -> Callable[[], None]:
    """A function that writes the status of a run that measures, if STATUS_S are over. It never fails."""
    written_s = time.monotonic()

    def write() -> None:
        nonlocal written_s
        if time.monotonic() - written_s < STATUS_S:
            return
        written_s = time.monotonic()
        try:
            actions.write_status(context, "measuring", cycle)
        except Exception as error:
            complain(context, f"warning: the status is not written: {reason_of(error)}")

    return write


def sign(context: Context, cycle: str, actions: StepActions) -> str:
    """Sign the snapshot, if there is a key."""
    return actions.sign(context, _place(context, cycle))


def build(context: Context, cycle: str, actions: StepActions) -> str:
    """Build the pages of the cycle, unless the site has them."""
    place = _place(context, cycle)
    if (context.public / place.pages / SUMMARY).is_file():
        line = f"{context.public / place.pages}: built before"
    else:
        line = actions.build(context)
    folder = context.cycle(place.cycle)
    if folder.is_dir():  # for `make cycle`: this cycle is finished
        write_text(folder / SITE_STAMP, "")
    return line


def publish(context: Context, cycle: str, actions: StepActions) -> str:
    """Publish whatever the remote does not have."""
    done, remote = actions.publish(context), context.settings.publish.remote
    return f"{done.files} files, {done.bytes / 1e6:.1f} MB in {done.seconds:.0f} s: {remote}"


def verify(context: Context, cycle: str, actions: StepActions) -> str:
    """Read the published copy back, and record the cycle as completed."""
    line = actions.verify(context, cycle)
    record = read_cycle(context.folder, context.settings.campaign, cycle)
    files, size = _published(context, cycle)
    done = replace(
        record,
        completed=iso(context.clock.now()),
        remote=context.settings.publish.remote,
        files=files,
        bytes=size,
        set_aside=_failed_alone(context, cycle) | (record.set_aside or {}),
    )
    write_cycle(context.folder, done)
    return line


MEASURING: Mapping[str, tuple[str, Step]] = {
    "health": ("checking", health),
    "canary": ("checking", canaries),
    "measure": ("measuring", measure),
}
"""The steps of a cycle without a snapshot: name, the phase of the status, and what it does."""

PUBLISHING: Mapping[str, tuple[str, Step]] = {
    "sign": ("publishing", sign),
    "site": ("building", build),
    "publish": ("publishing", publish),
    "verify": ("verifying", verify),
}
"""The steps of a cycle with a snapshot."""


def steps_of(context: Context, cycle: str) -> Mapping[str, tuple[str, Step]]:
    """The steps that a cycle still needs."""
    return PUBLISHING if cycle in frozen(context) else {**MEASURING, **PUBLISHING}


def bound(
    steps: Mapping[str, tuple[str, Step]], context: Context, cycle: str, actions: StepActions
) -> Iterator[tuple[str, str, Callable[[], str]]]:
    """Steps as a run does them for a cycle: each name, its phase, and what it does."""
    for name, (phase, step) in steps.items():
        yield name, phase, partial(step, context, cycle, actions)


def _place(context: Context, cycle: str) -> Place:
    """The place of a cycle that has a snapshot.

    Raises:
        UserError: it has none.
    """
    places = frozen(context)
    if cycle not in places:
        raise UserError(
            f"{context.snapshots}: has no snapshot of {context.settings.campaign}, cycle {cycle}; run again"
        )
    return places[cycle]


def _failed_alone(context: Context, cycle: str) -> dict[str, str]:
    """The services that the table plan calls set aside, each with the settings in which it failed alone."""
    table = context.cycle(_place(context, cycle).cycle) / "tables/plan.parquet"
    if not table.is_file():
        return {}
    rows = pq.read_table(table, columns=["setting", "pair", "reason"]).to_pylist()
    settings: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["reason"] == "set_aside" and is_solo(row["pair"]):
            settings[row["pair"]].add(row["setting"])
    reason = "its last three trials alone failed"
    return {service: f"{reason} ({', '.join(sorted(names))})" for service, names in sorted(settings.items())}


def _published(context: Context, cycle: str) -> tuple[int, int]:
    """How many files the manifest of the cycle lists, and their bytes."""
    manifest = context.public / _place(context, cycle).pages / MANIFEST
    sizes = pq.read_table(manifest, columns=["bytes"]).column("bytes").to_pylist()
    return len(sizes), sum(sizes)


def _summary(checks: Sequence[HealthCheck]) -> str:
    warnings = [f"{check.name}: {check.message}" for check in checks if check.state == "warning"]
    return "; ".join(
        [f"checks passed: {len(checks) - len(warnings)}", *(f"warning: {line}" for line in warnings)]
    )


def _words(aside: Mapping[str, str]) -> str:
    return "; ".join(f"{service} ({reason})" for service, reason in sorted(aside.items()))
