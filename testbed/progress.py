"""How far the cycle is: counted from the files, so that it needs no memory of its own."""

from pathlib import Path
from typing import Any

OVERHEAD_S = 4
"""Seconds a trial takes beside its duration: setting up, draining, compressing."""


def announcement(spec: dict[str, Any], path: Path) -> str:
    """One line for the operator: which trial begins, how many are done, how long the rest takes.

    `path` is `…/plan/specs/<setting>/<pair>/<nn>.json`; a specification kept elsewhere is announced
    without the count.
    """
    name = f"{spec['setting']} {spec['pair']} #{spec['trial']}"
    if len(path.parents) < 5 or path.parents[2].name != "specs":
        return f"trial {name}: {spec['duration_s']:g} s"
    cycle = path.resolve().parents[4]
    planned = {
        file.relative_to(path.resolve().parents[2]).with_suffix("")
        for file in path.resolve().parents[2].glob("*/*/*.json")
    }
    done = {trial for trial in planned if (cycle / "trials" / trial).is_dir()}
    left_s = (len(planned) - len(done)) * (spec["duration_s"] + OVERHEAD_S)
    return (
        f"trial {len(done) + 1} of {len(planned)}: {name}, {spec['duration_s']:g} s; "
        f"about {_readable(left_s)} left for the trials"
    )


def _readable(seconds: float) -> str:
    """A duration in the two largest units that matter: `7 min`, `3 h 20 min`, `12 d 4 h`."""
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{max(1, minutes)} min"
    if minutes < 24 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes // 1440} d {minutes % 1440 // 60} h"
