"""The browser settings of this machine's operator: config/browser.yaml and OBSERVATORY_BROWSER.

A driver does not see the file. It gets the settings of its own client from the testbed, as CLIENT_FILE.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import about, from_json, read_record
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check
from scripts.model.services import Live, Service
from services.use_time import SHARED

FILE = ROOT / "config/browser.yaml"
WINDOW = "OBSERVATORY_BROWSER"
"""Environment variable: `headless` or `headed`, instead of the file's `window`."""

CLIENT_FILE = "browser.json"
"""The name of the file with a client's settings, in SHARED of its driver's folder."""

PREPARED = "prepared"
"""The folder within a driver's folder where the testbed puts a copy of the prepared profile."""


@dataclass(frozen=True)
class ClientSettings:
    """The settings of one client: whether it has no display, and the address of its live service."""

    headless: bool
    address: str | None = None


def client_settings(directory: Path) -> ClientSettings:
    """The settings of the client whose driver has this folder."""
    return read_record(ClientSettings, directory / SHARED / CLIENT_FILE)


@dataclass(frozen=True)
class BrowserSettings:
    """The browsers of one machine. No plan contains them; trial.json and qoe.json say what a client used."""

    window: Literal["headless", "headed"]
    """headless: without a display, which works on any machine. headed: on the display that the environment
    variable DISPLAY names. Live video sites choose lower bitrates without a 4K monitor and a processor that
    decodes 4K (Prudentia 3.3). A window can watch every other window of its display, so give the browsers a
    display of their own. The environment variable OBSERVATORY_BROWSER replaces it."""
    profiles: Annotated[Path | None, about(minLength=1)]
    """A folder with Chromium profiles, each named after a live service: signed in, consent given. Every
    browser works on a copy without the cache. A service whose file has `profile: true` needs one."""
    addresses: dict[str, Annotated[str, about(pattern="^https?://")]]
    """The URL to open for a live service, such as your own file, film or meeting: {dropbox: "https://…"}. It
    is needed if the service's file has no `url`, and replaces that `url` otherwise. It is not recorded in any
    trial or table."""

    @property
    def headless(self) -> bool:
        """Whether browsers run without a display."""
        return self.window == "headless"

    def of_client(self, service: Service) -> ClientSettings:
        """The settings of a client of this service."""
        return ClientSettings(self.headless, self.address(service) if service.live else None)

    def address(self, service: Service) -> str:
        """The address to open for a live service.

        Raises:
            UserError: neither the catalogue nor the operator gives one.
        """
        live = _live(service)
        address = self.addresses.get(service.name) or live.url
        if not address:
            raise UserError(f"{FILE}: addresses: has no address for {service.name}; {live.prepare}")
        return address

    def profile(self, service: Service) -> Path | None:
        """The prepared browser profile of a live service; None if it has none.

        Raises:
            UserError: the service needs a profile and has none.
        """
        folder = self.profiles / service.name if self.profiles else None
        if folder is not None and folder.is_dir():
            return folder
        live = _live(service)
        if live.profile:
            raise UserError(f"{FILE}: profiles: has no profile for {service.name}; {live.prepare}")
        return None


def load_settings() -> BrowserSettings:
    """Read and check config/browser.yaml. The environment variable replaces its `window`.

    Raises:
        UserError: the file is missing or breaks its schema.
    """
    content = load_yaml(FILE)
    window = os.environ.get(WINDOW)
    if window:
        content["window"] = window
    check(content, BrowserSettings, lambda keys: WINDOW if window and keys == ["window"] else str(FILE))
    settings = from_json(BrowserSettings, content, str(FILE))
    return replace(settings, profiles=ROOT / settings.profiles) if settings.profiles else settings


def has_browser(service: Service) -> bool:
    """Whether the clients of a service are browsers."""
    return service.origin is not None or service.live is not None


def require_prepared(services: Iterable[Service]) -> None:
    """Check that the operator has prepared the browsers of these services.

    Raises:
        UserError: a display, an address or a profile is missing.
    """
    with_browser = [service for service in services if has_browser(service)]
    if not with_browser:
        return
    settings = load_settings()
    if not settings.headless and not os.environ.get("DISPLAY"):
        raise UserError(f"{FILE}: window: is headed, but DISPLAY names no display; set it, or say headless")
    for service in with_browser:
        if service.live:
            settings.address(service)
            settings.profile(service)


def _live(service: Service) -> Live:
    if service.live is None:
        raise ValueError(f"{service.name} is not a live service")
    return service.live
