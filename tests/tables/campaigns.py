"""Campaigns for tests: the one of the reference snapshot, with other services, settings or thresholds."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from scripts.base.files import ROOT
from scripts.base.records import Scalar, to_json
from scripts.model.campaign import Campaign, read_campaign
from scripts.model.expectations import Expectation
from scripts.model.rules import defaults
from scripts.model.services import Service, read_service
from scripts.model.settings import Setting, Sweep

REFERENCE = read_campaign(ROOT / "data/snapshots/reference/plan/config.json")
DEFAULTS = defaults()


def service(name: str, **changes: Any) -> Service:
    """A baseline, iPerf with BBR, under another name and with other fields."""
    return replace(REFERENCE.services["iperf-bbr"], name=name, **changes)


def catalogued(name: str) -> Service:
    """A service of the catalogue."""
    return read_service(ROOT / f"services/catalogue/{name}.yaml")


def swept(sweep: str, **values: tuple[Scalar, ...]) -> dict[str, Setting]:
    """The settings of a sweep over every combination of these values: <sweep>-1, <sweep>-2, …"""
    combinations = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    return {
        f"{sweep}-{number}": replace(REFERENCE.settings["8mbps"], sweep=Sweep(sweep, at))
        for number, at in enumerate(combinations, start=1)
    }


def campaign(
    *services: Service,
    precision_mbps: dict[str, float] | None = None,
    validity: dict[str, float] | None = None,
    expectations: tuple[Expectation, ...] = (),
) -> Campaign:
    """A campaign of these services.

    Args:
        services: its services.
        precision_mbps: its settings, each with its precision; none: those of the reference.
        validity: its thresholds; none: those of the reference.
        expectations: what it expects.
    """
    link = REFERENCE.settings["8mbps"]
    settings = {name: replace(link, precision_mbps=mbps) for name, mbps in (precision_mbps or {}).items()}
    return replace(
        REFERENCE,
        services={one.name: one for one in services},
        settings=settings or REFERENCE.settings,
        validity=REFERENCE.validity if validity is None else validity,
        expectations=expectations,
    )


def write_campaign(path: Path, merged: Campaign = REFERENCE) -> Path:
    """Write a campaign as its merged configuration; returns the path."""
    path.write_text(json.dumps(to_json(merged)))
    return path
