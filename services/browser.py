"""Chromium, driven by Selenium: a fresh profile, no name but the service's own, no wait without a bound."""

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from urllib3.exceptions import HTTPError

from services.drivers import ServiceError
from services.origin.certificate import pinned_key

PROGRAMS = {"chromium": "chromium", "chromedriver": "chromium-driver"}
ANSWER_S = 20
"""How long the browser may take for one answer before it counts as hanging."""

OPEN_S = 15
"""How long a page may take to be there, other than to stand."""

SILENCE_S = 30
"""How long a page may receive nothing before the service counts as broken."""

POLL_S = 0.5
EMPTY = "data:,"
"""The address of a page without content."""

FLAGS = (
    "--headless=new",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    # The last: the ends of a call are to know addresses of each other, no names that multicast resolves.
    "--disable-features=Translate,OptimizationHints,MediaRouter,WebRtcHideLocalIpsWithMdns",
    "--mute-audio",
    "--autoplay-policy=no-user-gesture-required",
    "--password-store=basic",
    "--window-size=1280,800",
)


def _flags(service: dict[str, Any], directory: Path) -> list[str]:
    """Chromium's switches for one self-hosted service.

    It runs without a sandbox, because nothing but our own pages is in it.
    """
    names = service["hosts"]
    only_names = ["MAP * ~NOTFOUND", "EXCLUDE localhost", *[f"EXCLUDE {name}" for name in names]]
    found = [
        *FLAGS,
        "--no-sandbox",
        f"--ignore-certificate-errors-spki-list={pinned_key(directory)}",
        f"--host-resolver-rules={','.join(only_names)}",
    ]
    if service["origin"]["protocol"] == "h3":
        found += ["--enable-quic", *[f"--origin-to-force-quic-on={name}:443" for name in names]]
    return found


STATE = """
const [page] = performance.getEntriesByType("navigation");
const seen = window.seen ? window.seen() : null;
return [location.href, page ? page.responseStatus : null, window.failed || null, seen];
"""


@contextmanager
def chromium(
    service: dict[str, Any], directory: Path, more_flags: Sequence[str] = (), log: str = "chromedriver.log"
) -> Iterator[webdriver.Chrome]:
    """A new browser with an empty profile; at the end it is killed and its profile gone.

    What it does wrongly, or not in time, becomes a ServiceError.
    """
    socket.setdefaulttimeout(ANSWER_S)  # what Selenium waits for an answer
    with tempfile.TemporaryDirectory(prefix="chromium.", ignore_cleanup_errors=True) as profile:
        options = Options()
        options.binary_location = str(shutil.which("chromium"))
        for flag in [*_flags(service, directory), *more_flags, f"--user-data-dir={profile}"]:
            options.add_argument(flag)
        options.page_load_strategy = "none"  # waits are ours, and bounded
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": False, "enablePage": True})
        before = set(psutil.Process().children(recursive=True))
        try:
            browser = webdriver.Chrome(options, _chromedriver(directory / log, profile))
            _wait_for_empty_page(browser)
            yield browser
        except (WebDriverException, HTTPError, OSError) as error:
            words = str(getattr(error, "msg", None) or error).strip().splitlines()
            raise ServiceError(f"the browser: {words[0] if words else type(error).__name__}") from error
        finally:
            _kill(set(psutil.Process().children(recursive=True)) - before)


def _wait_for_empty_page(browser: webdriver.Chrome) -> None:
    """Return once a new browser shows an empty page: going to its own first page would abort commands."""
    deadline = time.monotonic() + ANSWER_S
    while time.monotonic() < deadline:
        with suppress(TimeoutException):
            if browser.execute_script("return location.href + document.readyState") == f"{EMPTY}complete":
                return
            browser.get(EMPTY)
        time.sleep(0.05)
    raise ServiceError(f"the browser did not start within {ANSWER_S} s")


def _chromedriver(log: Path, home: str) -> Service:
    """The installed driver (Selenium would look for one on the Internet), with a home of its own."""
    path = str(shutil.which("chromedriver"))
    return Service(
        path, service_args=["--log-level=WARNING"], log_output=str(log), env=os.environ | {"HOME": home}
    )


def watch(
    service: dict[str, Any], directory: Path, page: str, seconds: float, more_flags: Sequence[str] = ()
) -> dict[str, Any]:
    """Open a page of the service and keep it open until `seconds` are over.

    Returns:
        What the page's own `seen()` said at the end, the browser's processor time, that it had no display.

    Raises:
        ServiceError: the browser or the page broke, or nothing was received for SILENCE_S.
    """
    end = time.monotonic() + seconds
    with chromium(service, directory, more_flags) as browser:
        address = f"https://{service['hosts'][0]}/{page}"
        open_page(browser, address)
        opened = time.monotonic()
        seen = None
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(POLL_S, left))
            seen = _ask(browser, address)
            if seen is None and time.monotonic() - opened > OPEN_S:
                raise ServiceError(f"{address} was not loaded within {OPEN_S} s")
        if not seen or not seen["received_bytes"]:
            raise ServiceError(f"{address} received nothing in {seconds:g} s")
        return seen | {"cpu_s": cpu_s(), "headless": True}


def open_page(browser: webdriver.Chrome, address: str) -> None:
    """Open a page; return once its first bytes are there.

    Raises:
        ServiceError: they do not come.
    """
    browser.set_page_load_timeout(OPEN_S)
    try:
        browser.get(address)
    except TimeoutException:
        raise ServiceError(f"{address} did not answer within {OPEN_S} s") from None
    except WebDriverException as error:
        raise ServiceError(f"{address} cannot be reached: {error.msg}") from error


def _ask(browser: webdriver.Chrome, address: str) -> dict[str, Any] | None:
    """What the page has seen; None while it is not yet there."""
    place, status, failed, seen = browser.execute_script(STATE)
    if place.startswith("chrome-error:"):
        raise ServiceError(f"{address} cannot be reached")
    if failed is not None:
        raise ServiceError(f"{address}: {failed}")
    if seen is None:
        if place == address and status not in (None, 200):
            raise ServiceError(f"{address}: HTTP status {status}")
        return None
    if seen.pop("idle_s") > SILENCE_S:
        raise ServiceError(f"{address} received nothing for {SILENCE_S} s")
    return {"since_ns": nanoseconds(seen.pop("origin_ms")), **seen}


def nanoseconds(origin_ms: float) -> int:
    """A page's `performance.timeOrigin` as ns since the Unix epoch; browsers know it to the microsecond."""
    return round(origin_ms * 1000) * 1000


def cpu_s() -> float:
    """Processor time of all that this process has running, s."""
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


def _kill(processes: set[psutil.Process]) -> None:
    for process in processes:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(processes, timeout=5)
