"""Write a snapshot of the paper's size, as the pages of a cycle are built from it. It holds no captures.

    python -m tests.bench.generated_snapshot FOLDER SERVICES TRIALS_A_PAIR SECONDS

All trials have the figures of one, with other names. Two trials of every pair have a chart, all the same:
of a trial of so many seconds.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from scripts.base.commands import parser_of
from scripts.base.records import to_json
from scripts.charts.__main__ import main as make_charts
from scripts.charts.chosen_trials import CHOSEN, Chosen, ChosenTrials
from scripts.model.campaign import Campaign
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR
from scripts.snapshot.identity import IDENTITY, Identity
from scripts.tables.cycle_tables import build_cycle
from scripts.tables.output import write_table
from scripts.tables.table_schema import load_schema
from scripts.tables.trial_tables import main as make_trial_tables
from tests.bench.generated import SETTINGS, START_NS, cycle_keys, paper_campaign, write_rows_of, write_trial
from tests.charts.sample_cycle import calibration_row
from tests.tables.campaigns import write_campaign

CAMPAIGN, CYCLE = "watchdog", "2026-11-21"
SHORT_S = 10
CHARTS_A_PAIR = 2
FILES = {
    "client-c1.pcapng.zst": 40_000_000,
    "client-c2.pcapng.zst": 40_000_000,
    "flows.json": 1_000,
    "names.json": 500,
    "qoe.json": 700,
    "queue.bin.zst": 30_000_000,
    "senders.jsonl.zst": 90_000,
    "trial.json": 8_000,
}
"""The files of a trial and their bytes."""


def names_of(services: int) -> list[str]:
    """The names of so many services."""
    return [f"s{number:02d}" for number in range(1, services + 1)]


def write_snapshot(
    folder: Path, services: int, trials_a_pair: int, drawn_s: int, rows_of: Mapping[TrialKey, Path]
) -> None:
    """Write a snapshot of all pairs and solos of so many services in two settings.

    Args:
        folder: the folder to make.
        services: how many services.
        trials_a_pair: how many trials of each pair, and of each solo.
        drawn_s: the seconds of the trial that is drawn. The figures are those of a short trial.
        rows_of: folders with the tables of trials whose figures are their own.
    """
    names = names_of(services)
    keys, campaign = cycle_keys(names, trials_a_pair), paper_campaign(names)
    (folder / "plan").mkdir(parents=True)
    config = write_campaign(folder / "plan/config.json", campaign)
    with tempfile.TemporaryDirectory() as scratch:
        rows = _rows_of_trial(Path(scratch, "short"), SHORT_S, config)
        write_rows_of(keys, rows, Path(scratch, "cycle"))
        trials = [rows_of.get(key, Path(scratch, "cycle/rows", key.path)) for key in keys]
        _write_tables(folder / "tables", trials, campaign)
        charts = ["--config", str(config), "-o"]
        _succeed(make_charts(["cycle", str(folder / "tables"), *charts, str(folder / "charts/cycle")]))
        long, drawn = Path(scratch, "long"), Path(scratch, "drawn")
        write_rows_of(keys[:1], _rows_of_trial(long, drawn_s, config), long)
        build_cycle([long / "rows" / keys[0].path], long / "tables", campaign)
        shutil.copyfile(folder / "tables/cycle.json", long / "tables/cycle.json")
        _succeed(make_charts(["trials", str(long / "tables"), *charts, str(drawn)]))
        _write_trial_charts(keys, next(drawn.rglob("trial-*.svg")), folder / "charts/trials")
    _write_trials(keys, folder)
    (folder / IDENTITY).write_text(json.dumps(to_json(Identity(CAMPAIGN, CYCLE))))


def _rows_of_trial(folder: Path, duration_s: int, config: Path) -> Path:
    """The folder of the tables of a generated trial."""
    write_trial(folder, duration_s)
    _succeed(make_trial_tables([str(folder), "--config", str(config), "-o", str(folder / "rows")]))
    return folder / "rows"


def _succeed(status: int) -> None:
    assert status == 0


def _write_tables(folder: Path, trials: list[Path], campaign: Campaign) -> None:
    schema = load_schema("calibration")
    rows = [calibration_row(setting) for setting in SETTINGS]
    write_table([pa.Table.from_pylist(rows, schema=schema.arrow)], "calibration", folder, with_csv=True)
    build_cycle(trials, folder, campaign)
    write_table([], "plan", folder, with_csv=True)
    described = {
        "campaign": CAMPAIGN,
        "cycle": CYCLE,
        "trials_planned": len(trials),
        "first_start_ns": START_NS,
        "last_stop_ns": START_NS + len(trials) * 600 * 10**9,
        "bottlenecks": [{"backend": "embedded", "version": "1.0.0", "trials": len(trials)}],
    }
    (folder / "cycle.json").write_text(json.dumps(described))


def _write_trial_charts(keys: Sequence[TrialKey], drawn: Path, folder: Path) -> None:
    """The same drawing for the first trials of every pair, the typical and the worst one."""
    worst = min(CHARTS_A_PAIR, max(key.number for key in keys))
    cells = sorted({(key.setting, key.pair) for key in keys})
    chosen = ChosenTrials(tuple(Chosen(*cell, 1, worst, "share") for cell in cells))
    for key in (key for cell in chosen.cells for key in cell.keys):
        (folder / key.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(drawn, (folder / key.path).with_name(f"trial-{key.name}.svg"))
    (folder / CHOSEN).write_text(json.dumps(to_json(chosen)))


def _write_trials(keys: Sequence[TrialKey], folder: Path) -> None:
    """trial.json of every trial, and the list of all files, which are not there."""
    resources = []
    clients = [
        {"client": f"c{number}", "start_offset_s": 0.25, "rtt_ms": 50.0, "access": None} for number in (1, 2)
    ]
    for key in [*keys, *(TrialKey(setting, PAIR, 1) for setting in SETTINGS)]:
        trial = folder / "trials" / key.path
        trial.mkdir(parents=True)
        (trial / "trial.json").write_text(json.dumps({"start_ns": START_NS, "clients": clients}))
        resources += [
            {"path": os.fspath(Path("trials", key.path, name)), "bytes": size, "hash": "sha256:0"}
            for name, size in FILES.items()
        ]
    (folder / "datapackage.json").write_text(json.dumps({"resources": resources}))


def main() -> None:
    """Run the command; see the module's docstring."""
    parser = parser_of("tests.bench.generated_snapshot", __doc__)
    parser.add_argument("folder", type=Path, help="the folder to make")
    parser.add_argument("services", type=int, help="how many services")
    parser.add_argument("trials_a_pair", type=int, help="how many trials of each pair, and of each solo")
    parser.add_argument("seconds", type=int, help="the length of the trial that is drawn")
    options = parser.parse_args()
    write_snapshot(options.folder, options.services, options.trials_a_pair, options.seconds, {})


if __name__ == "__main__":
    main()
