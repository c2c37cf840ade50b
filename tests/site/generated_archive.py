"""Snapshots of many cycles of one campaign, made up, for the tests of the archive and for trying it out.

    python -m tests.site.generated_archive DIR [--cycles N]

makes DIR/snapshots with N cycles, 14 days apart. Services are added and removed: the cycles measure two,
three, and again two of the sample's services, in turn.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterable
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from scripts.model.pairs import members
from scripts.tables.cycle_tables import PER_TRIAL
from tests.charts.sample_campaign import SERVICES, campaign_of, merged_config
from tests.charts.sample_cycle import sample_tables, summarised
from tests.charts.sample_files import seal, write_stand_ins, write_unsealed

FIRST = date(2026, 11, 21)
SETTING = "8mbps"
MEASURED = (SERVICES[:2], SERVICES, SERVICES[1:])
"""The services of the first cycle, of the second, of the third, and so on in turn."""


def write_snapshots(folder: Path, count: int) -> list[Path]:
    """Make the snapshots of `count` cycles in `folder`."""
    return [write_snapshot(folder, number) for number in range(count)]


def write_snapshot(folder: Path, number: int) -> Path:
    """Make the snapshot of one cycle, from 0. Those after the third have the figures of the first three."""
    snapshot = folder / f"demo-{cycle_name(number)}"
    shutil.copytree(_kind(number % len(MEASURED)), snapshot)
    return seal(snapshot, cycle_name(number))


def write_correction(snapshot: Path, cycle: str, revision: int, reason: str) -> Path:
    """Make a later revision of a snapshot, beside it."""
    corrected = snapshot.with_name(f"demo-{cycle}-r{revision}")
    shutil.copytree(snapshot, corrected)
    return seal(corrected, cycle, revision, reason)


def cycle_name(number: int) -> str:
    """The name of a cycle of the archive."""
    return (FIRST + timedelta(days=14 * number)).isoformat()


@cache
def _kind(kind: int) -> Path:
    """One kind of cycle, made once in a process."""
    folder = Path(tempfile.mkdtemp()) / "cycle"
    write_kind(folder, kind)
    return folder


def write_kind(folder: Path, kind: int) -> None:
    """Make tables, trials and charts of one kind of cycle. It has one setting, and no chart of a trial."""
    services, config = MEASURED[kind], merged_config()
    config["services"] = {name: config["services"][name] for name in services}
    config["settings"] = {SETTING: config["settings"][SETTING]}
    measured = sample_tables(seed=kind + 1)
    rows = {name: _of_services(measured[name].to_pylist(), services) for name in PER_TRIAL}
    write_unsealed(folder, summarised(rows, campaign_of(config)), config)
    write_stand_ins(folder)


def _of_services(rows: Iterable[dict], services: Iterable[str]) -> list[dict]:
    """The rows of trials of the setting in which only these services take part."""
    return [row for row in rows if row["setting"] == SETTING and set(members(row["pair"])) <= set(services)]


def main(argv: list[str] | None = None) -> int:
    """Make the snapshots; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m tests.site.generated_archive")
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--cycles", type=int, default=3, metavar="N")
    arguments = parser.parse_args(argv)
    snapshots = write_snapshots(arguments.folder / "snapshots", arguments.cycles)
    print(
        f"{len(snapshots)} snapshots; python -m scripts.site build --snapshots {arguments.folder}/snapshots "
        f"-o {arguments.folder}/public"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
