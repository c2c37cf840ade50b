"""A network namespace, and endpoints that run in it."""

import subprocess
from collections.abc import Iterator

import psutil
import pytest

from scripts.model.services import Schedule
from tests.end_to_end.running import wait_for
from tests.services.endpoint.making import make_endpoint
from tests.services.endpoint.running import Running

SYSCTLS = ("net.ipv6.conf.all.disable_ipv6=1", "net.ipv4.ip_unprivileged_port_start=0")
"""What the hosts of a trial have too."""


@pytest.fixture(scope="session")
def namespace() -> Iterator[list[str]]:
    """A command that runs another one in a network namespace with loopback only."""
    command = ["unshare", "--user", "--map-root-user", "--net", "cat"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as holder:
        enter = ["nsenter", f"--target={holder.pid}", "--user", "--preserve-credentials", "--net"]
        wait_for(lambda: psutil.Process(holder.pid).name() == "cat", "the namespace")
        subprocess.run([*enter, "ip", "link", "set", "lo", "up"], check=True)
        subprocess.run([*enter, "sysctl", "-qw", *SYSCTLS], check=True)
        yield enter


@pytest.fixture
def run(namespace, tmp_path):
    """Makes both sides of an endpoint with these keys; what runs is ended."""
    made: list[Running] = []

    def make(schedule: Schedule | None = None, **keys) -> Running:
        make_endpoint(tmp_path / "endpoint", **keys)
        made.append(Running(namespace, tmp_path, schedule))
        return made[0]

    yield make
    for each in made:
        each.end()
