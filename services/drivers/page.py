"""A web page that is loaded repeatedly, each time in a new browser (Prudentia 5.2)."""

import time
from dataclasses import dataclass
from pathlib import Path

from selenium import webdriver

from scripts.base.records import Json
from scripts.metrics.qoe import speed_index, visually_complete
from scripts.model.services import Service
from services import browser, origin, page_visit
from services.browser_settings import load_settings
from services.drivers import ServiceError
from services.screencast import Screencast

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
LEVEL = 0.95
"""A page counts as loaded once this fraction of the area above the fold is complete (Prudentia 5.2)."""

SETTLE_S = 1.5
"""How long a page may still change after its load event."""

serve = origin.serve

FACTS = """
const [page] = performance.getEntriesByType("navigation");
const resources = performance.getEntriesByType("resource");
return {
  url: location.href, status: page.responseStatus,
  origin_ms: performance.timeOrigin, load_event_s: page.loadEventEnd / 1000,
  requests: 1 + resources.length,
  received_bytes: [page, ...resources].reduce((sum, entry) => sum + entry.transferSize, 0),
  protocols: [...new Set([page, ...resources].map((entry) => entry.nextHopProtocol))].filter(Boolean).sort(),
  broken_images: [...document.images].filter((image) => !(image.complete && image.naturalWidth)).length,
};
"""


@dataclass(frozen=True)
class PageFacts:
    """The result of FACTS."""

    url: str
    status: int
    origin_ms: float
    load_event_s: float
    requests: int
    received_bytes: int
    protocols: list[str]
    broken_images: int


@dataclass(frozen=True)
class PageLoad:
    """One load: its part of qoe.json, its bytes and protocols, and the browser's processor time."""

    observation: dict[str, Json]
    received_bytes: int
    protocols: frozenset[str]
    cpu_s: float


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Load the page as often as the service's `schedule` says, once every `gap_s`.

    Returns:
        `loads`: for each load its start, the time to 95 % of the area above the fold, SpeedIndex, the load
        event and the curve of completeness (config/schemas/qoe.yaml); `cpu_s`, `received_bytes` and
        `protocols` of all loads.

    Raises:
        ServiceError: the browser or the service failed, or a page was not loaded before the next was due.
    """
    start = time.monotonic()
    schedule = service.schedule
    assert schedule is not None and schedule.loads is not None and schedule.gap_s is not None
    loads: list[PageLoad] = []
    for number in range(schedule.loads):
        due = start + number * schedule.gap_s
        time.sleep(max(0.0, due - time.monotonic()))
        with browser.chromium(service, directory) as opened:
            loads.append(_load(opened, service, due + schedule.gap_s))
    time.sleep(max(0.0, start + seconds - time.monotonic()))
    return {
        "loads": [load.observation for load in loads],
        "received_bytes": sum(load.received_bytes for load in loads),
        "protocols": [*sorted({protocol for load in loads for protocol in load.protocols})],
        "cpu_s": sum(load.cpu_s for load in loads),
        "headless": load_settings().headless,
    }


def _load(opened: webdriver.Chrome, service: Service, deadline: float) -> PageLoad:
    """Load the page once, before `deadline` (monotonic clock)."""
    address = page_visit.address_of(service, service.page.path if service.page else "")
    name = page_visit.public_name(service, address)
    screencast = Screencast(opened)
    screencast.start()
    browser.open_page(opened, address, name)
    while not screencast.loaded or time.monotonic() < screencast.loaded + SETTLE_S:
        if time.monotonic() > deadline:
            raise ServiceError(f"{name} was not loaded within its time")
        screencast.poll()
    facts = PageFacts(**opened.execute_script(FACTS))
    _check(facts, name, address, is_live=service.live is not None)
    times_s, completeness = screencast.completeness(facts.origin_ms / 1000)
    if len(times_s) < 2:
        raise ServiceError(f"{name}: no picture was shown")
    return PageLoad(
        observation={
            "since_ns": browser.nanoseconds(facts.origin_ms),
            "visually_complete_s": visually_complete(times_s, completeness, LEVEL),
            "speed_index_s": speed_index(times_s, completeness),
            "completeness": [[time_s, part] for time_s, part in zip(times_s, completeness, strict=True)],
            "load_event_s": facts.load_event_s,
            "requests": facts.requests,
            "received_bytes": facts.received_bytes,
        },
        received_bytes=facts.received_bytes,
        protocols=frozenset(page_visit.PROTOCOLS.intersection(facts.protocols)),
        cpu_s=browser.cpu_s(),
    )


def _check(facts: PageFacts, name: str, address: str, is_live: bool) -> None:
    """Raise ServiceError if the page failed. Broken images of a live page are not checked."""
    if facts.url.startswith("chrome-error:") or (facts.url != address and not is_live):
        raise ServiceError(f"{name} cannot be reached")
    if facts.status != 200:
        raise ServiceError(f"{name}: HTTP status {facts.status}")
    if facts.broken_images and not is_live:
        raise ServiceError(f"{name}: {facts.broken_images} pictures did not load")
