"""What this machine's operator prepared for browsers: config/browser.yaml."""

import os
import pwd
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check

FILE = ROOT / "config/browser.yaml"
WINDOW = "OBSERVATORY_BROWSER"
"""Environment variable: `headless` or `headed`, instead of the file's `window`."""


@dataclass(frozen=True)
class Settings:
    """See config/browser.yaml."""

    window: str
    user: str
    profiles: Path | None
    addresses: dict[str, str]

    @property
    def headless(self) -> bool:
        """Whether browsers have no display."""
        return self.window == "headless"

    def address(self, service: dict[str, Any]) -> str:
        """What to open of a live service.

        Raises:
            UserError: nobody said.
        """
        found = self.addresses.get(service["name"]) or service["live"].get("url")
        if not found:
            raise UserError(f"{FILE}: addresses: lacks {service['name']}; {service['live']['prepare']}")
        return str(found)

    def profile(self, service: dict[str, Any]) -> Path | None:
        """The prepared profile of a live service, if it has one.

        Raises:
            UserError: it needs one.
        """
        folder = self.profiles / str(service["name"]) if self.profiles else None
        if folder is not None and folder.is_dir():
            return folder
        if service["live"].get("profile"):
            raise UserError(f"{FILE}: profiles: has none of {service['name']}; {service['live']['prepare']}")
        return None


def load_settings() -> Settings:
    """Read and check config/browser.yaml; the environment goes before it.

    Raises:
        UserError: it is missing, or not as config/schemas/browser.yaml says.
    """
    content = load_yaml(FILE)
    named = os.environ.get(WINDOW)
    if named:
        content["window"] = named
    check(content, "browser", lambda keys: WINDOW if named and keys == ["window"] else str(FILE))
    profiles = content["profiles"]
    return Settings(
        window=content["window"],
        user=content["user"],
        profiles=ROOT / profiles if profiles else None,
        addresses=content["addresses"],
    )


def require_prepared(services: Iterable[dict[str, Any]]) -> None:
    """Make sure that the browsers of these services can be had.

    Raises:
        UserError: something is not prepared.
    """
    browsed = [service for service in services if "origin" in service or "live" in service]
    if not browsed:
        return
    settings = load_settings()
    if not settings.headless and not os.environ.get("DISPLAY"):
        raise UserError(f"{FILE}: window: is headed, but DISPLAY names no display; set it, or say headless")
    for service in browsed:
        if "live" in service:
            settings.address(service)
            settings.profile(service)
            _require_user(settings.user)


def _require_user(name: str) -> None:
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        raise UserError(f"{FILE}: user: this machine has no user {name}; name another") from None
    if found.pw_uid == 0:
        raise UserError(
            f"{FILE}: user: is root; live browsers run as somebody without rights, such as nobody"
        )
