"""Chromium, controlled by Selenium: a new profile each time, and a limit for every wait.

For a self-hosted service it resolves only the service's own names.
"""

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import psutil
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service as ChromeDriver
from urllib3.exceptions import HTTPError

from scripts.model.problems import Code, problem
from scripts.model.services import Service
from services.browser_settings import PREPARED, ClientSettings, client_settings
from services.devtools import ANSWER_S
from services.drivers import ServiceError
from services.origin.certificate import pinned_key
from services.tab import SCRIPT_S

PROGRAMS = {"chromium": "chromium", "chromedriver": "chromium-driver"}
OPEN_S = 15
"""How long a page may take until its first bytes arrive, before it is opened again."""

REOPEN_S = 5
"""How long after an attempt a page is opened again that cannot be reached."""

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
    # WebRtcHideLocalIpsWithMdns would give the ends of a call multicast names instead of addresses.
    "--disable-features=Translate,OptimizationHints,MediaRouter,WebRtcHideLocalIpsWithMdns",
    "--mute-audio",
    "--autoplay-policy=no-user-gesture-required",
    "--password-store=basic",
)
HEADLESS = ("--headless=new", "--disable-gpu", "--window-size=1280,800")
HEADED = ("--start-fullscreen",)
LIVE = ("--lang=en-US",)
"""English, because the buttons that a catalogue file names are in English."""

DOWNLOADS = "downloads"
"""The folder for downloads within a driver's folder."""


def _flags(service: Service, directory: Path, settings: ClientSettings) -> list[str]:
    """Chromium's command-line flags for one service.

    The root of a machine or of a user namespace cannot have Chromium's sandbox. It opens our own pages only.
    """
    common = [*FLAGS, *(HEADLESS if settings.headless else HEADED)]
    if service.live:
        return [*common, *LIVE]
    names = service.hosts
    resolver_rules = ["MAP * ~NOTFOUND", "EXCLUDE localhost", *[f"EXCLUDE {name}" for name in names]]
    flags = [
        *common,
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
        f"--ignore-certificate-errors-spki-list={pinned_key(directory)}",
        f"--host-resolver-rules={','.join(resolver_rules)}",
    ]
    if service.origin and service.origin.protocol == "h3":
        flags += ["--enable-quic", *[f"--origin-to-force-quic-on={name}:443" for name in names]]
    return flags


@contextmanager
def chromium(
    service: Service, directory: Path, more_flags: Sequence[str] = (), log: str = "chromedriver.log"
) -> Iterator[webdriver.Chrome]:
    """A new browser with an empty profile or a copy of a prepared one, killed when the block ends.

    The downloads of a live service go into the folder DOWNLOADS of `directory`.

    Raises:
        ServiceError: the browser failed, or did not answer in time.
    """
    socket.setdefaulttimeout(ANSWER_S)  # Selenium's limit for an answer.
    settings = client_settings(directory)
    with (
        tempfile.TemporaryDirectory(prefix="chromium.", ignore_cleanup_errors=True) as name,
        (directory / log).open("wb") as log_file,
    ):
        home = Path(name)
        if (directory / PREPARED).is_dir():
            shutil.copytree(directory / PREPARED, home / "profile")
        options = Options()
        options.binary_location = str(shutil.which("chromium"))
        for flag in [
            *_flags(service, directory, settings),
            *more_flags,
            f"--user-data-dir={home / 'profile'}",
        ]:
            options.add_argument(flag)
        options.page_load_strategy = "none"  # We wait ourselves, with a limit.
        options.unhandled_prompt_behavior = "ignore"  # services/tab.py dismisses dialogs.
        before = set(psutil.Process().children(recursive=True))
        try:
            browser = webdriver.Chrome(options, _chromedriver(log_file, home))
            browser.set_script_timeout(SCRIPT_S)
            _wait_for_empty_page(browser)
            if service.live:
                (directory / DOWNLOADS).mkdir(exist_ok=True)
                downloads = {"behavior": "allow", "downloadPath": str(directory / DOWNLOADS)}
                browser.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
            yield browser
        except (WebDriverException, HTTPError, OSError) as error:
            raise ServiceError(problem(Code.BROWSER_FAILED)) from error
        finally:
            _kill(set(psutil.Process().children(recursive=True)) - before)


def _wait_for_empty_page(browser: webdriver.Chrome) -> None:
    """Return once a new browser shows an empty page: its own first navigation would abort commands."""
    deadline = time.monotonic() + ANSWER_S
    while time.monotonic() < deadline:
        with suppress(TimeoutException):
            if browser.execute_script("return location.href + document.readyState") == f"{EMPTY}complete":
                return
            browser.get(EMPTY)
        time.sleep(0.05)
    raise ServiceError(problem(Code.BROWSER_NOT_STARTED, ANSWER_S))


def _chromedriver(log: IO[bytes], home: Path) -> ChromeDriver:
    """The installed chromedriver. By default Selenium would download one."""
    return ChromeDriver(
        str(shutil.which("chromedriver")),
        service_args=["--log-level=WARNING"],
        log_output=log,
        env=os.environ | {"HOME": str(home), "TMPDIR": str(home)},
    )


def nanoseconds(origin_ms: float) -> int:
    """A page's `performance.timeOrigin` as ns since the Unix epoch. Its resolution is a microsecond."""
    return round(origin_ms * 1000) * 1000


def cpu_s() -> float:
    """Processor time of all running children of this process, s."""
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
