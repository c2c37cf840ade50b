"""How long a trial lasts and which part of it counts, depending on the services that meet in it.

- The times under `trial` in the configuration apply to every trial. `trial.kinds` replaces them for one kind
  of client, named by its driver. If two kinds meet, the trial has the times of the kind that lasts longer.
  The `trial` of a setting replaces them for every kind.
- A trial with a web page (`metric: web`) lasts as long as its loads take. The contender starts first. The
  page is loaded for the first time `trial.web.lead_s` later, and `loads` times in all. A load ends when the
  page stands, or after `limit_s`; the next one starts `gap_s` after its end. When the last gap is over, the
  page's client ends, and the testbed ends all others. The steady window lasts from the start of the first
  load until then; with two pages, from the later first load until the first of them ends. Without a contender
  there is no lead. What is calculated here is the ceiling: the browser takes BROWSER_S to start, and every
  load `limit_s`. trial.json tells the window as it was.

Source: Prudentia (SIGCOMM 2024), 3.4 and 5.2.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scripts.base.errors import UserError
from scripts.base.records import Number
from scripts.model.campaign import Campaign, TrialTimes, WebTimes
from scripts.model.services import Schedule, Service
from scripts.model.settings import OwnTimes

SPARE_S = 1
"""Clients run for whole seconds, so a client may end up to this long before its trial."""

BROWSER_S = 5
"""How long the browser of a web page may take to start before the first load."""


@dataclass(frozen=True, order=True)
class Timing:
    """How long a trial lasts, and how much of its beginning and end lies outside the steady window."""

    duration_s: int
    ignore_first_s: Number
    ignore_last_s: Number


def duration_s(campaign: Campaign, setting: str, pair: str) -> int:
    """How long a trial of a pair, or of a service alone, lasts in a setting; with a web page, at most."""
    return _duration_s(campaign, setting, pair, _loads_s(campaign.trial.web))


def shortest_s(campaign: Campaign, setting: str, pair: str) -> int:
    """How long such a trial lasts if every load of a web page ends at once."""
    return _duration_s(campaign, setting, pair, _gaps_s(campaign.trial.web))


def lead_s(trial: TrialTimes, services: Sequence[Service]) -> list[int]:
    """How long each of the services that meet waits at the beginning, so that the others lead."""
    if all(service.is_web for service in services):
        return [0 for _ in services]
    return [trial.web.lead_s if service.is_web else 0 for service in services]


def timing(campaign: Campaign, setting: str, pair: str, offsets_s: Sequence[Number]) -> Timing:
    """The times of a trial whose clients start at these offsets, seconds after the trial."""
    trial, services = campaign.times(setting), campaign.services_of(pair)
    pages_s = [offset for service, offset in zip(services, offsets_s, strict=True) if service.is_web]
    if not pages_s:
        return longest(trial, services)
    length_s = duration_s(campaign, setting, pair)
    end_s = min(pages_s) + _loads_s(trial.web)
    return Timing(length_s, max(pages_s), round(length_s - end_s, 6))


def with_schedule(trial: TrialTimes, service: Service) -> Service:
    """The service, with the times of its loads if it is a web page."""
    if not service.is_web:
        return service
    web = trial.web
    return replace(service, schedule=Schedule(loads=web.loads, gap_s=web.gap_s, limit_s=web.limit_s))


def check_times(trial: TrialTimes, services: Iterable[Service], where: str) -> None:
    """Check that every trial has a steady window in which all its services run.

    Raises:
        UserError: a trial would have none; `where` is the file that the message names.
    """
    if fault := window_fault(trial):
        raise UserError(f"{where}: {fault}")
    pages = [service for service in services if service.is_web]
    for page in pages:
        if page.driver in trial.kinds:
            raise UserError(
                f"{where}: trial.kinds.{page.driver}: the length of a web page's trial follows from "
                "trial.web; change it there"
            )
    if pages and trial.web.lead_s < trial.start_jitter_s:
        raise UserError(
            f"{where}: trial.web.lead_s {trial.web.lead_s} is less than start_jitter_s "
            f"{trial.start_jitter_s}, so a contender could start after the page it meets; raise lead_s"
        )


def window_fault(trial: TrialTimes) -> str | None:
    """Why these times leave no steady window, or let a service start inside it; None if all is well."""
    for place, driver in (("trial", None), *((f"trial.kinds.{kind}", kind) for kind in trial.kinds)):
        if fault := _fault(_timing(trial, driver), trial.start_jitter_s):
            return f"{place}: {fault}"
    return None


def longest(trial: TrialTimes, services: Iterable[Service]) -> Timing:
    """The times of the kind that lasts longest, of services that are no web pages."""
    return max(_timing(trial, service.driver) for service in services)


def first_window_s(trial: TrialTimes) -> Number:
    """The earliest beginning of the steady window among all trials without a web page."""
    return min(_timing(trial, kind).ignore_first_s for kind in (None, *trial.kinds))


def overhead_s(duration_s: float) -> float:
    """Seconds that a trial takes in addition to its duration: setting up, draining, compressing."""
    return max(4.0, 0.03 * duration_s)


def takes_s(duration_s: float) -> float:
    """How long a trial of this duration takes, with its overhead."""
    return duration_s + overhead_s(duration_s)


def readable(seconds: float) -> str:
    """A duration in the two largest units that matter: `7 min`, `3 h 20 min`, `12 d 4 h`."""
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{max(1, minutes)} min"
    if minutes < 24 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes // 1440} d {minutes % 1440 // 60} h"


def _fault(times: Timing, start_jitter_s: Number) -> str | None:
    """Why these times leave no steady window, or let a service start inside it; None if all is well."""
    if times.ignore_first_s + times.ignore_last_s >= times.duration_s:
        return (
            f"ignore_first_s and ignore_last_s leave nothing of duration_s {times.duration_s}; "
            "lengthen the trial or ignore less"
        )
    if start_jitter_s > times.ignore_first_s:
        return (
            f"start_jitter_s {start_jitter_s} is more than ignore_first_s {times.ignore_first_s}, so a "
            "service could start inside the steady window; lower start_jitter_s or ignore more"
        )
    return None


def _timing(trial: TrialTimes, driver: str | None = None) -> Timing:
    """The trial's times, replaced by those of one kind of client where it has its own."""
    kind = trial.kinds[driver] if driver in trial.kinds else OwnTimes()
    return Timing(
        trial.duration_s if kind.duration_s is None else kind.duration_s,
        trial.ignore_first_s if kind.ignore_first_s is None else kind.ignore_first_s,
        trial.ignore_last_s if kind.ignore_last_s is None else kind.ignore_last_s,
    )


def _duration_s(campaign: Campaign, setting: str, pair: str, loads_s: int) -> int:
    """How long a trial lasts if all loads of a page and their gaps take `loads_s`."""
    trial, services = campaign.times(setting), campaign.services_of(pair)
    if not any(service.is_web for service in services):
        return longest(trial, services).duration_s
    return math.ceil(max(lead_s(trial, services)) + trial.start_jitter_s + loads_s) + SPARE_S


def _gaps_s(web: WebTimes) -> int:
    """How long all gaps of a page take."""
    return web.loads * web.gap_s


def _loads_s(web: WebTimes) -> int:
    """How long a page takes at most: its browser's start, and all loads, each with its gap."""
    if web.limit_s is None:
        return _gaps_s(web)
    return BROWSER_S + web.loads * web.limit_s + _gaps_s(web)
