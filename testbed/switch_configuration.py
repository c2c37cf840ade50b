"""The configuration of the switch (testbed/embedded/config.h), which both backends use."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scripts.base.records import Json
from scripts.model.link import access_parameters, switch_parameters
from scripts.model.settings import Link
from testbed.bottleneck import Port
from testbed.hosts import INTERFACE

REPORT = "switch.json"


def switch_configuration(
    link: Link, seed: int, ports: Sequence[Port], folder: Path, log_queue: bool, random_loss: bool
) -> dict[str, Json]:
    """The configuration for one run of the switch, which writes its files to `folder`.

    Args:
        link: the bottleneck link.
        seed: the seed of the random loss, and the salt of the hashes of flows.
        ports: one for each client.
        folder: where the switch writes its report, its queue log and the flows of the log.
        log_queue: whether it writes the log and the flows.
        random_loss: False leaves out the link's random loss.
    """
    configuration = switch_parameters(link if random_loss else replace(link, random_loss=0)) | {
        "seed": seed,
        "report": str(folder / REPORT),
        "clients": [_client(port) for port in ports],
    }
    if log_queue:
        configuration |= {"queue_log": str(folder / "queue.bin"), "flows": str(folder / "flows.json")}
    return configuration


def _client(port: Port) -> dict[str, Json]:
    client: dict[str, Json] = {
        "name": port.client.name.removeprefix("client-"),
        "client_netns": str(port.client.netns),
        "service_netns": str(port.service.netns),
        "interface": INTERFACE,
        "delay_down_ns": port.delay_down_ns,
        "delay_up_ns": port.delay_up_ns,
    }
    return client if port.access is None else client | {"access": access_parameters(port.access)}
