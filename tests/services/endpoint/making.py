"""Endpoints for tests: the tiny one, and others that differ in some keys."""

import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from scripts.model.endpoint import FILE
from scripts.model.services import Probe, Service

TINY = Path(__file__).with_name("tiny")
KEYS: dict[str, Any] = {
    "server": [sys.executable, "server.py", "{address}", "{port}"],
    "client": [sys.executable, "client.py", "{address}", "{port}", "{seconds}"],
    "versions": [sys.executable, "versions.py"],
    "controllers": ["kernel"],
}


def make_endpoint(folder: Path, **keys: Any) -> Path:
    """The tiny endpoint in a new folder, with these keys of endpoint.yaml changed; None removes one."""
    shutil.copytree(TINY, folder, ignore=shutil.ignore_patterns("__pycache__"))
    written = {key: value for key, value in {**KEYS, **keys}.items() if value is not None}
    (folder / FILE).write_text(yaml.safe_dump(written), encoding="utf-8")
    return folder


def python(program: str) -> list[str]:
    """A command that runs a program in Python, given as text."""
    return [sys.executable, "-c", program]


def endpoint_service(folder: Path, name: str = "tiny", **fields: Any) -> Service:
    """A service with an endpoint."""
    known = {"cca": "kernel", "probe": Probe(5901), "endpoint": str(folder)}
    return Service(name, name.title(), "Baseline", "endpoint", **{**known, **fields})
