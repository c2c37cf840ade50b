"""The programs that build a stack, and whether they are here.

Cargo.toml has the oldest cargo as `rust-version`, and other programs under `package.metadata.stack`. go.mod
has the oldest Go.
"""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path

ASKED = {"cargo": ("cargo", "--version"), "go": ("go", "version")}
"""The command that prints the version of a program."""

Version = tuple[int, ...]


def needed(folder: Path) -> dict[str, str]:
    """The programs that build a stack, each with its oldest version, or with "" if any will do."""
    if (folder / "go.mod").is_file():
        words = (folder / "go.mod").read_text(encoding="utf-8").split()
        return {"go": words[words.index("go") + 1]}
    package = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))["package"]
    others = package.get("metadata", {}).get("stack", {}).get("programs", [])
    return {"cargo": package["rust-version"], **dict.fromkeys(["cc", *others], "")}


def lacking(folder: Path) -> str:
    """What is missing here to build a stack, in words; empty if nothing is."""
    return missing(needed(folder), {program: found_version(program) for program in needed(folder)})


def missing(wanted: Mapping[str, str], found: Mapping[str, Version | None]) -> str:
    """The same of given programs.

    Args:
        wanted: each program with its oldest version, or "".
        found: each program with its version here; None if it is not here.
    """
    words = []
    for program, oldest in wanted.items():
        version = found[program]
        asked = f"{program} {oldest} or later" if oldest else program
        if version is None:
            words.append(f"needs {asked}")
        elif oldest and version < parsed(oldest):
            words.append(f"needs {asked}, and {program} is {'.'.join(map(str, version))}")
    return "; ".join(words)


def found_version(program: str) -> Version | None:
    """The version of a program here, () if nobody needs to know it, or None if there is no such program."""
    if shutil.which(program) is None:
        return None
    if program not in ASKED:
        return ()
    return parsed(subprocess.run(ASKED[program], capture_output=True, text=True, check=True).stdout)


def parsed(text: str) -> Version:
    """The first version in a text, such as (1, 26, 8).

    Raises:
        ValueError: there is none.
    """
    found = re.search(r"\d+(\.\d+)+", text)
    if found is None:
        raise ValueError(f"no version in {text!r}")
    return tuple(map(int, found[0].split(".")))
