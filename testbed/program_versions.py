"""The versions of the programs that a trial uses."""

import platform
import re
import subprocess
from collections.abc import Mapping

COMMANDS = {
    "dumpcap": ["dumpcap", "--version"],
    "ip": ["ip", "-V"],
}


def program_versions(packages: Mapping[str, str]) -> dict[str, str]:
    """The version of Python, of COMMANDS, and of the drivers' programs.

    Args:
        packages: the Debian package of each of the drivers' programs.
    """
    versions = {"python": platform.python_version()}
    for name, command in COMMANDS.items():
        versions[name] = _number(_output(command) or "unknown")
    for name, package in packages.items():
        # Few programs use another option. The package's version is the fallback.
        outputs = (_output(command) for command in ([name, "--version"], [name, "-v"], [name, "version"]))
        output = next(filter(None, outputs), None) or _output(["dpkg-query", "-Wf", "${Version}", package])
        versions[name] = _number(output or "unknown")
    return versions


def _output(command: list[str]) -> str | None:
    """What a program prints; None if it fails or is missing."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def _number(text: str) -> str:
    """The first version number in a text. The rest of the text may name files of this machine."""
    number = re.search(r"\d+(\.\d+)+", text)
    return number[0] if number else "unknown"
