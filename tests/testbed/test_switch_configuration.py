"""The configuration of the switch for one run."""

from dataclasses import replace
from pathlib import Path

from scripts.model.settings import Access
from testbed.bottleneck import Port
from testbed.hosts import client_host, service_host
from testbed.switch_configuration import switch_configuration
from tests.testbed.sample_specification import LINK

PORT = Port(client_host(1), service_host(1), 10, 20)
CLIENT = {
    "name": "c1",
    "client_netns": "/run/netns/client-c1",
    "service_netns": "/run/netns/service-c1",
    "interface": "eth0",
    "delay_down_ns": 10,
    "delay_up_ns": 20,
}


def configuration(port=PORT, link=LINK, log_queue=False, random_loss=True):
    return switch_configuration(link, 7, [port], Path("/work"), log_queue, random_loss)


def test_it_has_the_link_the_seed_the_clients_and_the_files():
    link = {"rate_bps": 8_000_000, "overhead_bytes": 24, "discipline": "droptail", "queue_packets": 128}
    run = {"seed": 7, "report": "/work/switch.json", "clients": [CLIENT]}
    assert configuration() == link | run
    files = {"queue_log": "/work/queue.bin", "flows": "/work/flows.json"}
    assert configuration(log_queue=True) == link | run | files


def test_random_loss_can_be_left_out():
    lossy = replace(LINK, random_loss=0.01)
    assert configuration(link=lossy)["random_loss"] == 0.01
    assert "random_loss" not in configuration(link=lossy, random_loss=False)


def test_the_path_before_the_bottleneck_is_the_clients():
    access = {"delay_ns": 1_000_000, "loss": 0}
    (client,) = configuration(replace(PORT, access=Access(delay_ms=1)))["clients"]
    assert client == CLIENT | {"access": access}
