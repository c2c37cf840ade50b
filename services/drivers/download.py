"""A file transfer service: one file over one connection, in a browser (Prudentia, Table 1)."""

from pathlib import Path
from typing import Any

from services import browser, origin

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
serve = origin.serve


def use(service: dict[str, Any], address: str, seconds: int, directory: Path) -> dict[str, Any]:
    """Download for `seconds`.

    Returns:
        What every page of the panel reports: `since_ns`, `received_bytes`, `intervals`, `protocols`, `cpu_s`
        (config/schemas/qoe.yaml).

    Raises:
        ServiceError: the browser, the service or the download broke.
    """
    return browser.watch(service, directory, "download.html", seconds)
