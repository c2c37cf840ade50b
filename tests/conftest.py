"""What all tests share: their lanes, their end, the PATH, and a host without other work."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.base.processes import end_with_make
from tests.environment import search_path
from tests.lanes import BY_FIXTURE, MARKED
from tests.leftovers import Leftovers

SHARED = {
    ("site", ("cycle", "site", "panel", "flows", "fmp", "published", "reader")): "pages",
    ("simulated", ("sound",)): "a sound cycle",
    ("simulated", ("stopped", "whole", "reduced")): "a cycle with faults",
    ("testbed", ("build_error", "switch_build")): "the switch's tests",
}
"""Folders of tests, and fixtures that are made once for several files there: the group of these files."""
CPU_PRESSURE = Path("/proc/pressure/cpu")
QUIET_FRACTION = 0.1
"""On a quiet host, tasks wait for a CPU at most this fraction of the time."""
QUIET_WITHIN_S = 120


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folders, and keep tests that share what is made once in one process."""
    for item in items:
        if _folder(item) in MARKED:
            item.add_marker(MARKED[_folder(item)])
        for fixture in BY_FIXTURE.keys() & {*item.fixturenames}:
            item.add_marker(BY_FIXTURE[fixture])
    groups = {item.path: group for item in items if (group := _group(item))}
    for item in items:
        item.add_marker(pytest.mark.xdist_group(groups.get(item.path, str(item.path))))


def _group(item: pytest.Item) -> str | None:
    """The group of a test. A file may have a fixture of its own under a shared name."""
    definitions = getattr(item, "_fixtureinfo").name2fixturedefs.items()
    asked = {name for name, found in definitions if found[-1].func.__module__.endswith("conftest")}
    for (folder, fixtures), group in SHARED.items():
        if _folder(item) == folder and not asked.isdisjoint(fixtures):
            return group
    return None


def _folder(item: pytest.Item) -> str:
    return item.path.relative_to(Path(__file__).parent).parts[0]


LEFTOVERS = pytest.StashKey[Leftovers]()
ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let every run end as by Ctrl-C, also by SIGTERM, with its `make`, and in a shell that ignores interrupts."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    if hasattr(config, "workerinput"):
        return  # A process of pytest-xdist. It ends with the one that started it.
    end_with_make(signal.SIGTERM)
    config.stash[LEFTOVERS] = Leftovers(config._tmp_path_factory.getbasetemp())


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Clear up what the run left, and its files if it was interrupted."""
    if (leftovers := session.config.stash.get(LEFTOVERS, None)) is not None:
        leftovers.end(keep=exitstatus in ENDED)


@pytest.fixture(scope="session", autouse=True)
def environment_first_on_path() -> Iterator[None]:
    """Let the commands that tests start find this environment's `python`, as the Makefile does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", search_path())
        yield


def stalled_us() -> int:
    """Microseconds since boot in which a task waited for a CPU (Linux, Documentation/accounting/psi.rst)."""
    return int(CPU_PRESSURE.read_text().split("total=", 1)[1].split()[0])


@pytest.fixture(scope="module")
def quiet_host() -> None:
    """Wait until no other work disturbs this host; skip the test where that takes too long."""
    if not CPU_PRESSURE.exists():
        return
    deadline = time.monotonic() + QUIET_WITHIN_S
    while time.monotonic() < deadline:
        before = stalled_us()
        time.sleep(1)
        if (stalled_us() - before) / 1e6 <= QUIET_FRACTION:
            return
    pytest.skip(f"needs a quiet host: tasks still waited for a CPU after {QUIET_WITHIN_S} s")
