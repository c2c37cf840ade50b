"""Run Hugo on a staged project: the layouts of the observatory and the data of one build."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.files import ROOT, read_json
from scripts.base.processes import run_to_end

SITE = ROOT / "site"
LIBRARIES = SITE / "node_modules"


def stage(part: Literal["cycle", "root"], data: Mapping[str, object], folder: Path) -> None:
    """Make the Hugo project of a cycle's pages or of the root's pages.

    Args:
        part: the folder of site/ that is laid over site/common.
        data: the files of Hugo's data folder, by name; a dataclass becomes a mapping of its fields.
        folder: the folder to make.

    Raises:
        UserError: the libraries of the scripts are not installed.
    """
    for source in ("common", part):
        shutil.copytree(SITE / source, folder, dirs_exist_ok=True)
    for name in read_json(SITE / "package.json")["dependencies"]:  # Hugo imports none from elsewhere
        if not (LIBRARIES / name).is_dir():
            raise UserError(f"{LIBRARIES / name}: not installed; run make setup")
        shutil.copytree(LIBRARIES / name, folder / "node_modules" / name)
    (folder / "data").mkdir(exist_ok=True)
    for name, content in data.items():
        text = json.dumps(content, default=asdict, sort_keys=True, allow_nan=False)
        (folder / "data" / f"{name}.json").write_text(text, encoding="utf-8")


def run_hugo(project: Path, output: Path) -> None:
    """Run Hugo without its clock, its cache and the user's settings. It ends when this process is killed.

    Raises:
        UserError: Hugo is not installed.
        RuntimeError: Hugo failed; the message is its output.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HUGO_")}
    command = [
        *(sys.executable, "-m", "hugo", "build", "--noBuildLock", "--environment", "production"),
        *("--source", str(project), "--destination", str(output), "--cacheDir", str(project / "cache")),
    ]
    done = run_to_end(
        command,
        env=environment | {"TZ": "UTC"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if "No module named hugo" in done.stderr:
        raise UserError("hugo: not installed in this environment; install the packages of requirements.lock")
    if done.returncode:
        raise RuntimeError(f"hugo failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
