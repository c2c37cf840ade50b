"""The addresses of a trial's hosts."""

from testbed.hosts import client_host, service_host


def test_a_service_without_names_has_one_address():
    assert service_host(3).addresses == ["198.18.3.10"]
    assert client_host(3).addresses == ["198.18.3.2"]


def test_every_name_has_its_own_address_and_the_first_is_the_hosts():
    host = service_host(1, ["page.test", "image.test", "video.test"])
    assert host.addresses == ["198.18.1.10", "198.18.1.11", "198.18.1.12"]
    assert host.address == host.addresses[0]
