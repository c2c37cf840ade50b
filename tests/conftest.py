"""What all tests share: their order, interrupts, the PATH, and a host without other work."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.environment import search_path

TRAFFIC_FOLDERS = {"bench", "end_to_end"}
"""Folders whose tests all have the marker `traffic`. Elsewhere, a test without that marker is a unit."""
CPU_PRESSURE = Path("/proc/pressure/cpu")
QUIET_FRACTION = 0.1
"""On a quiet host, tasks wait for a CPU at most this fraction of the time."""
QUIET_WITHIN_S = 120


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of TRAFFIC_FOLDERS, and run the units before all tests with traffic."""
    for item in items:
        if item.path.relative_to(Path(__file__).parent).parts[0] in TRAFFIC_FOLDERS:
            item.add_marker("traffic")
    items.sort(key=lambda item: item.get_closest_marker("traffic") is not None)


@pytest.fixture(scope="session", autouse=True)
def interrupts_are_heeded() -> None:
    """A shell that runs the tests in the background ignores interrupts, and so would their children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
