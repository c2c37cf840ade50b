"""Random inputs for everything that reads what strangers send: C++, Python, and the scripts of the pages."""

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

import pytest

from scripts.base.built_programs import built_program
from scripts.base.errors import UserError
from tests.extract.reading import read
from tests.fuzz import pages, readers
from tests.fuzz.__main__ import FUZZERS, RUNS, build, run
from tests.fuzz.mutator import mutated
from tests.fuzz.readers import CORPUS, READERS, Reader, TooSlow, check
from tests.services.local_site import local_browser
from tests.site.root.sample_tables_site import write_tables_site
from tests.site.served import serving

NAMES = [reader.name for reader in READERS]


@pytest.mark.parametrize("path", sorted((CORPUS / "capture").iterdir()), ids=lambda path: path.name)
def test_the_reader_reads_every_capture_that_the_fuzzer_begins_with(path):
    _, rows = read(path)
    assert bool(rows) == (path.name != "blocks.pcapng"), "that one has no packet"


@pytest.mark.parametrize("reader", READERS, ids=NAMES)
def test_valid_inputs_are_read(reader):
    for content in reader.corpus:
        reader.read(content)


@pytest.mark.parametrize("reader", READERS, ids=NAMES)
def test_any_bytes_give_a_result_or_an_error_for_users(reader):
    assert 0 < check(reader, 200, 1)


@pytest.mark.soak(minutes=18)
@pytest.mark.parametrize("reader", READERS, ids=NAMES)
def test_a_hundred_thousand_inputs_give_a_result_or_an_error_for_users(reader):
    assert 0 < check(reader, 100_000, 2)


def refuses(content):
    raise UserError("wrong")


def falls(content):
    raise ValueError("wrong")


def stands_still(content):
    time.sleep(60)


def grows(content):
    return bytes(4_000_000_000)


@pytest.mark.parametrize(
    ("faulty", "found"), [(falls, ValueError), (stands_still, TooSlow), (grows, MemoryError)]
)
def test_a_reader_with_a_fault_is_found_and_its_input_kept(faulty, found, tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "FAILED", tmp_path)
    monkeypatch.setattr(readers, "MOST_S", 0.2)
    assert 10 == check(Reader("refuses", refuses, (b"a",)), 10, 1)
    with pytest.raises(found):
        check(Reader("faulty", faulty, (b"a",)), 10, 1)
    assert 1 == len([*tmp_path.glob("failed-faulty-*")])


@pytest.mark.soak(minutes=21)
@pytest.mark.skipif(shutil.which("clang++") is None, reason="needs clang++")
@pytest.mark.parametrize("fuzzer", FUZZERS)
def test_ten_million_inputs_break_no_reader_in_cpp(fuzzer, tmp_path):
    build()
    done = run(fuzzer, RUNS, 1, tmp_path / fuzzer, quiet=True)
    assert done.returncode == 0, done.stderr
    assert f"Done {RUNS} runs" in done.stderr
    # The fuzzer found inputs that reach code the corpus does not.
    assert any((tmp_path / fuzzer).iterdir())


@pytest.fixture
def flows_server(tmp_path) -> Iterator[tuple[str, int]]:
    """The address of a running server of flows."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    command = [
        built_program("observatory-flows"),
        "serve",
        address[0],
        str(address[1]),
        str(tmp_path / "log"),
    ]
    with subprocess.Popen(command) as server:
        for _ in range(100):
            with suppress(ConnectionRefusedError), socket.create_connection(address):
                break
            time.sleep(0.05)
        yield address
        server.kill()


@pytest.mark.processes
def test_the_server_of_flows_serves_its_next_client_whatever_the_ones_before_sent(flows_server):
    corpus = [path.read_bytes() for path in sorted((CORPUS / "request").iterdir())]
    random = Random(1)
    for _ in range(300):
        with socket.create_connection(flows_server) as client, suppress(OSError):
            client.sendall(mutated(random, corpus))
            client.shutdown(random.choice((socket.SHUT_WR, socket.SHUT_RDWR)))
    with socket.create_connection(flows_server, timeout=10) as client:
        client.sendall(bytes.fromhex("69666f31 00000007 0000000000000064 0000000000000000"))
        received = b"".join(iter(lambda: client.recv(1000), b""))
    assert bytes(100) == received


@pytest.fixture(scope="module")
def pages_with(tmp_path_factory) -> Iterator[Callable[[int, int], set[str]]]:
    """Opens so many pages with changed files in a browser, by a seed; gives what they said."""
    if shutil.which("chromium") is None:
        pytest.skip("needs Chromium")
    root = write_tables_site(
        tmp_path_factory.mktemp("tables") / "public", tmp_path_factory.mktemp("snapshots")
    )
    with serving(root) as served, local_browser(tmp_path_factory.mktemp("browser")) as browser:
        yield lambda runs, seed: pages.check(browser, served, root, runs, seed)


@pytest.mark.processes
def test_a_page_says_what_it_cannot_read(pages_with):
    assert "The page cannot work" in pages_with(30, 1)


@pytest.mark.processes
@pytest.mark.soak(minutes=10)
def test_a_thousand_pages_say_what_they_cannot_read(pages_with):
    assert {"The page cannot work", "The rows could not be shown"} <= pages_with(1000, 2)
