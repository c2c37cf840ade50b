"""What all tests share: their lanes, their end, the PATH, and a host without other work."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.environment import search_path
from tests.lanes import BY_FIXTURE, group_of, marker_of, require_collected
from tests.leftovers import Leftovers
from tests.own_host import keep_in_memory, own_host

CPU_PRESSURE = Path("/proc/pressure/cpu")
QUIET_FRACTION = 0.1
"""On a quiet host, tasks wait for a CPU at most this fraction of the time."""
QUIET_WITHIN_S = 120


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folders and fixtures."""
    for item in items:
        if marker := marker_of(item.path):
            item.add_marker(marker)
        for fixture in BY_FIXTURE.keys() & {*item.fixturenames}:
            item.add_marker(BY_FIXTURE[fixture])
        if not item.get_closest_marker("soak"):
            require_collected(item.path, [marker.name for marker in item.iter_markers()])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Send tests that share what is made once to one process, if there are several."""
    return Groups(config, log) if config.getvalue("dist") == "loadscope" else None


class Groups(LoadScopeScheduling):
    """Tests of a group run in one process, one after the other (tests/lanes.py)."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(self.config.rootpath / nodeid.partition("::")[0])


hypothesis.settings.register_profile("no deadline", deadline=None)
hypothesis.settings.load_profile("no deadline")  # Tests assert no speed.


class Interrupted:
    """Handles the signals that end a run, and is true once one came.

    Ctrl-C sends one to every process of a terminal, and each of these may send another to its children.
    Those that follow within SAME_S are ignored: they would end what clears up.
    """

    at: float | None = None

    def __call__(self, number: int, frame: object) -> None:
        before, self.at = self.at, time.monotonic()
        if before is None or self.at - before > SAME_S:
            raise KeyboardInterrupt

    def __bool__(self) -> bool:
        return self.at is not None


SIGNALS = (signal.SIGINT, signal.SIGTERM)
SAME_S = 10
INTERRUPTED = pytest.StashKey[Interrupted]()
LEFTOVERS = pytest.StashKey[Leftovers]()
ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--own-hosts`, for the lane of trials, and `--in-memory`, for those with many small files."""
    parser.addoption("--own-hosts", action="store_true", help="let each process run trials beside the others")
    parser.addoption("--in-memory", action="store_true", help="files of tests are in memory, and end with it")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let a run end by SIGTERM as by Ctrl-C, also in a shell that ignores both."""
    config.stash[INTERRUPTED] = interrupted = Interrupted()
    for number in SIGNALS:
        signal.signal(number, interrupted)
    if hasattr(config, "workerinput"):  # A process of pytest-xdist. It ends with the one that started it.
        if config.getoption("own_hosts"):
            own_host()
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        files = config._tmp_path_factory.getbasetemp()
        config.stash[LEFTOVERS] = leftovers = Leftovers(files)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if config.getoption("in_memory"):
        keep_in_memory([files, leftovers.temporary])


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Clear up what the run left, and its files if it was interrupted."""
    if (leftovers := session.config.stash.get(LEFTOVERS, None)) is not None:
        leftovers.end(keep=exitstatus in ENDED and not session.config.stash[INTERRUPTED])


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
