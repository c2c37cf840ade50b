"""Find and judge the calibration trial at the beginning of a round, in one setting.

    python -m scripts.tables.calibration_gate next SETTING ROUND --config CONFIG.json --cycle NAME
        --directory CYCLE_DIR

prints its number (`01`). This is a trial of this round that passed, else the next free number. For a new
number it writes CYCLE_DIR/plan/specs/<setting>/calibration/<nn>.json.

    python -m scripts.tables.calibration_gate judge SETTING NUMBER --config CONFIG.json --directory CYCLE_DIR

judges CYCLE_DIR/trials/<setting>/calibration/<nn>/ by the tolerances of the configuration, and marks it as
measured (CYCLE_DIR/stamps/…). If it failed, the command prints one line and ends with status 2. The
measurement is kept, and the operator calibrates again by repeating the command that started the cycle.
"""

import sys
import tempfile
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.extract.extract_trial import extract
from scripts.model.campaign import read_campaign
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR, calibration_specification
from scripts.plan.specification_writer import write_specification
from scripts.tables.calibration_table import build_calibration, read_calibration


def next_number(config: Path, cycle: str, setting: str, round_number: int, directory: Path) -> int:
    """The number of a trial that passed, or of a new trial, whose specification is written."""
    measured = directory / "trials" / setting / PAIR
    numbers = sorted(int(path.name) for path in measured.glob("[0-9]*"))
    for number in numbers:
        key = TrialKey(setting, PAIR, number)
        if read_calibration(directory / "trials" / key.path).calibration.round != round_number:
            continue
        if row_of(directory, setting, number, config)["verdict"] != "failed":
            return number
    key = TrialKey(setting, PAIR, max(numbers, default=0) + 1)
    specification = calibration_specification(read_campaign(config), cycle, key, round_number)
    write_specification(specification, directory / "plan")
    return key.number


def judge(config: Path, setting: str, number: int, directory: Path) -> str:
    """The result of a calibration in one line.

    Raises:
        UserError: it failed.
    """
    key = TrialKey(setting, PAIR, number)
    row = row_of(directory, setting, number, config)
    stamp = directory / "stamps" / key.path
    stamp.parent.mkdir(parents=True, exist_ok=True)
    if not stamp.exists():
        stamp.touch()
    if row["verdict"] == "failed":
        raise UserError(
            f"{directory / 'trials' / key.path}: the calibration of {setting} failed: {row['reason']}; no "
            f"trial of round {row['round']} is measured there; find out what disturbs the testbed, then "
            "repeat the same command"
        )
    return f"calibration of {setting}, round {row['round']}: {row['reason'] or 'within every tolerance'}"


def row_of(directory: Path, setting: str, number: int, config: Path) -> dict[str, object]:
    """The row of the table `calibration` of one calibration trial."""
    trial = directory / "trials" / TrialKey(setting, PAIR, number).path
    with tempfile.TemporaryDirectory() as scratch:
        extract(trial, Path(scratch))
        return build_calibration(trial, Path(scratch), Path(scratch), config)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Plan or judge one calibration; see the module's docstring."""
    parser = parser_of("scripts.tables.calibration_gate", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    following = commands.add_parser("next", help="print the number of the round's calibration trial")
    following.add_argument("setting", help="a setting of the configuration")
    following.add_argument("round", type=int, help="number of the round, from 1")
    following.add_argument("--cycle", required=True, help="name of the cycle")
    judging = commands.add_parser("judge", help="judge a calibration trial")
    judging.add_argument("setting", help="a setting of the configuration")
    judging.add_argument("number", type=int, help="number of the trial")
    for command in (following, judging):
        command.add_argument("--config", type=Path, required=True, help="merged configuration, JSON")
        command.add_argument("--directory", type=Path, required=True, help="directory of the cycle")
    arguments = parser.parse_args(argv)
    config, setting, directory = arguments.config, arguments.setting, arguments.directory
    if arguments.command == "next":
        print(f"{next_number(config, arguments.cycle, setting, arguments.round, directory):02d}")
    else:
        print(judge(config, setting, arguments.number, directory))
    return 0


if __name__ == "__main__":
    sys.exit(main())
