"""One Slurm for all tests of a file."""

from collections.abc import Iterator

import pytest

from tests.hosts.cluster import Cluster, running


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A real Slurm, whose nodes are idle."""
    with running(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster
