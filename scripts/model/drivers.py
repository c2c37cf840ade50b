"""What is special about each driver, from services/drivers/<driver>.yaml.

The file stands beside the driver's module. It says what must hold for a service with the driver, and which
keys only such a service has, and what the driver observes.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import jsonschema_rs

from scripts.base.files import ROOT
from scripts.base.records import Json, from_json
from scripts.base.yaml_files import load_yaml
from scripts.model import problems
from scripts.model.schemas import check

FOLDER = ROOT / "services/drivers"


@dataclass(frozen=True)
class DriverFile:
    """The file of a driver. All values of mappings are JSON Schemas.

    Attributes:
        live: whether the service may be one on the Internet.
        own_congestion_control: whether the workload is not carried by TCP.
        keys: the keys of a self-hosted service that only the driver reads. `true`: a field of the record
            Service, which scripts/ reads too.
        service: a service with this driver.
        hosted: a self-hosted one, in addition.
        others: keys of services with other drivers, with `because`.
        observes: what only this driver observes. services/drivers/__init__.yaml has the rest.
    """

    live: bool = False
    own_congestion_control: bool = False
    keys: dict[str, Any] = field(default_factory=dict)
    service: dict[str, Any] = field(default_factory=dict)
    hosted: dict[str, Any] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)
    observes: dict[str, Any] = field(default_factory=dict)


@cache
def drivers() -> dict[str, DriverFile]:
    """The file of every driver that has one, by the driver."""
    files = sorted(FOLDER.glob("[!_]*.yaml"))
    return {path.stem: from_json(DriverFile, load_yaml(path), str(path)) for path in files}


def own_keys() -> dict[str, Json]:
    """The JSON Schemas of the drivers' own keys that are no fields of the record Service."""
    keys = {key: schema for driver in drivers().values() for key, schema in driver.keys.items()}
    return {key: schema for key, schema in keys.items() if schema is not True}


@cache
def observation_schema() -> dict[str, Any]:
    """The JSON Schema of a driver's observation: one client's part of qoe.json."""
    common = load_yaml(FOLDER / "__init__.yaml")
    properties = dict(common["properties"])
    properties["unmet"] |= problems.schema()
    for driver in drivers().values():
        properties |= driver.observes
    return {"type": "object", "additionalProperties": False, **common, "properties": properties}


def check_observation(content: object, origin: str) -> None:
    """Check what a driver observed. The schema allows no free text, which a page could have written.

    Raises:
        UserError: the most relevant violation, in one line that begins with `origin`.
    """
    if not _observations().is_valid(content):
        check(content, observation_schema, lambda _keys: origin)


@cache
def _observations() -> jsonschema_rs.Validator:
    """A quick judge: every trial is checked, and the one that can explain an error takes 0.07 s to load."""
    return jsonschema_rs.validator_for(observation_schema())


def service_rules() -> list[Json]:
    """What must hold for a service, by its driver: parts of the JSON Schema of a service."""
    live = {name: driver for name, driver in drivers().items() if driver.live}
    hosted_keys: dict[str, Json] = {key: {"not": {}} for driver in live.values() for key in driver.keys}
    rules: list[Json] = [
        {
            "if": {"required": ["live"]},
            "then": {"properties": {"driver": {"enum": list(live)}, **hosted_keys}},
        },
        {"if": _by_tcp(), "then": {"properties": {"cca": {"not": {"const": None}, "because": _NO_CCA}}}},
    ]
    for name, driver in drivers().items():
        uses: Json = {"properties": {"driver": {"const": name}}}
        rules.append({"if": uses, "then": driver.service, "else": {"properties": driver.others}})
        rules.append({"if": {"allOf": [uses, {"not": {"required": ["live"]}}]}, "then": driver.hosted})
    return rules


_NO_CCA = "our server has no congestion control of its own; choose bbr, cubic or reno"


def _by_tcp() -> Json:
    """Holds for a service whose workload our own server sends by TCP."""
    others: Json = [name for name, driver in drivers().items() if driver.own_congestion_control]
    by_tcp: Json = {"required": ["protocol"], "properties": {"protocol": {"enum": ["h1", "h2"]}}}
    return {
        "required": ["origin"],
        "properties": {"origin": by_tcp, "driver": {"not": {"enum": others}}},
    }
