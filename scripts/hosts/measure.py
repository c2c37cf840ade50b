"""Measure one trial on this host, after it was claimed; or wait for the host that measures it."""

import shlex
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from scripts.base.host import host_name
from scripts.hosts.claims import Claims, held, taken
from scripts.hosts.handing_in import hand_in, own_place, specification_of
from scripts.hosts.settings import HostsSettings
from scripts.hosts.slurm import job_known
from scripts.hosts.stores import store_of
from scripts.model.plan_file import read_plan
from scripts.model.specification import CalibrationRound
from scripts.model.trials import TrialKey

PAIR = "calibration"
POLL_S = 0.5
PAUSE_S = 10
"""The time between two attempts to hand a trial in."""
CALIBRATIONS = 3
"""How often a host calibrates in a row before a failure stops the cycle: what disturbs it may pass."""
TEMPORARY_FAILURE = 75
"""The exit status of a trial that another host measures, or that was measured and is kept (sysexits.h)."""


@dataclass(frozen=True)
class TrialToMeasure:
    """One trial to measure.

    Attributes:
        into: its directory, absolute, in the `trials` of its cycle.
        testbed: the command that runs a trial.
        own_disk: the folder in which this host measures; None: in the folder of the cycle.
        patience_s: how long to try to hand a trial in before it is kept.
    """

    into: Path
    testbed: str
    own_disk: Path | None
    patience_s: float

    @property
    def cycle(self) -> Path:
        """The folder of the cycle."""
        return self.into.parents[3]

    @property
    def key(self) -> TrialKey:
        """The trial's key."""
        return TrialKey.of(self.into)


def claims_of(cycle: Path, settings: HostsSettings) -> Claims:
    """The claims of a cycle."""
    place = str(cycle / "claims")
    if settings.claims is not None:
        place = f"{settings.claims.rstrip('/')}/{cycle.parent.name}/{cycle.name}"
    return Claims(store_of(place), settings.lease_s, job_known)


def claim_name(key: TrialKey) -> str:
    """The name of the claim of a trial."""
    return key.path.as_posix()


def round_of(cycle: Path, key: TrialKey) -> int | None:
    """The round of a trial; None for a trial of no round."""
    for file in sorted(cycle.glob("plan/round-*.csv")):
        for line in read_plan(file):
            if line.key == key:
                return line.round
    return None


def measure(trial: TrialToMeasure, claims: Claims, wait: bool = True) -> int:
    """Measure a trial, unless it exists or somebody else does.

    Args:
        trial: the trial.
        claims: the claims of its cycle.
        wait: whether to wait for the result of somebody else.

    Returns:
        0: the trial exists. TEMPORARY_FAILURE: somebody else measures it, or it is kept on the own disk. Any
        other status is that of the testbed.

    Raises:
        UserError: the calibration of this host failed.
        OSError: the store of the claims cannot be reached.
    """
    name = claim_name(trial.key)
    while not trial.into.is_dir():
        claim = taken(claims, name, trial.into.is_dir, wait)
        if claim is None:
            break
        with held(claim) as lost:
            status = 0 if trial.into.is_dir() else _measure_claimed(trial, claims, lost)
        if status:
            return status
    if not trial.into.is_dir():
        return TEMPORARY_FAILURE
    claims.void(name)
    return 0


def _measure_claimed(trial: TrialToMeasure, claims: Claims, lost: Event) -> int:
    """Calibrate if this host has to, measure and hand in; 0 also if somebody takes the claim over."""
    number = round_of(trial.cycle, trial.key)
    if number is not None:
        status = _calibrate(trial, number, claims, lost)
        if status or lost.is_set():
            return status
    measured = own_place(trial.own_disk, trial.into) if trial.own_disk else trial.into
    status = _run_testbed(trial.testbed, specification_of(trial.into), measured, lost)
    if status or lost.is_set() or trial.own_disk is None:
        return status
    return _hand_in(measured, trial)


def _hand_in(measured: Path, trial: TrialToMeasure) -> int:
    deadline = time.monotonic() + trial.patience_s
    while True:
        try:
            hand_in(measured, trial.into)
            return 0
        except OSError as error:
            print(f"{trial.into}: cannot be handed in yet: {error}", file=sys.stderr, flush=True)
            if time.monotonic() > deadline:
                print(
                    f"the trial is kept in {measured}; the next trial on this host hands it in",
                    file=sys.stderr,
                )
                return TEMPORARY_FAILURE
        time.sleep(min(PAUSE_S, trial.patience_s))


def _calibrate(trial: TrialToMeasure, round_number: int, claims: Claims, lost: Event) -> int:
    """Make sure that a calibration of this host has passed, in this round and setting.

    A passed one is reused. A failed one is kept, and another one is measured: CALIBRATIONS in a call.

    Raises:
        UserError: the last one failed, too.
    """
    host, setting = host_name(), trial.key.setting
    stamp = trial.cycle / "stamps" / setting / PAIR / f"round-{round_number:02d}-{host}"
    claim = taken(claims, f"{setting}/{PAIR}/round-{round_number:02d}-{host}", stamp.exists)
    if claim is None:
        return 0
    # These modules read captures, and load slowly. A host needs them once in a round and setting.
    from scripts.tables.calibration_gate import CalibrationFailedError, judge, next_number

    config = trial.cycle / "plan/config.json"
    with held(claim):
        before = CalibrationRound(round_number, host)
        failures = 0
        while True:
            number = next_number(config, trial.cycle.name, setting, before, trial.cycle)
            into = trial.cycle / "trials" / TrialKey(setting, PAIR, number).path
            status = _run_testbed(trial.testbed, specification_of(into), into, lost)
            if status or lost.is_set():
                return status
            try:
                print(judge(config, setting, number, trial.cycle), file=sys.stderr, flush=True)
                stamp.touch()
                return 0
            except CalibrationFailedError as error:
                failures += 1
                if failures == CALIBRATIONS:
                    raise CalibrationFailedError(
                        f"{error}; {failures} in a row failed, so no trial of round {round_number} is "
                        "measured there; find out what disturbs the testbed, then repeat the same command"
                    ) from None
                print(f"{error}; it is measured again", file=sys.stderr, flush=True)


def _run_testbed(testbed: str, specification: Path, into: Path, lost: Event) -> int:
    """Run the testbed until it ends, or until the claim is lost.

    Returns:
        Its exit status, or 128 + the number of the signal that ended it.
    """
    command = [*shlex.split(testbed), "run", str(specification), "--into", str(into)]
    child = subprocess.Popen(command)
    try:
        while not lost.is_set():
            with suppress(subprocess.TimeoutExpired):
                status = child.wait(POLL_S)
                return status if status >= 0 else 128 - status
        print(f"{into}: another host took it over", file=sys.stderr, flush=True)
        return 0
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()
