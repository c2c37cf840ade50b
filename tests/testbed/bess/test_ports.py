"""The commands that connect a host to the daemon."""

import subprocess

import pytest

from scripts.base.errors import UserError
from testbed.bess import ports
from testbed.bess.daemon_settings import Cable, DaemonSettings
from testbed.bess.ports import HostPorts, daemon_interface, interface_of
from testbed.hosts import client_host, service_host


@pytest.fixture
def commands(monkeypatch):
    """The commands that would have run."""
    ran = []
    monkeypatch.setattr(subprocess, "run", lambda command, **options: ran.append(" ".join(command)))
    return ran


def host_ports(client, kind, tmp_path):
    return HostPorts(client, DaemonSettings("unix:/none", tmp_path / "observatory.so", kind, None))


def vdev(double):
    method, request = double.calls[-1]
    assert method == "CreatePort"
    return request


def test_names_of_interfaces_are_short_enough_for_the_kernel():
    assert daemon_interface(client_host(1)) == "ifo-c-c1"
    assert len(daemon_interface(service_host(254))) <= 15


def test_a_veth_pair_reaches_from_the_host_to_af_packet_without_offloads(client, double, commands, tmp_path):
    host_ports(client, "veth", tmp_path).connect(client_host(1))
    assert commands[0] == "ip link add ifo-c-c1 type veth peer name eth0 netns client-c1"
    assert "ip link set ifo-c-c1 up" in commands
    assert commands[-1] == "ip netns exec client-c1 ethtool -K eth0 tx off tso off gso off gro off"
    assert b"net_af_packet_ifo-c-c1,iface=ifo-c-c1," in vdev(double)


def test_a_tap_is_made_by_the_daemon_and_moved_to_the_host(client, double, commands, tmp_path):
    host_ports(client, "tap", tmp_path).connect(service_host(2))
    assert commands == ["ip link set ifo-s-c2 netns service-c2 name eth0"]
    assert b"net_tap_ifo-s-c2,iface=ifo-s-c2" in vdev(double)


def test_cables_are_used_in_their_order(client, double, commands, tmp_path, monkeypatch):
    monkeypatch.setattr(ports, "interface_of", lambda pci: f"card-at-{pci}")
    connected = host_ports(client, (Cable("a", "0000:06:00.0"),), tmp_path)
    connected.connect(client_host(1))
    assert commands[0] == "ip link set card-at-a netns client-c1 name eth0"
    assert b"0000:06:00.0" in vdev(double)
    with pytest.raises(UserError, match="lists no cable for service-c1"):
        connected.connect(service_host(1))


def test_a_card_is_found_by_its_pci_address(tmp_path):
    (tmp_path / "0000:05:00.0/net/enp5s0").mkdir(parents=True)
    assert interface_of("0000:05:00.0", tmp_path) == "enp5s0"
    with pytest.raises(UserError, match=r"0000:07:00\.0 is not a network card of the kernel"):
        interface_of("0000:07:00.0", tmp_path)


def test_interfaces_of_an_earlier_trial_are_deleted(commands, tmp_path):
    for name in ("eth0", "ifo-c-c1", "ifo-s-c1"):
        (tmp_path / name).mkdir()
    ports.delete_interfaces(tmp_path)
    assert commands == ["ip link delete ifo-c-c1", "ip link delete ifo-s-c1"]
