"""A trial whose daemon fails, and how its processes reach the daemon."""

import os

import pytest

from testbed.backends import make_bottleneck
from testbed.bess import backend
from testbed.bess.backend import BessBottleneck
from testbed.bottleneck import BottleneckError, MachineFolders
from tests.testbed.bess.double import refusal
from tests.testbed.sample_specification import LINK


@pytest.fixture
def bottleneck(double, tmp_path, monkeypatch):
    monkeypatch.setenv("OBSERVATORY_BESS", double.address)
    made = make_bottleneck("bess", LINK, 1, tmp_path, MachineFolders(tmp_path, 0))
    assert isinstance(made, BessBottleneck)
    return made


def test_a_daemon_that_dies_makes_the_trial_fail(bottleneck, double):
    double.stop()
    with pytest.raises(BottleneckError, match="bessd did not answer ModuleCommand"):
        bottleneck.check()


def test_a_log_that_cannot_be_written_makes_the_trial_fail(bottleneck, double):
    double.answers["ModuleCommand"] = refusal(5, "cannot write the queue log")
    with pytest.raises(BottleneckError, match="cannot write the queue log"):
        bottleneck.check()


def test_a_trial_avoids_the_processors_that_the_daemon_polls(monkeypatch):
    chosen = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2})
    monkeypatch.setattr(os, "sched_setaffinity", lambda process, processors: chosen.append(processors))
    backend.avoid_processors([1])
    backend.avoid_processors([0, 1, 2])
    assert chosen == [{0, 2}]


def test_a_socket_in_run_is_reached_although_the_trial_covers_run(tmp_path):
    folders = MachineFolders(tmp_path, 7)
    assert backend._address_in_trial("unix:/run/bess/d.sock", folders) == "unix:/proc/self/fd/7/bess/d.sock"
    assert backend._address_in_trial("unix:/srv/d.sock", folders) == "unix:/srv/d.sock"
    assert backend._address_in_trial("127.0.0.1:10514", folders) == "127.0.0.1:10514"
