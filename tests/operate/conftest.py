"""Snapshots of three made-up cycles, and a real S3 server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.operate.context import Context
from tests.operate.host import add_cycle, host
from tests.operate.seaweed import Seaweed, running
from tests.site.generated_archive import write_snapshots


@pytest.fixture(scope="session")
def snapshots(tmp_path_factory) -> list[Path]:
    """The snapshots of three cycles of the campaign `demo`, 14 days apart."""
    return write_snapshots(tmp_path_factory.mktemp("three cycles"), 3)


@pytest.fixture(scope="session")
def first_host(snapshots, tmp_path_factory) -> Context:
    """A host with the first cycle, which is not published. Copy it."""
    context = host(tmp_path_factory.mktemp("first host"), "remote")
    add_cycle(context, snapshots[0])
    return context


@pytest.fixture(scope="module")
def seaweed(tmp_path_factory) -> Iterator[Seaweed]:
    """An S3 server with an empty bucket."""
    with running(tmp_path_factory.mktemp("seaweed")) as server:
        yield server
