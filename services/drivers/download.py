"""A file transfer service: one file over one connection, in a browser (Prudentia, Table 1)."""

from pathlib import Path

from scripts.base.records import Json
from scripts.model.services import Service
from services import browser, origin, page_visit
from services.drivers import unmet

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
NAMES = True
serve = origin.serve


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Download for `seconds`: a page of ours fetches the file; the browser downloads that of a live service.

    Returns:
        The observation of every page: `since_ns`, `received_bytes`, `intervals`, `protocols`, `cpu_s`,
        `headless`, and `unmet` if something went wrong (services/drivers/__init__.yaml).

    Raises:
        ServiceError: the browser failed.
    """
    visit = page_visit.visit(service, directory, "download.html", seconds)
    return visit.observation | unmet(visit.problem)
