"""Tests of the BESS backend: against a double, and against a real bessd if OBSERVATORY_BESS names one."""

import os

import pytest

from testbed.bess import daemon
from testbed.bess.client import BessClient
from testbed.bess.daemon_settings import load_settings
from tests.testbed.bess.double import Double


@pytest.fixture
def double(tmp_path, monkeypatch):
    """A double. Interfaces of a real daemon are not deleted, because a trial may run on this host."""
    monkeypatch.setattr(daemon, "delete_interfaces", lambda: None)
    with Double(tmp_path / "bessd.sock") as running:
        yield running


@pytest.fixture
def client(double):
    with BessClient(double.address) as connected:
        yield connected


@pytest.fixture
def real_daemon():
    """The settings of a bessd that runs on this machine."""
    if not os.environ.get("OBSERVATORY_BESS"):
        pytest.skip("OBSERVATORY_BESS names no bessd (such as unix:/run/bessd.sock)")
    return load_settings()
