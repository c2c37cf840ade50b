"""Freeze a measured cycle, or some of its settings, into a snapshot."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT, read_json, write_text
from scripts.extract.confined_trial import publish_trial
from scripts.model.plan_file import read_plan, write_plan_table
from scripts.plan.calibration import PAIR
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.descriptor import describe
from scripts.snapshot.rebuild import rebuild, stage


def freeze(cycle: Path, snapshot: Path, settings: Sequence[str]) -> None:
    """Make `snapshot`, whole or not at all, from a cycle's directory.

    Args:
        cycle: data/<campaign>/<cycle>, with plan/ and trials/.
        snapshot: the folder to make; it must not exist.
        settings: the settings to keep; all if it is empty.

    Raises:
        UserError: the snapshot exists, a setting is unknown, or a planned trial was not measured yet.
    """
    if snapshot.exists():
        raise UserError(f"{snapshot}: exists already and is never changed; give another name, or remove it")
    snapshot.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".snapshot-", dir=snapshot.parent) as scratch:
        made = Path(scratch) / "made"
        _keep(cycle, made, settings)
        staged = stage(made, Path(scratch) / "data")
        rebuild(staged)
        for name in ("tables", "charts"):
            shutil.copytree(staged / name, made / name)
        shutil.copyfile(ROOT / "requirements.lock", made / "requirements.lock")
        package = json.dumps(describe(made), indent=1, ensure_ascii=False)
        write_text(made / "datapackage.json", package + "\n")
        write_checksums(made)
        made.rename(snapshot)


def _keep(cycle: Path, made: Path, settings: Sequence[str]) -> None:
    """Copy the plan and publish the trials of the chosen settings, with their calibrations."""
    config = read_json(cycle / "plan/config.json")
    for setting in settings:
        if setting not in config["settings"]:
            raise UserError(f"{cycle}: has no setting {setting}; it has: {', '.join(config['settings'])}")
    kept = [key for key in config["settings"] if not settings or key in settings]
    config["settings"] = {key: config["settings"][key] for key in kept}
    write_text(made / "plan/config.json", json.dumps(config, indent=1, ensure_ascii=False) + "\n")
    lines = [line for line in read_plan(cycle / "plan/plan.csv") if line.key.setting in kept]
    write_plan_table(lines, made / "plan/plan.csv")
    planned = [line.key.path for line in lines]
    calibrations = [path for key in kept for path in sorted((cycle / "trials").glob(f"{key}/{PAIR}/[0-9]*"))]
    for name in [*planned, *(path.relative_to(cycle / "trials") for path in calibrations)]:
        if not (cycle / "trials" / name).is_dir():
            raise UserError(f"{cycle / 'trials' / name}: was not measured yet; complete the cycle first")
        _publish(cycle, name, made)
        specification = made / "plan/specs" / name.with_suffix(".json")
        specification.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile((cycle / "plan/specs" / name).with_suffix(".json"), specification)


def _publish(cycle: Path, name: Path, made: Path) -> None:
    """Publish a trial, and one that was salvaged when it was extracted as such."""
    extracted = cycle / "parquet" / name / "clients.parquet"
    trial = cycle / "trials" / name
    key, merged = cycle / "private/pseudonyms.key", cycle / "plan/config.json"
    copy = made / "trials" / name
    if publish_trial(trial, copy, extracted if extracted.exists() else None, key, merged) != 0:
        raise UserError(f"{trial}: cannot be published; extract it with --salvage first")
