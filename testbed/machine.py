"""The machine a trial ran on: what it is, how busy it was, which programs it has."""

import os
import platform
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSIONS = {
    "dumpcap": ["dumpcap", "--version"],
    "ip": ["ip", "-V"],
}


@dataclass(frozen=True)
class Load:
    """Counters of the machine at one moment."""

    time_ns: int
    pressure_us: int | None
    ticks: int
    steal_ticks: int


def load_now(time_ns: int) -> Load:
    """Read the counters: CPU pressure stall (`some`, since boot; None on a kernel without it) and the ticks
    of all processors."""
    stalls = Path("/proc/pressure/cpu")
    pressure = re.search(r"some .*total=(\d+)", stalls.read_text()) if stalls.exists() else None
    ticks = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return Load(time_ns, int(pressure[1]) if pressure else None, sum(ticks[:8]), ticks[7])


def describe(before: Load, after: Load) -> dict[str, Any]:
    """The host, and how starved it was between two moments: fractions of the time between them."""
    ticks = after.ticks - before.ticks
    stalled_us = None
    if before.pressure_us is not None and after.pressure_us is not None:
        stalled_us = after.pressure_us - before.pressure_us
    elapsed_us = (after.time_ns - before.time_ns) / 1000
    return {
        "kernel": platform.release(),
        "cpus": os.cpu_count(),
        "load_1min": os.getloadavg()[0],
        "steal_fraction": (after.steal_ticks - before.steal_ticks) / ticks if ticks else 0.0,
        "cpu_pressure_fraction": None if stalled_us is None else stalled_us / elapsed_us,
    }


def program_versions(of_drivers: Mapping[str, str]) -> dict[str, str]:
    """The version of every program a trial uses, as it tells it.

    Args:
        of_drivers: the drivers' programs with the Debian package of each.
    """
    versions = {"python": platform.python_version()}
    for name, command in VERSIONS.items():
        versions[name] = _number(_said(command) or "unknown")
    for name, package in of_drivers.items():
        # Few tell it in another way; what tells it in none is known by its package.
        asked = (_said(command) for command in ([name, "--version"], [name, "-v"], [name, "version"]))
        said = next(filter(None, asked), None) or _said(["dpkg-query", "-Wf", "${Version}", package])
        versions[name] = _number(said or "unknown")
    return versions


def _said(command: list[str]) -> str | None:
    """What a program prints; None where it fails or is missing."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def _number(said: str) -> str:
    number = re.search(r"\d+(\.\d+)+", said)
    return number[0] if number else said.strip()
