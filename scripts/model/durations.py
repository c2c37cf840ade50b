"""How long a trial lasts and which part of it counts, by the services that meet in it.

- `trial` of the configuration is for all, but where `trial.kinds` says otherwise for a kind of client (its
  driver). Two kinds that meet have the times of the one that lasts longer.
- A trial with a web page (`metric: web`) has a length of its own: the contender starts, `trial.web.lead_s`
  later the page is loaded for the first time, then `loads` times in all, one every `gap_s`. The steady window
  goes from the start of the first load to the end of the last one's gap. Where there is nothing but pages
  nobody waits.

Source: Prudentia (SIGCOMM 2024), 3.4 and 5.2.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scripts.base.errors import UserError
from scripts.model.pairs import members

Service = Mapping[str, Any]
"""An entry of the catalogue."""

TIMES = ("duration_s", "ignore_first_s", "ignore_last_s")
SPARE_S = 1
"""A client is told whole seconds, and so may end this much before its trial does."""


def is_web(service: Service) -> bool:
    """Whether a service is a web page, judged by how long it takes to load."""
    return bool(service.get("metric") == "web")


def duration_s(config: Mapping[str, Any], pair: str) -> float:
    """How long a trial of a pair, or of a service alone, lasts."""
    services = [config["services"][name] for name in members(pair)]
    trial = config["trial"]
    if not any(map(is_web, services)):
        own: float = _times(trial, services)["duration_s"]
        return own
    longest_s: float = max(lead_s(trial, services)) + trial["start_jitter_s"] + _loads_s(trial)
    return math.ceil(longest_s) + SPARE_S


def lead_s(trial: Mapping[str, Any], services: Sequence[Service]) -> list[float]:
    """How long each of the services that meet waits for the others' lead."""
    if all(map(is_web, services)):
        return [0 for _ in services]
    return [trial["web"]["lead_s"] if is_web(service) else 0 for service in services]


def times(config: Mapping[str, Any], pair: str, offsets_s: Sequence[float]) -> dict[str, float]:
    """`duration_s`, `ignore_first_s` and `ignore_last_s` of a trial whose clients start at these offsets."""
    services = [config["services"][name] for name in members(pair)]
    pages_s = [offset for service, offset in zip(services, offsets_s, strict=True) if is_web(service)]
    if not pages_s:
        return _times(config["trial"], services)
    whole_s = duration_s(config, pair)
    end_s = min(pages_s) + _loads_s(config["trial"])
    return {
        "duration_s": whole_s,
        "ignore_first_s": max(pages_s),
        "ignore_last_s": round(whole_s - end_s, 6),
    }


def schedule(trial: Mapping[str, Any], service: Service) -> dict[str, Any]:
    """What is added to a service that is told when to load its page."""
    if not is_web(service):
        return {}
    return {"schedule": {key: trial["web"][key] for key in ("loads", "gap_s")}}


def check_times(trial: dict[str, Any], services: Iterable[Service], where: str) -> dict[str, Any]:
    """The trial's times, once it is sure that every trial has a steady window in which all services run.

    Raises:
        UserError: one would have none; `where` names the file.
    """
    of_kinds = {f"trial.kinds.{kind}": _of_kind(trial, kind) for kind in trial.get("kinds", {})}
    for key, of in ({"trial": trial} | of_kinds).items():
        _check_window(of, f"{where}: {key}")
    pages = [service for service in services if is_web(service)]
    for page in pages:
        if page["driver"] in trial.get("kinds", {}):
            raise UserError(
                f"{where}: trial.kinds.{page['driver']}: how long a web page's trial lasts follows from "
                "trial.web; say it there"
            )
    if pages and trial["web"]["lead_s"] < trial["start_jitter_s"]:
        raise UserError(
            f"{where}: trial.web.lead_s {trial['web']['lead_s']} is less than start_jitter_s "
            f"{trial['start_jitter_s']}: a contender could start after the page it meets"
        )
    return trial


def first_window_s(trial: Mapping[str, Any]) -> float:
    """The earliest that the steady window of any trial begins, but for those of web pages."""
    found: float = min(_of_kind(trial, kind)["ignore_first_s"] for kind in (None, *trial.get("kinds", {})))
    return found


def overhead_s(duration_s: float) -> float:
    """Seconds a trial takes beside its duration: setting up, draining, compressing."""
    return max(4.0, 0.03 * duration_s)


def readable(seconds: float) -> str:
    """A duration in the two largest units that matter: `7 min`, `3 h 20 min`, `12 d 4 h`."""
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{max(1, minutes)} min"
    if minutes < 24 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes // 1440} d {minutes % 1440 // 60} h"


def _check_window(trial: Mapping[str, Any], where: str) -> None:
    if trial["ignore_first_s"] + trial["ignore_last_s"] >= trial["duration_s"]:
        raise UserError(
            f"{where}: ignore_first_s and ignore_last_s leave nothing of duration_s "
            f"{trial['duration_s']}; lengthen the trial or ignore less"
        )
    if trial["start_jitter_s"] > trial["ignore_first_s"]:
        raise UserError(
            f"{where}: start_jitter_s {trial['start_jitter_s']} is more than ignore_first_s "
            f"{trial['ignore_first_s']}: a service could start inside the steady window"
        )


def _of_kind(trial: Mapping[str, Any], kind: str | None) -> dict[str, Any]:
    """The trial's times with those of a kind of client laid over them."""
    own: dict[str, Any] = trial.get("kinds", {}).get(kind, {})
    return dict(trial) | own


def _times(trial: Mapping[str, Any], services: Iterable[Service]) -> dict[str, float]:
    """The times of the longest-lasting kind."""
    of_kinds = [tuple(_of_kind(trial, service["driver"])[key] for key in TIMES) for service in services]
    return dict(zip(TIMES, max(of_kinds), strict=True))


def _loads_s(trial: Mapping[str, Any]) -> float:
    """How long a page is loaded again and again."""
    seconds: float = trial["web"]["loads"] * trial["web"]["gap_s"]
    return seconds
