"""The pinned snapshot is rebuilt byte for byte on every Python of the lock that this machine has."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.snapshot.code_archive import CODE_FOLDER, SOURCE_ARCHIVE, write_source

REFERENCE = ROOT / "data/snapshots/reference"
BUILDING_S, REBUILDING_S = 1200, 2400


@pytest.mark.soak(minutes=4)
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_reference_is_identical_on(version, tmp_path):
    """In a fresh environment, with the code as a reviewer unpacks it from a snapshot."""
    python = find(version)
    if python is None:
        pytest.skip(f"this machine has no Python {version}")
    write_source(tmp_path)
    subprocess.run(f"zstd -dcq {SOURCE_ARCHIVE} | tar x", shell=True, cwd=tmp_path, check=True)
    code = tmp_path / CODE_FOLDER
    install(python, code)
    command = [
        ".venv/bin/python",
        "-m",
        "scripts.snapshot",
        "reproduce",
        str(REFERENCE),
        "--allow",
        "unsigned",
    ]
    done = subprocess.run(
        command,
        cwd=code,
        capture_output=True,
        text=True,
        timeout=REBUILDING_S,
        env=environment(),
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ": identical: " in done.stdout
    built = subprocess.run(
        [".venv/bin/python", "--version"], cwd=code, capture_output=True, text=True, check=True
    )
    assert built.stdout.startswith(f"Python {version}.")


def find(version: str) -> Path | None:
    """A Python of this version: on the PATH, or of pyenv, whose shims may be there and not run."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    named = shutil.which(f"python{version}", path=environment()["PATH"])
    found = [*map(Path, [named] if named else []), *sorted(pyenv.glob(f"versions/{version}.*/bin/python"))]
    for python in found:
        done = subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, check=False)
        if done.returncode == 0:
            return python
    return None


def install(python: Path, code: Path) -> None:
    """What .ci/setup installs of Python: the packages of the lock and the compiled parts."""
    uv = ROOT / ".venv/bin/uv"
    into = ["--quiet", "--python", ".venv/bin/python"]
    for words in (
        ["venv", "--quiet", "--python", str(python), ".venv"],
        ["pip", "sync", *into, "--require-hashes", "requirements.lock"],
        ["pip", "install", *into, "--no-deps", "--no-build-isolation", "."],
    ):
        path = {"PATH": f"{code / '.venv/bin'}:{environment()['PATH']}"}
        subprocess.run([uv, *words], cwd=code, env=environment() | path, timeout=BUILDING_S, check=True)


def environment() -> dict[str, str]:
    """The variables of this process, without the packages of the checkout."""
    packages = (ROOT / ".venv").resolve()
    paths = os.environ["PATH"].split(os.pathsep)
    kept = os.pathsep.join(path for path in paths if not Path(path).resolve().is_relative_to(packages))
    return {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"} | {"PATH": kept}
