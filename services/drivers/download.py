"""A file transfer service: one file over one connection, in a browser (Prudentia, Table 1)."""

from pathlib import Path
from typing import Any

from services import browser, origin, watching

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
serve = origin.serve


def use(service: dict[str, Any], address: str, seconds: int, directory: Path) -> dict[str, Any]:
    """Download for `seconds`: the panel's page fetches a file, of a live service the browser downloads it.

    Returns:
        What every page reports: `since_ns`, `received_bytes`, `intervals`, `protocols`, `cpu_s`, `headless`
        (config/schemas/qoe.yaml).

    Raises:
        ServiceError: the browser, the service or the download broke.
    """
    return watching.watch(service, directory, "download.html", seconds)
