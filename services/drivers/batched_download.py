"""A file transfer service that downloads chunks in batches, one batch after the other (Prudentia, Mega).

A batch begins `pause_s` after the end of the one before. The service needs HTTP/1.1: over HTTP/2 all chunks
would share one connection.
"""

from pathlib import Path
from urllib.parse import urlencode

from scripts.base.records import Json
from scripts.model.services import Service
from services import browser, origin, page_visit
from services.drivers import unmet

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
NAMES = True
serve = origin.serve


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Download for `seconds`, `flows` chunks at a time.

    Returns:
        The observation of every page, and `batches` of a self-hosted service: the start of each batch and the
        ends of its chunks.

    Raises:
        ServiceError: the browser failed.
    """
    page = ""
    if service.batch is not None:
        batch = service.batch
        query = urlencode(
            {"flows": service.flows, "chunk_bytes": batch.chunk_bytes, "pause_s": batch.pause_s}
        )
        page = f"batched_download.html?{query}"
    visit = page_visit.visit(service, directory, page, seconds)
    return visit.observation | unmet(visit.problem)
