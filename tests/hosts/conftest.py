"""One Slurm for all tests of a file."""

from collections.abc import Iterator

import pytest

from tests.hosts.cluster import Cluster, is_possible, running
from tests.hosts.fake_slurm import FakeCluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A real Slurm, whose nodes are idle."""
    if not is_possible():
        pytest.skip("needs Slurm, and root to start it")
    with running(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def fake_cluster(tmp_path_factory: pytest.TempPathFactory) -> FakeCluster:
    """The stand-in for Slurm."""
    return FakeCluster(tmp_path_factory.mktemp("slurm"))
