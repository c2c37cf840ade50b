"""A visit to a page: a browser opens it, and its state is read until the visit is over."""

from collections.abc import Sequence
from pathlib import Path

from selenium import webdriver

from scripts.model.services import Service
from services import browser
from services.browser_settings import client_settings
from services.live_page import LivePage
from services.page_state import OBSERVER
from services.tab import Tab
from services.use_time import UseTime
from services.visited_page import SILENCE_S, Visit, VisitedPage

POLL_S = 0.5
DOWNLOADERS = ("download", "batched_download")
"""The drivers whose pages may start a download."""

NO_PERMISSIONS = ("--deny-permission-prompts",)
"""A live page that asks for a permission gets none."""


def address_of(service: Service, page: str, directory: Path) -> str:
    """The address to open: that of a live service, or this page of a self-hosted one."""
    address = client_settings(directory).address if service.live else f"https://{service.hosts[0]}/{page}"
    assert address is not None
    return address


def visit(service: Service, directory: Path, page: str, seconds: float) -> Visit:
    """Open a page of the service and keep it open for the time of its driver (services/use_time.py).

    Raises:
        ServiceError: the browser failed.
    """
    use_time = UseTime(seconds, directory)
    flags = flags_of(service)
    with browser.chromium(service, directory, flags) as opened, tab_of(opened, service) as tab:
        visited = visited_page(tab, service, page, directory)
        while use_time.left_s:
            tab.follow(min(POLL_S, use_time.left_s))
            visited.check()
        return visited.visit()


def flags_of(service: Service) -> Sequence[str]:
    """The flags of a client's browser for this service."""
    return NO_PERMISSIONS if service.live else ()


def tab_of(opened: webdriver.Chrome, service: Service) -> Tab:
    """The tab of a new browser for this service."""
    return Tab(opened, may_download=service.driver in DOWNLOADERS)


def visited_page(
    tab: Tab, service: Service, page: str, directory: Path, silence_s: float = SILENCE_S
) -> VisitedPage:
    """Open a page of the service. It may receive nothing for `silence_s`."""
    tab.observe(OBSERVER)
    address = address_of(service, page, directory)
    if service.live:
        return LivePage(tab, address, silence_s, service.live, directory / browser.DOWNLOADS)
    return VisitedPage(tab, address, silence_s)
