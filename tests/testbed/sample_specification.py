"""A short trial's specification in the 8 Mbps setting, and services as the catalogue has them."""

import json
from dataclasses import replace
from pathlib import Path

from scripts.base.files import ROOT
from scripts.base.records import to_json
from scripts.model.services import Service, read_service
from scripts.model.settings import Link
from scripts.model.specification import Specification, SpecifiedClient

LINK = Link(
    title="Highly constrained", rate_mbps=8, rtt_ms=50, queue_packets=128, queue_bdp=4, discipline="droptail"
)


def catalogue_service(name: str) -> Service:
    """One file of the catalogue, as a specification has it."""
    return replace(read_service(ROOT / f"services/catalogue/{name}.yaml"), workload=())


def sample_specification(*services: str, **changes) -> Specification:
    """A trial of 6 s of these services, with these fields changed."""
    clients = tuple(
        SpecifiedClient(
            client=f"c{number}", service=catalogue_service(name), instance=1, start_offset_s=number / 10
        )
        for number, name in enumerate(services, start=1)
    )
    specification = Specification(
        schema=1,
        campaign="demo",
        cycle="test",
        setting="8mbps",
        pair="~".join(services),
        trial=1,
        link=LINK,
        bottleneck="embedded",
        seed=1,
        duration_s=6,
        ignore_first_s=2,
        ignore_last_s=1,
        clients=clients,
    )
    return replace(specification, **changes)


def in_order_of_name(specification: Specification) -> Specification:
    """The same trial with the first service of its pair as c1, whoever was drawn."""
    ordered = sorted(specification.clients, key=lambda one: one.service.name)
    clients = tuple(replace(one, client=f"c{place}") for place, one in enumerate(ordered, start=1))
    return replace(specification, clients=clients)


def write_specification(specification: Specification, path: Path) -> Path:
    """Write it as the plan does."""
    path.write_text(json.dumps(to_json(specification)), encoding="utf-8")
    return path
