"""What a snapshot takes of a cycle's folder: hard links, and copies on another file system."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import link
from scripts.model.comparison import FOLDER as COMPARED
from scripts.model.comparison import kept_comparison
from scripts.model.plan_file import read_plan
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.plan.set_aside import FILE as SET_ASIDE_FILE
from scripts.tables.table_list import EVERY

SNAKEMAKE_STAMP = ".snakemake_timestamp"
"""Snakemake leaves this empty file in each folder that a rule made."""

SET_ASIDE = f"plan/{SET_ASIDE_FILE}"
EQUIVALENCE = "equivalence"


def take(cycle: Path, made: Path) -> None:
    """Make the folder `made` with the layout of a snapshot from what the rules made of a complete cycle.

    Args:
        cycle: a folder with plan/, published/, compared/, tables/ and charts/.
        made: the new folder.

    Raises:
        UserError: a file or folder is missing.
    """
    for name in ("plan/config.json", "plan/plan.csv", *_tables(cycle)):
        _take(cycle / name, made / name)
    if (cycle / SET_ASIDE).is_file():
        _take(cycle / SET_ASIDE, made / SET_ASIDE)
    for name in (COMPARED, "charts/cycle", "charts/trials"):
        _take(cycle / name, made / name)
    for trial in (*planned_trials(cycle), *calibrations(cycle)):
        specification = Path("plan/specs", trial).with_suffix(".json")
        _take(cycle / specification, made / specification)
        _take(cycle / "published" / trial, made / "trials" / trial)


def planned_trials(cycle: Path) -> list[Path]:
    """<setting>/<pair>/<nn> of every trial in the plan of a complete cycle.

    Raises:
        UserError: the cycle has no complete plan.
    """
    plan = cycle / "plan/plan.csv"
    if not plan.is_file():
        raise UserError(f"{plan}: is missing; complete the cycle first (make cycle)")
    return [line.key.path for line in read_plan(plan)]


def calibrations(cycle: Path) -> list[Path]:
    """<setting>/calibration/<nn> of every calibration that was measured or published."""
    folders = (cycle / "trials", cycle / "published")
    return sorted({path.relative_to(one) for one in folders for path in one.glob(f"*/{CALIBRATION}/[0-9]*")})


def _tables(cycle: Path) -> Iterator[str]:
    """The files in tables/. A table with very many rows has no CSV (scripts/tables/output.py)."""
    yield "tables/cycle.json"
    both = kept_comparison(cycle).other_bottleneck is not None
    for table in [table for table in EVERY if both or table != EQUIVALENCE]:
        yield f"tables/{table}.parquet"
        if (cycle / f"tables/{table}.csv").is_file():
            yield f"tables/{table}.csv"


def _take(source: Path, target: Path) -> None:
    """Link a file, or all files of a folder."""
    if not source.exists():
        raise UserError(
            f"{source}: is missing; complete the cycle first (make cycle), or freeze it with --rebuild"
        )
    if source.is_file():
        link(source, target)
        return
    ignored = shutil.ignore_patterns(SNAKEMAKE_STAMP)
    shutil.copytree(source, target, copy_function=link, ignore=ignored)
