"""Waiting for a program that listens, without a network."""

from types import SimpleNamespace

import pytest

from testbed.tcp_probes import wait_until_listening


def silent():
    """A host on which nothing listens."""
    return SimpleNamespace(output=lambda *_: "")


def test_a_program_that_ended_is_told_as_such():
    with pytest.raises(
        TimeoutError, match=r"^the program ended with status 2 before it listened at TCP port 5201$"
    ):
        wait_until_listening(silent(), 5201, 20, lambda: 2)


def test_a_program_that_still_runs_is_waited_for_until_the_time_is_over():
    with pytest.raises(TimeoutError, match=r"^nothing listens at TCP port 5201 after 0 s$"):
        wait_until_listening(silent(), 5201, 0, lambda: None)
