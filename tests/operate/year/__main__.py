"""A simulated year of unattended operation with faults, beside an undisturbed one.

    python -m tests.operate.year FOLDER [--cycles N] [--kills N] [--reboots N]

runs as root in namespaces of its own (tests/operate/test_year.py): of mounts, processes and the network.

Both years measure the same cycles. The disturbed one fires each day, on a small disk of its own, and
publishes to SeaweedFS. The other one fires on the slots and publishes to a folder. FOLDER gets report.json.
"""

import argparse
import json
import random
import sys
import threading
import time
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path

from tests.operate.seaweed import rclone, running
from tests.operate.year.comparison import differences, verified_snapshots
from tests.operate.year.days import LONGEST_S, Days
from tests.operate.year.disk import SmallDisk
from tests.operate.year.faults import kills_of_cycles
from tests.operate.year.project import ANCHOR, CAMPAIGN, PERIOD_DAYS, Observatory
from tests.operate.year.truth import completed

CYCLES, KILLS, REBOOTS, SEED = 26, 200, 3, 16
SPECIALS = {0.35: "measuring", 0.5: "away", 0.7: "building"}
"""In which part of the year the disk becomes full, and in which phase; and when the storage is away."""


def slots(cycles: int) -> list[datetime]:
    """The days on which cycles begin."""
    first = datetime.combine(date.fromisoformat(ANCHOR), time_of_day(), UTC)
    return [first + timedelta(PERIOD_DAYS * number) for number in range(cycles)]


def undisturbed(observatory: Observatory, cycles: int, problems: list[str]) -> None:
    """Run on each slot."""
    for first in slots(cycles):
        status = observatory.start(first + timedelta(hours=3)).wait(LONGEST_S)
        if status != 0:
            problems.append(f"undisturbed: {first.date()}: exit {status}")


def kept_on(observatory: Observatory) -> dict[str, list[str]]:
    """The cycles whose captures and working folders are on the disk, and what should not be there."""
    data = observatory.root / "data"
    captures = data.glob("snapshots/*/trials/*/*/*/queue.bin.zst")
    hidden = [*data.glob("*/.[!.]*"), *data.glob("*/*/.[!.]*"), *observatory.root.glob(".public.????????")]
    return {
        "trials": sorted({path.parents[4].name.removeprefix(f"{CAMPAIGN}-") for path in captures}),
        "working folders": sorted(path.parent.name for path in data.glob(f"{CAMPAIGN}/*/plan")),
        "left": sorted(path.relative_to(observatory.root).as_posix() for path in hidden),
    }


def main() -> int:
    """Run both years; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m tests.operate.year")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cycles", type=int, default=CYCLES)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--reboots", type=int, default=REBOOTS)
    given = parser.parse_args()
    began_s, folder = time.monotonic(), given.folder.resolve()
    problems: list[str] = []
    calm = Observatory(folder / "calm", folder / "calm.said", str(folder / "published"))
    beside = threading.Thread(target=undisturbed, args=(calm, given.cycles, problems))
    with running(folder / "storage") as storage:
        disk = SmallDisk(folder / "disk")
        year = Observatory(disk.folder / "year", folder / "year.said", storage.remote, storage.config)
        days = Days(year, disk, storage, SEED)
        beside.start()
        kills = kills_of_cycles(given.cycles, given.kills, given.reboots, random.Random(SEED))
        specials = {int(part * given.cycles): name for part, name in SPECIALS.items()}
        for number, first in enumerate(slots(given.cycles)):
            idle = 2 if number < 0.65 * given.cycles else PERIOD_DAYS
            days.cycle(first, kills[number], specials.get(number), idle)
        year_s = time.monotonic() - began_s
        beside.join()
        kept = kept_on(year)
        rclone(storage, "copy", storage.remote, str(folder / "fetched"))
    report = {
        "completed": sorted(completed(year.root)),
        "slots": [first.date().isoformat() for first in slots(given.cycles)],
        "kept": kept,
        "problems": problems,
        "lies": days.lies,
        "faults": {f"{what} in {phase}": count for (what, phase), count in sorted(days.struck.items())},
        "verified": verified_snapshots(folder / "fetched", folder / "verified"),
        "differences": differences(folder / "fetched", folder / "published"),
        "year_s": round(year_s),
        "total_s": round(time.monotonic() - began_s),
    }
    (folder / "report.json").write_text(json.dumps(report, indent=1))
    print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
