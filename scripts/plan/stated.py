"""Since when an expectation of a campaign stands as it does now, by the registration of its cycle."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.model.expectations import Expectation
from scripts.plan.registration import Registered


@dataclass(frozen=True)
class Statement:
    """The line of the registration since which an expectation and all that decides it are unchanged.

    Attributes:
        since: that line.
        changed: what differs from the line before, such as `trials.most`; only `expectation` if the line
            before has no such expectation. Empty if `since` is the first line.
    """

    since: Registered
    changed: tuple[str, ...]


def stated(
    lines: Sequence[Registered], campaign: Mapping[str, Any], expectation: Expectation
) -> Statement | None:
    """Since when an expectation and all that decides it are unchanged.

    These are its text and checks, the thresholds of validity, the hosts set aside, the numbers of trials, and
    the precision of its settings. All else, such as the times of a trial, cannot change: the planner refuses
    another specification of the same trial (scripts/plan/specification_writer.py). What was changed and then
    changed back counts from the second change on, so that nobody can register several texts and choose later.

    Args:
        lines: the registration of the cycle.
        campaign: its merged configuration.
        expectation: one of the campaign's.

    Returns:
        The statement; None if the last line says something else, or there is none.
    """
    settings = settings_of(campaign, expectation)
    now = _deciding(campaign, expectation, settings)
    since: Registered | None = None
    for line in reversed(lines):
        before = _deciding(line.content["campaign"], expectation, settings)
        if before != now:
            return Statement(since, _differences(before, now)) if since else None
        since = line
    return Statement(since, ()) if since else None


def settings_of(campaign: Mapping[str, Any], expectation: Expectation) -> list[str]:
    """The settings that an expectation is about; of a sweep, all of its settings.

    Args:
        campaign: the merged configuration, as plan/config.json holds it.
        expectation: one of the campaign's.
    """
    named = {figure.setting for check in expectation.checks for figure in check.figures}
    return [
        name
        for name, setting in campaign["settings"].items()
        if name in named or (setting.get("sweep") or {}).get("of") in named
    ]


def _deciding(
    campaign: Mapping[str, Any], expectation: Expectation, settings: Iterable[str]
) -> dict[str, object]:
    """What decides an expectation, by dotted keys. None stands for what the campaign does not have."""
    named = [entry for entry in campaign.get("expectations", ()) if entry["name"] == expectation.name]
    return {
        "expectation": named[0] if named else None,
        "hosts_set_aside": campaign.get("hosts_set_aside") or None,
        **{
            f"{part}.{key}": value for part in ("trials", "validity") for key, value in campaign[part].items()
        },
        **{
            f"settings.{name}.precision_mbps": campaign["settings"].get(name, {}).get("precision_mbps")
            for name in settings
        },
    }


def _differences(before: Mapping[str, object], now: Mapping[str, object]) -> tuple[str, ...]:
    if before["expectation"] is None:
        return ("expectation",)
    return tuple(key for key in sorted({*before, *now}) if before.get(key) != now.get(key))
