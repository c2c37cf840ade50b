"""The requests and bytes of a page load are those that its server counts, whatever the page says."""

import json
import shutil
from pathlib import Path

import pytest

from scripts.model.drivers import check_observation
from scripts.model.services import Live, Probe, Schedule, Service
from services import page_load
from services.browser_settings import CLIENT_FILE
from services.page_load import LoadInProgress, PageLoad
from services.tab import Tab
from services.use_time import SHARED, UseTime
from tests.services.local_site import Site, local_browser, serving

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium"),
]

PICTURES = 320
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/>'
HIDING = """<!doctype html><link rel=icon href="data:,">
<script>
  performance.setResourceTimingBufferSize(1);
  performance.clearResourceTimings();
  Performance.prototype.getEntriesByType = () => [];
  new Worker("/worker.js");
</script>
<p style="font-size: 200px">a page</p>"""


def picture(number: int) -> bytes:
    """A picture that differs in size from the others."""
    return PICTURE + b" " * (10_000 + number) + b"</svg>"


def fill(site: Site) -> str:
    """A page with pictures of its own and of another site, a frame of the other site, and a worker."""
    images = []
    for number in range(PICTURES):
        site.add(f"/{number}.svg", picture(number), "image/svg+xml")
        images.append(f"<img src='{site.address(f'/{number}.svg', ('127.0.0.1', 'localhost')[number % 2])}'>")
    site.add("/in-frame.svg", picture(1), "image/svg+xml")
    site.add("/frame", "<link rel=icon href='data:,'><img src='/in-frame.svg'>")
    site.add("/fetched", b"x" * 100_000, "text/plain")
    site.add("/worker.js", "fetch('/fetched')", "text/javascript")
    site.add("/last.svg", picture(1), "image/svg+xml")
    site.last["/last.svg"] = "/fetched"  # The load event waits for the worker too.
    images.append("<img src='/last.svg'>")
    frame = f"<iframe src='{site.address('/frame', 'localhost')}'></iframe>"
    return site.add("/page", HIDING + "".join(images) + frame)


@pytest.fixture(scope="module")
def counted(tmp_path_factory) -> tuple[PageLoad, Site]:
    """A load, and the server that counted."""
    folder: Path = tmp_path_factory.mktemp("browser")
    with serving() as site, local_browser(folder) as opened, Tab(opened) as tab:
        (folder / SHARED).mkdir()
        (folder / SHARED / CLIENT_FILE).write_text(json.dumps({"headless": True, "address": fill(site)}))
        live = Live(prepare="Nothing.")
        schedule = Schedule(loads=1, gap_s=0, limit_s=60)
        service = Service("p", "Page", "Web", "page", None, Probe(80), live=live, schedule=schedule)
        load = LoadInProgress(tab, service, folder, UseTime(60, folder)).finish()
        assert load is not None
        return load, site


def test_the_server_counts_the_same(counted):
    load, site = counted
    assert load.problem is None
    assert site.requests > PICTURES
    assert site.requests == load.observation["requests"]
    assert site.sent_bytes == pytest.approx(load.received_bytes, rel=0.001), "headers are not exact"
    assert load.received_bytes == load.observation["received_bytes"]
    assert {"http/1.1"} == load.protocols


def test_the_times_are_those_of_the_navigation(counted):
    observation = counted[0].observation
    check_observation({"loads": [observation], "received_bytes": 1}, "the load")
    assert 0 < observation["load_event_s"] < 60
    assert 0 < observation["visually_complete_s"] < 60
    assert observation["completeness"][-1][1] >= page_load.LEVEL
