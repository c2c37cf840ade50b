"""A web page that is loaded repeatedly, each time in a new browser (Prudentia 5.2)."""

import time
from pathlib import Path

from scripts.base.records import Json
from scripts.model.problems import Code, problem
from scripts.model.services import Schedule, Service
from services import browser, origin, page_visit
from services.drivers import unmet
from services.page_load import LoadInProgress, PageLoad
from services.use_time import UseTime

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
NAMES = True
serve = origin.serve


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Load the page as often as the service's `schedule` says, `gap_s` after the end of the load before.

    A new browser starts during the gap. A load that has not ended when the time is over is left out.

    Returns:
        `loads`: for each load its start, the time to 95 % of the area above the fold, SpeedIndex, the load
        event and the curve of completeness (services/drivers/page.yaml); `cpu_s`, `received_bytes` and
        `protocols` of all loads; `unmet` if one did not end by itself.

    Raises:
        ServiceError: the browser failed.
    """
    use_time = UseTime(seconds, directory)
    schedule = service.schedule
    assert schedule is not None and schedule.loads is not None and schedule.gap_s is not None
    loads: list[PageLoad] = []
    due = time.monotonic()
    while len(loads) < schedule.loads and use_time.left_s:
        with (
            browser.chromium(service, directory, page_visit.flags_of(service)) as opened,
            page_visit.tab_of(opened, service) as tab,
        ):
            use_time.wait(due - time.monotonic())
            load = LoadInProgress(tab, service, directory, use_time).finish()
        if load is None:
            break
        loads.append(load)
        due = load.ended + schedule.gap_s
    use_time.wait(due - time.monotonic())
    return {
        "loads": [load.observation for load in loads],
        "received_bytes": sum(load.received_bytes for load in loads),
        "protocols": [*sorted({protocol for load in loads for protocol in load.protocols})],
        "cpu_s": sum(load.cpu_s for load in loads),
        **_unmet(loads, schedule, asked_to_finish=use_time.finish_asked),
    }


def _unmet(loads: list[PageLoad], schedule: Schedule, asked_to_finish: bool) -> dict[str, Json]:
    """Why not every load ended by itself, or what the page did that no service must do."""
    cause = next((load.problem for load in loads if load.problem), None)
    misconduct = next((load.misconduct for load in loads if load.misconduct), None)
    if censored := sum(load.is_censored for load in loads):
        effect = problem(Code.LOADS_NOT_ENDED, censored, len(loads), schedule.limit_s or 0)
        return unmet(effect, misconduct or cause)
    if len(loads) < (schedule.loads or 0) and not asked_to_finish:
        return unmet(problem(Code.LOADS_MISSING, len(loads), schedule.loads or 0), misconduct)
    return unmet(misconduct)
