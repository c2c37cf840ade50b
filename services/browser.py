"""Chromium, driven by Selenium: a profile of its own each time, no wait without a bound.

For a self-hosted service it knows no name but the service's own; for a live one it runs as a user without
rights.
"""

import os
import pwd
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import psutil
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from urllib3.exceptions import HTTPError

from services.drivers import ServiceError
from services.origin.certificate import pinned_key
from services.preparation import Settings, load_settings

PROGRAMS = {"chromium": "chromium", "chromedriver": "chromium-driver"}
ANSWER_S = 20
"""How long the browser may take for one answer before it counts as hanging."""

OPEN_S = 15
"""How long a page may take to be there, other than to stand."""

EMPTY = "data:,"
"""The address of a page without content."""

FLAGS = (
    "--disable-dev-shm-usage",
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
)
HEADLESS = ("--headless=new", "--disable-gpu", "--window-size=1280,800")
HEADED = ("--start-fullscreen",)
LIVE = ("--lang=en-US",)
"""The words that a catalogue file has clicked are English."""

DOWNLOADS = "downloads"
NOT_OF_A_PROFILE = ("Cache", "Code Cache", "GPUCache", "Service Worker", "Singleton*")
"""What a copy of a prepared profile leaves out: all that was fetched before, and who has it open."""


def _flags(service: dict[str, Any], directory: Path, settings: Settings) -> list[str]:
    """Chromium's switches for one service.

    For a self-hosted one it runs without a sandbox, because nothing but our own pages is in it.
    """
    common = [*FLAGS, *(HEADLESS if settings.headless else HEADED)]
    if "live" in service:
        return [*common, *LIVE]
    names = service["hosts"]
    only_names = ["MAP * ~NOTFOUND", "EXCLUDE localhost", *[f"EXCLUDE {name}" for name in names]]
    found = [
        *common,
        "--no-sandbox",
        f"--ignore-certificate-errors-spki-list={pinned_key(directory)}",
        f"--host-resolver-rules={','.join(only_names)}",
    ]
    if service["origin"]["protocol"] == "h3":
        found += ["--enable-quic", *[f"--origin-to-force-quic-on={name}:443" for name in names]]
    return found


@contextmanager
def chromium(
    service: dict[str, Any], directory: Path, more_flags: Sequence[str] = (), log: str = "chromedriver.log"
) -> Iterator[webdriver.Chrome]:
    """A new browser with an empty profile, or a copy of a prepared one; killed at the end.

    What a live service has it download it puts beside its profile, in DOWNLOADS. What it does wrongly, or not
    in time, becomes a ServiceError.
    """
    socket.setdefaulttimeout(ANSWER_S)  # what Selenium waits for an answer
    settings = load_settings()
    with (
        tempfile.TemporaryDirectory(prefix="chromium.", ignore_cleanup_errors=True) as name,
        (directory / log).open("wb") as words_of_driver,
    ):
        home = Path(name)
        user = _furnish(home, service, settings)
        options = Options()
        options.binary_location = str(shutil.which("chromium"))
        for flag in [
            *_flags(service, directory, settings),
            *more_flags,
            f"--user-data-dir={home / 'profile'}",
        ]:
            options.add_argument(flag)
        options.page_load_strategy = "none"  # waits are ours, and bounded
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": False, "enablePage": True})
        before = set(psutil.Process().children(recursive=True))
        try:
            browser = webdriver.Chrome(options, _chromedriver(words_of_driver, home, user))
            _wait_for_empty_page(browser)
            if "live" in service:
                place = {"behavior": "allow", "downloadPath": str(home / DOWNLOADS)}
                browser.execute_cdp_cmd("Browser.setDownloadBehavior", place)
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


def _furnish(home: Path, service: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Fill the home of a new browser; return how a process is started as the user whose it is."""
    if "live" not in service:
        return {}
    (home / DOWNLOADS).mkdir()
    prepared = settings.profile(service)
    if prepared:
        shutil.copytree(prepared, home / "profile", ignore=shutil.ignore_patterns(*NOT_OF_A_PROFILE))
    account = pwd.getpwnam(settings.user)
    for path in [home, *home.rglob("*")]:
        os.lchown(path, account.pw_uid, account.pw_gid)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _chromedriver(log: IO[bytes], home: Path, user: dict[str, Any]) -> Service:
    """The installed driver (Selenium would look for one on the Internet), with a home of its own."""
    return Service(
        str(shutil.which("chromedriver")),
        service_args=["--log-level=WARNING"],
        log_output=log,
        env=os.environ | {"HOME": str(home), "TMPDIR": str(home)},
        popen_kw=user,
    )


def open_page(browser: webdriver.Chrome, address: str, name: str) -> None:
    """Open a page; return once its first bytes are there.

    Raises:
        ServiceError: they do not come; it says `name`, because an address may be private.
    """
    browser.set_page_load_timeout(OPEN_S)
    try:
        browser.get(address)
    except TimeoutException:
        raise ServiceError(f"{name} did not answer within {OPEN_S} s") from None
    except WebDriverException as error:
        if "net::ERR_ABORTED" in str(error.msg):
            return  # it is no page: the browser downloads it
        raise ServiceError(f"{name} cannot be reached: {error.msg}") from error


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
