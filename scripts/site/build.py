"""Build the site: stage the data, run Hugo, add the downloads, then replace the old site."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.charts.table_rows import ServiceRow
from scripts.site.calibration_pages import calibration_pages
from scripts.site.catalogue import chart_texts, table_list
from scripts.site.comparisons import change_page, sweep_pages
from scripts.site.cycle_page import cycle_page, setting_pages
from scripts.site.inputs import Inputs, Row
from scripts.site.pair_pages import pair_pages, solo_pages
from scripts.site.qoe_pages import metric_words, qoe_pages
from scripts.site.trial_pages import excluded_trials, trial_pages
from scripts.tables.table_schema import load_schema

SITE = ROOT / "site"


def build_site(inputs: Inputs, output: Path) -> None:
    """Build the site into `output`. An old site stays there until the new one is complete.

    Raises:
        UserError: `output` is not a site, or Hugo is not installed.
    """
    output = output.absolute()
    if output.exists() and not _is_site(output):
        raise UserError(f"{output}: is not a site, so it is not replaced; name another folder or remove it")
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}.") as work:
        stage, fresh = Path(work, "stage"), Path(work, "fresh")
        _stage(inputs, stage)
        _run_hugo(stage, fresh)
        _add_downloads(inputs, fresh)
        _swap(fresh, output, Path(work, "former"))


def _is_site(folder: Path) -> bool:
    return folder.is_dir() and (
        not any(folder.iterdir()) or any((folder / name).is_file() for name in ("index.html", "404.html"))
    )


def _stage(inputs: Inputs, stage: Path) -> None:
    """The Hugo project with this cycle's data. Charts with links are assets: pages contain them inline."""
    shutil.copytree(SITE, stage)
    for name, content in _data(inputs).items():
        text = json.dumps(content, sort_keys=True, allow_nan=False)
        (stage / "data" / f"{name}.json").write_text(text, encoding="utf-8")
    charts = stage / "assets/charts"
    charts.mkdir()
    for path in inputs.charts.values():
        if not path.name.startswith(("trial-", "bitrate-")):
            _link(path, charts / path.name)


def _data(inputs: Inputs) -> Row:
    """The files of Hugo's data folder by name."""
    trials = trial_pages(inputs)
    return {
        "cycle": cycle_page(inputs),
        "settings": setting_pages(inputs),
        "trials": [trial.content for trial in trials],
        "pairs": pair_pages(inputs, trials),
        "solos": solo_pages(inputs, trials),
        "excluded": excluded_trials(inputs),
        "changes": change_page(inputs),
        "sweeps": sweep_pages(inputs),
        "calibrations": calibration_pages(inputs),
        "tables": table_list(inputs),
        "charts": chart_texts(inputs),
        "titles": _titles(inputs),
        "pair_titles": {trial.key.pair: inputs.labels.pair(trial.key.pair) for trial in trials},
        "equivalence": inputs.tables.get("equivalence", []),
        "qoe": qoe_pages(inputs),
        "metrics": metric_words(),
        "workloads": inputs.tables["workloads"],
        "rules": _rules(),
        "thresholds": {str(row["rule"]): row["threshold"] for row in inputs.tables["validity"]},
    }


def _rules() -> dict[str, Row]:
    """What each rule of validity checks, and what it means if it is broken, by its name."""
    return {
        rule.name: {
            "class": rule.rule_class,
            "alone": rule.alone,
            "unit": rule.unit,
            "meaning": rule.meaning,
        }
        for rule in load_schema("validity").rules
    }


def _titles(inputs: Inputs) -> dict[str, str]:
    """The title of every service, and of every `contender` in the tables, by its name."""
    rows = inputs.records("trial_services", ServiceRow)
    names = [*inputs.campaign.services, *(row.contender for row in rows if row.contender)]
    return {name: inputs.labels.contender(name) for name in names}


def _run_hugo(stage: Path, fresh: Path) -> None:
    """Run Hugo without its clock, its cache and the user's settings. A failure shows Hugo's output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HUGO_")}
    command = [
        sys.executable,
        "-m",
        "hugo",
        "build",
        "--noBuildLock",
        "--environment",
        "production",
        "--source",
        str(stage),
        "--destination",
        str(fresh),
        "--cacheDir",
        str(stage / "cache"),
    ]
    done = subprocess.run(
        command, env=environment | {"TZ": "UTC"}, capture_output=True, text=True, check=False
    )
    if "No module named hugo" in done.stderr:
        raise UserError("hugo: not installed in this environment; install the packages of requirements.lock")
    if done.returncode:
        raise RuntimeError(f"hugo failed with status {done.returncode}:\n{done.stdout}{done.stderr}")


def _add_downloads(inputs: Inputs, fresh: Path) -> None:
    for source, target in (
        (inputs.tables_dir, fresh / "tables"),
        (inputs.published_dir, fresh / "downloads/trials"),
    ):
        for path in sorted(source.rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                _link(path, target / path.relative_to(source))
    for svg in inputs.charts.values():
        for path in (svg, svg.with_suffix(".json")):
            _link(path, fresh / "charts" / path.name)
    _link(inputs.config_path, fresh / "downloads/config.json")
    _link(inputs.provenance_path, fresh / "downloads/cycle.json")


def _link(source: Path, target: Path) -> None:
    """A hard link to a file, or a copy if the file systems differ."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _swap(fresh: Path, output: Path, former: Path) -> None:
    """Put the new site in the place of the old one. The old one returns if that fails."""
    if not output.exists():
        fresh.rename(output)
        return
    output.rename(former)
    try:
        fresh.rename(output)
    except OSError:
        former.rename(output)
        raise
