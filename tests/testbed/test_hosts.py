"""The addresses of a trial's hosts."""

import subprocess

import pytest

from scripts.base.errors import UserError
from testbed import hosts
from testbed.hosts import client_host, make_hosts, service_host


def test_a_service_without_names_has_one_address():
    assert service_host(3).addresses == ["198.18.3.10"]
    assert client_host(3).addresses == ["198.18.3.2"]


def test_every_name_has_its_own_address_and_the_first_is_the_hosts():
    host = service_host(1, ["page.test", "image.test", "video.test"])
    assert host.addresses == ["198.18.1.10", "198.18.1.11", "198.18.1.12"]
    assert host.address == host.addresses[0]


def test_a_congestion_control_that_the_kernel_lacks_is_an_error(monkeypatch):
    def run(command: list[str], input: str = "", **_: object) -> None:
        if "congctl bbr" in input:
            raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(hosts.subprocess, "run", run)
    with pytest.raises(UserError, match="bbr: this machine's kernel has no such congestion control"):
        make_hosts([(client_host(1), service_host(1, cca="bbr"))], lambda host: None)
    make_hosts([(client_host(1), service_host(1))], lambda host: None)
