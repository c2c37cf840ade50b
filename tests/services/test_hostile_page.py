"""A hostile page changes no number that its network traffic does not change, and none of its text is kept."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from scripts.model.problems import Code, is_reason, reason_of
from scripts.model.services import Live
from services import browser, devtools, live_page, page_visit, tab
from services.live_page import LivePage
from services.page_state import OBSERVER
from services.tab import Tab
from services.visited_page import Visit
from tests.services.local_site import SLOW_S, Site, local_browser, serving

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium"),
]

SECRET = "secret-of-the-page"
FORGED = 987654
FORGING = Path(__file__).with_name("forging.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving() as served:
        yield served


@pytest.fixture(scope="module")
def opened(tmp_path_factory) -> Iterator[webdriver.Chrome]:
    with local_browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture
def visit(opened, site, tmp_path, monkeypatch) -> Callable[..., Visit]:
    """Visit a page of a live service in this browser."""
    monkeypatch.setattr(live_page, "_counter", lambda: site.sent_bytes)

    def visited(body: str, seconds: float = 2, click: tuple[str, ...] = ()) -> Visit:
        opened.switch_to.new_window("tab")  # The tab of the test before may be stuck. It is closed.
        with Tab(opened, may_download=False) as own:
            own.observe(OBSERVER)
            live = Live(prepare="Nothing.", click=click)
            page = LivePage(own, site.add("/page", body), 30, live, tmp_path)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                own.follow(page_visit.POLL_S)
                page.check()
            return page.visit()

    return visited


def test_a_page_that_forges_everything_changes_nothing(visit, site):
    assert SECRET in FORGING
    assert str(FORGED) in FORGING
    before = site.sent_bytes
    found = visit(FORGING, seconds=5)
    assert is_reason(reason_of(found.problem))
    assert found.problem.code is Code.DIALOG
    assert found.observation["received_bytes"] == site.sent_bytes - before
    assert abs(found.observation["since_ns"] / 1e9 - time.time()) < 60
    assert found.observation["protocols"] == ["http/1.1"]
    assert 1 <= found.video["startup_s"] < 60
    assert [180] == [height["height"] for height in found.video["heights"]]
    last = found.seconds_of_call[-1]
    assert 180 == last["height"]
    assert 10 < last["frames"] < 300
    assert last["received_bytes"] <= found.observation["received_bytes"]
    everything = json.dumps([found.observation, found.video, found.seconds_of_call, str(found.problem)])
    assert SECRET not in everything
    assert str(FORGED) not in everything


DIALOGS = """<script>
  addEventListener("beforeunload", (event) => event.preventDefault());
  setTimeout(() => { confirm("a"); prompt("b"); location = "/next"; }, 300);
</script>"""
FULL_SCREEN = """<button onclick="document.documentElement.requestFullscreen()">Go on</button>"""


@pytest.mark.parametrize(
    ("body", "code", "click"),
    [
        ("<p>a page</p>", None, ()),
        (DIALOGS, Code.DIALOG, ()),
        ("<script>open('/a'); open('/b')</script>", Code.WINDOW, ()),
        ("<script>open('/window', '', 'noopener')</script>", Code.WINDOW, ()),
        ("<a id=file href='/file' download>f</a><script>file.click()</script>", Code.DOWNLOAD, ()),
        (FULL_SCREEN, Code.FULL_SCREEN, ("Go on",)),
        ("<script>while (true) {}</script>", Code.PAGE_SILENT, ()),
    ],
)
def test_what_no_service_must_do_has_a_code_and_the_visit_goes_on(
    visit, opened, monkeypatch, body, code, click
):
    monkeypatch.setattr(browser, "OPEN_S", 0.5)
    monkeypatch.setattr(tab, "SCRIPT_S", 1)
    found = visit(body, seconds=2.5, click=click)
    assert code == (found.problem and found.problem.code)
    assert found.observation["received_bytes"] > 0
    assert 1 == len(opened.window_handles)


def test_a_page_that_leaves_its_site_keeps_the_numbers_from_before(visit, site):
    other = site.address("/other", "localhost")
    found = visit(f"<script>setTimeout(() => {{ location = '{other}' }}, 1500)</script>", seconds=4)
    assert Code.LEFT_SITE is found.problem.code
    assert found.watched_s > 3.5


def test_a_page_that_a_click_of_ours_opens_may_have_another_site(visit, site):
    other = site.address("/other", "localhost")
    assert visit(f"<a href='{other}'>Go on</a>", 3, ("Go on", "Join")).problem is None


def test_a_page_that_waits_for_another_is_not_a_broken_browser(visit, monkeypatch):
    monkeypatch.setattr(devtools, "ANSWER_S", SLOW_S / 3)
    found = visit("<script>setTimeout(() => { location = '/slow' }, 1000)</script>", seconds=SLOW_S - 1)
    assert found.problem is None


CONTROLLING = """<!doctype html><script>
const tell = (what) => fetch(`/told?${what}`);
new WebSocket("%(socket)s").onopen = () => tell("socket");
fetch("%(port)s/json/version").then((answer) => answer.text()).then(() => tell("read"));
fetch("%(port)s/json/new?about:blank", { method: "PUT" }).then(() => tell("window"));
setTimeout(() => tell("tried"), 1000);
</script>"""


def test_a_page_cannot_control_its_browser(visit, site, opened):
    """Even if it knows the address at which the browser's DevTools answer the driver."""
    port = opened.capabilities["goog:chromeOptions"]["debuggerAddress"]
    places = {"port": f"http://{port}", "socket": devtools._address(int(port.rpartition(":")[2]))}
    found = visit(CONTROLLING % places, seconds=2)
    assert {"/told?tried"} == {path for path in site.answered if path.startswith("/told")}
    assert found.problem is None


def test_a_page_whose_dialogs_never_end_does_not_end_the_visit(visit):
    found = visit(f"<script>setTimeout(() => {{ while (true) alert('{SECRET}') }}, 1000)</script>", seconds=4)
    assert Code.DIALOG is found.problem.code
    assert found.observation["received_bytes"] > 0
