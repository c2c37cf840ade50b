"""A web page, loaded again and again, each time in a fresh browser (Prudentia 5.2)."""

import time
from pathlib import Path
from typing import Any

from selenium import webdriver

from scripts.metrics.qoe import speed_index, visually_complete
from services import browser, origin, watching
from services.drivers import ServiceError
from services.preparation import load_settings
from services.screencast import Screencast

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
LEVEL = 0.95
"""A page counts as loaded once this part of what is above the fold stands (Prudentia 5.2)."""

SETTLE_S = 1.5
"""How long after its load event a page may still change."""

serve = origin.serve

FACTS = """
const [page] = performance.getEntriesByType("navigation");
const resources = performance.getEntriesByType("resource");
return {
  place: location.href, status: page.responseStatus,
  origin_ms: performance.timeOrigin, load_event_s: page.loadEventEnd / 1000,
  requests: 1 + resources.length,
  received_bytes: [page, ...resources].reduce((sum, entry) => sum + entry.transferSize, 0),
  protocols: [...new Set([page, ...resources].map((entry) => entry.nextHopProtocol))].filter(Boolean).sort(),
  broken: [...document.images].filter((image) => !(image.complete && image.naturalWidth)).length,
};
"""


def use(service: dict[str, Any], address: str, seconds: int, directory: Path) -> dict[str, Any]:
    """Load the page as often as the service's `schedule` says, one every `gap_s`.

    Returns:
        `loads`: of each its start, the time to 95 % of what is above the fold, SpeedIndex, the load event and
        the curve of completeness (config/schemas/qoe.yaml); `cpu_s`, `received_bytes` and `protocols` of all.

    Raises:
        ServiceError: the browser or the service broke, or a page was not loaded before the next was due.
    """
    start = time.monotonic()
    gap_s = service["schedule"]["gap_s"]
    loads: list[dict[str, Any]] = []
    for number in range(service["schedule"]["loads"]):
        due = start + number * gap_s
        time.sleep(max(0.0, due - time.monotonic()))
        with browser.chromium(service, directory) as opened:
            loads.append(_load(opened, service, due + gap_s))
    time.sleep(max(0.0, start + seconds - time.monotonic()))
    return {
        "loads": loads,
        "received_bytes": sum(load["received_bytes"] for load in loads),
        "protocols": sorted({protocol for load in loads for protocol in load.pop("protocols")}),
        "cpu_s": sum(load.pop("cpu_s") for load in loads),
        "headless": load_settings().headless,
    }


def _load(opened: webdriver.Chrome, service: dict[str, Any], until: float) -> dict[str, Any]:
    """Load the page once; `until` is by the monotonic clock."""
    address = watching.address_of(service, service.get("page", {}).get("path", ""))
    name = watching.name_of(service, address)
    screencast = Screencast(opened)
    screencast.start()
    browser.open_page(opened, address, name)
    while not screencast.loaded or time.monotonic() < screencast.loaded + SETTLE_S:
        if time.monotonic() > until:
            raise ServiceError(f"{name} was not loaded within its time")
        screencast.poll()
    facts = opened.execute_script(FACTS)
    if facts["place"] != address and "live" not in service:
        raise ServiceError(f"{name} cannot be reached")
    _check(facts, name, live="live" in service)
    times_s, completeness = screencast.completeness(facts["origin_ms"] / 1000)
    if len(times_s) < 2:
        raise ServiceError(f"{name}: nothing was ever shown")
    return {
        "since_ns": browser.nanoseconds(facts["origin_ms"]),
        "visually_complete_s": visually_complete(times_s, completeness, LEVEL),
        "speed_index_s": speed_index(times_s, completeness),
        "completeness": [[at, part] for at, part in zip(times_s, completeness, strict=True)],
        **{key: facts[key] for key in ("load_event_s", "requests", "received_bytes")},
        "protocols": watching.PROTOCOLS.intersection(facts["protocols"]),
        "cpu_s": browser.cpu_s(),
    }


def _check(facts: dict[str, Any], name: str, live: bool) -> None:
    """Raise ServiceError if the page broke; the pictures of a live one are its own affair."""
    if facts["place"].startswith("chrome-error:"):
        raise ServiceError(f"{name} cannot be reached")
    if facts["status"] != 200:
        raise ServiceError(f"{name}: HTTP status {facts['status']}")
    if facts["broken"] and not live:
        raise ServiceError(f"{name}: {facts['broken']} pictures did not load")
