"""Find and judge the calibration trial of a host at the beginning of a round, in one setting."""

import tempfile
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.records import read_record
from scripts.extract.extract_trial import extract
from scripts.model.campaign import read_campaign
from scripts.model.resumed import resumed_from
from scripts.model.specification import CalibrationRound
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR, calibration_specification
from scripts.plan.specification_writer import write_specification
from scripts.tables.calibration_table import build_calibration


class CalibrationFailedError(UserError):
    """The testbed is out of tolerance."""


@dataclass(frozen=True)
class _Planned:
    """The part of a calibration's specification that is read here."""

    calibration: CalibrationRound


def next_number(config: Path, cycle: str, setting: str, before: CalibrationRound, directory: Path) -> int:
    """The number of a calibration trial that passed, or of one to measure, whose specification is written.

    Several hosts may look for a number at the same time: each gets one of its own. A calibration of before
    the cycle was resumed says nothing of this machine.

    Args:
        config: the merged configuration, CYCLE_DIR/plan/config.json.
        cycle: the name of the cycle.
        setting: a setting of the configuration.
        before: the round, and this host.
        directory: the folder of the cycle.
    """
    campaign = read_campaign(config)
    for number in count(1):
        key = TrialKey(setting, PAIR, number)
        path = (directory / "plan/specs" / key.path).with_suffix(".json")
        specification = calibration_specification(campaign, cycle, key, before)
        if not path.exists():
            with suppress(UserError):  # Another host has just taken the number.
                write_specification(specification, directory / "plan")
        planned = read_record(_Planned, path).calibration
        is_of_here = planned.round == before.round and planned.host in (None, before.host)
        if not is_of_here or resumed_from(directory / "trials" / key.path) is not None:
            continue
        if not (directory / "trials" / key.path).is_dir():
            if planned == before:
                write_specification(specification, directory / "plan")  # It refuses a changed configuration.
                return number
        elif row_of(directory, setting, number, config)["verdict"] != "failed":
            return number
    raise AssertionError("there is always a next number")


def judge(config: Path, setting: str, number: int, directory: Path) -> str:
    """The result of a calibration in one line. It is marked as measured (CYCLE_DIR/stamps/…).

    Raises:
        CalibrationFailedError: it failed.
    """
    key = TrialKey(setting, PAIR, number)
    row = row_of(directory, setting, number, config)
    stamp = directory / "stamps" / key.path
    stamp.parent.mkdir(parents=True, exist_ok=True)
    if not stamp.exists():
        stamp.touch()
    if row["verdict"] == "failed":
        raise CalibrationFailedError(
            f"{directory / 'trials' / key.path}: the calibration of {setting} failed: {row['reason']}"
        )
    words = "within every tolerance"
    if row["verdict"] == "warning":
        words = f"warning: {row['reason']}; trials go on, and each is judged by itself"
    return f"calibration of {setting}, round {row['round']}: {words}"


def row_of(directory: Path, setting: str, number: int, config: Path) -> dict[str, object]:
    """The row of the table `calibration` of one calibration trial."""
    trial = directory / "trials" / TrialKey(setting, PAIR, number).path
    with tempfile.TemporaryDirectory() as scratch:
        extract(trial, Path(scratch))
        return build_calibration(trial, Path(scratch), Path(scratch), config)
