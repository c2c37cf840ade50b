"""What the status must say, by what is on the disk and what happened to the run."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from scripts.tables.measured_trial import LAST_ROWS
from tests.operate.year.project import ANCHOR, CAMPAIGN, PERIOD_DAYS, STALE_DAYS

RESTING = ("idle", "failed")


@dataclass(frozen=True)
class Ended:
    """How a run ended: its exit status (negative: a signal), and whether the disk was full."""

    status: int
    full: bool = False


def slot(now: datetime) -> str:
    """The slot of a time."""
    days = (now.date() - date.fromisoformat(ANCHOR)).days
    return (date.fromisoformat(ANCHOR) + timedelta(days // PERIOD_DAYS * PERIOD_DAYS)).isoformat()


def records(root: Path) -> dict[str, dict[str, Any]]:
    """The records by cycle, as JSON."""
    found = (json.loads(path.read_text()) for path in root.glob("data/operate/cycles/[!.]*.json"))
    return {record["cycle"]: record for record in found}


def completed(root: Path) -> dict[str, str]:
    """When each completed cycle was completed."""
    return {name: one["completed"] for name, one in records(root).items() if one.get("completed")}


def contradictions(status: dict[str, Any], root: Path, now: datetime, ended: Ended) -> list[str]:
    """What a status tells that is not so."""
    done, current = completed(root), slot(now)
    last = max(done, default=None)
    due = current not in done
    following = date.fromisoformat(current) + timedelta(0 if due else PERIOD_DAYS)
    expected: dict[str, Any] = {
        "campaign": CAMPAIGN,
        "last_success": {"cycle": last, "at": done[last]} if last else None,
        "due": due,
        "next_due": f"{following}T00:00:00Z",
        "stale": _is_stale(root, done, now),
        "unpublished": sorted(_frozen(root) & records(root).keys() - done.keys()),
        "failures_total": sum(len(one.get("failures", ())) for one in records(root).values()),
        "disk_full": ended.full,
    }
    told = status | {"disk_full": status["disk_free_bytes"] < 1 << 20}
    wrong = [f"{key}: {told[key]!r}, not {value!r}" for key, value in expected.items() if told[key] != value]
    return wrong + _phase(status, due, ended) + _trials(status, root)


def _phase(status: dict[str, Any], due: bool, ended: Ended) -> list[str]:
    """A run that was killed is interrupted, unless it had come to its end."""
    phase = status["phase"]
    if ended.full:
        allowed = {"failed", "interrupted"}
    elif ended.status < 0:
        allowed = {"interrupted"} | ({"failed"} if due else {"failed", "idle"})
    else:
        allowed = {"failed" if ended.status else "idle"}
    return [] if phase in allowed else [f"phase: {phase!r} after exit status {ended.status}, not {allowed}"]


def _trials(status: dict[str, Any], root: Path) -> list[str]:
    """The trials of the cycle that the status names, counted by their folders."""
    told, cycle = status["trials"], status["cycle"]
    if told is None or cycle is None:
        return []
    folder = root / "data" / CAMPAIGN / cycle
    found = {
        path.parent.relative_to(folder / "trials"): path
        for path in folder.glob("trials/*/*/[0-9]*/trial.json")
    }
    trials = {name: path for name, path in found.items() if name.parts[1] != "calibration"}
    judged = [path for name, path in trials.items() if (folder / "rows" / name / LAST_ROWS).is_file()]
    failed = sum(json.loads(path.read_text())["status"] == "failed" for path in judged)
    expected = {"measured": len(trials), "failed": failed, "valid and excluded": len(judged)}
    said = told | {"valid and excluded": told["valid"] + told["excluded"]}
    return [
        f"trials {key}: {said[key]}, not {value}" for key, value in expected.items() if said[key] != value
    ]


def _is_stale(root: Path, done: dict[str, str], now: datetime) -> bool:
    """Whether the last success, or before it the first attempt, is too old."""
    begun = [one["started"] for one in records(root).values() if one.get("started")]
    since = max(done.values()) if done else min(begun, default=None)
    if since is None:
        return False
    return now - datetime.fromisoformat(since).astimezone(UTC) > timedelta(days=STALE_DAYS)


def _frozen(root: Path) -> set[str]:
    names = (path.parent.name for path in root.glob("data/snapshots/[!.]*/snapshot.json"))
    return {name.removeprefix(f"{CAMPAIGN}-") for name in names}
