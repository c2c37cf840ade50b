"""A file transfer service that downloads in batches of chunks and waits for each batch (Prudentia, Mega).

It needs HTTP/1.1: over HTTP/2 all chunks would share one connection.
"""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from services import browser, origin, watching

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
serve = origin.serve


def use(service: dict[str, Any], address: str, seconds: int, directory: Path) -> dict[str, Any]:
    """Download for `seconds`, `flows` chunks at a time.

    Returns:
        What every page reports, and of the panel's `batches`: when each began and when its chunks ended.

    Raises:
        ServiceError: the browser, the service or the download broke.
    """
    asked = urlencode({"flows": service.get("flows"), **service.get("batch", {})})
    return watching.watch(service, directory, f"batched_download.html?{asked}", seconds)
