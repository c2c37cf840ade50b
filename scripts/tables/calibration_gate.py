"""The calibration trial that a round of a cycle begins with, in one setting.

    python -m scripts.tables.calibration_gate next SETTING ROUND --config CONFIG.json --cycle NAME
        --directory CYCLE_DIR

says which it is (`01`): one of this round that passed, or else the next free number, for which it writes
CYCLE_DIR/plan/specs/<setting>/calibration/<nn>.json.

    python -m scripts.tables.calibration_gate judge SETTING NUMBER --config CONFIG.json --directory CYCLE_DIR

judges CYCLE_DIR/trials/<setting>/calibration/<nn>/ by the tolerances of the configuration, and marks it as
measured (CYCLE_DIR/stamps/…). Exit status 2 with one line if it failed: what was measured is kept, and the
operator's same command calibrates anew.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import read_json
from scripts.extract.extract_trial import extract
from scripts.plan.calibration import PAIR, calibration_specification
from scripts.plan.specification_writer import write_specification
from scripts.tables.calibration_table import build_calibration


def next_number(config: Path, cycle: str, setting: str, of_round: int, directory: Path) -> int:
    """The calibration trial that passed, or the one to measure, whose specification is written."""
    measured = directory / "trials" / setting / PAIR
    numbers = sorted(int(path.name) for path in measured.glob("[0-9]*"))
    for number in numbers:
        record = read_json(measured / f"{number:02d}/trial.json")
        if record["calibration"]["round"] != of_round:
            continue
        if row_of(directory, setting, number, config)["verdict"] != "failed":
            return number
    number = max(numbers, default=0) + 1
    specification = calibration_specification(read_json(config), cycle, setting, number, of_round)
    write_specification(specification, directory / "plan")
    return number


def judge(config: Path, setting: str, number: int, directory: Path) -> str:
    """How the calibration came out, in one line.

    Raises:
        UserError: it failed.
    """
    row = row_of(directory, setting, number, config)
    stamp = directory / "stamps" / setting / PAIR / f"{number:02d}"
    stamp.parent.mkdir(parents=True, exist_ok=True)
    if not stamp.exists():
        stamp.touch()
    if row["verdict"] == "failed":
        trial = directory / "trials" / setting / PAIR / f"{number:02d}"
        raise UserError(
            f"{trial}: the calibration of {setting} failed, so no trial of round {row['round']} is measured "
            f"there: {row['reason']}; find out what disturbs the testbed, then give the same command again"
        )
    return f"calibration of {setting}, round {row['round']}: " + (row["reason"] or "within every tolerance")


def row_of(directory: Path, setting: str, number: int, config: Path) -> dict[str, Any]:
    """The row of the table `calibration` of one calibration trial."""
    trial = directory / "trials" / setting / PAIR / f"{number:02d}"
    with tempfile.TemporaryDirectory() as scratch:
        extract(trial, Path(scratch))
        return build_calibration(trial, Path(scratch), Path(scratch), config)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Plan or judge one calibration; see the module's docstring."""
    parser = parser_of("scripts.tables.calibration_gate", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("next", help="which calibration trial the round begins with")
    one.add_argument("setting", help="a setting of the configuration")
    one.add_argument("round", type=int, help="the round's number, from 1")
    one.add_argument("--cycle", required=True, help="the cycle's name")
    other = commands.add_parser("judge", help="judge a calibration trial")
    other.add_argument("setting", help="a setting of the configuration")
    other.add_argument("number", type=int, help="the trial's number")
    for command in (one, other):
        command.add_argument("--config", type=Path, required=True, help="the merged configuration, JSON")
        command.add_argument("--directory", type=Path, required=True, help="the cycle's directory")
    arguments = parser.parse_args(argv)
    config, setting, directory = arguments.config, arguments.setting, arguments.directory
    if arguments.command == "next":
        print(f"{next_number(config, arguments.cycle, setting, arguments.round, directory):02d}")
    else:
        print(judge(config, setting, arguments.number, directory))
    return 0


if __name__ == "__main__":
    sys.exit(main())
