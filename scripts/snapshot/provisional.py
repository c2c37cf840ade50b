"""provisional.json: which cycle the provisional pages of a campaign show, and how far it is."""

import json
from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import write_text
from scripts.base.records import to_json

NAME = "provisional.json"


@dataclass(frozen=True)
class Provisional:
    """The content of provisional.json: how many of the trials planned so far are measured."""

    campaign: str
    cycle: str
    measured: int
    planned: int


def write_provisional(folder: Path, running: Provisional) -> None:
    """Write provisional.json into a folder."""
    write_text(folder / NAME, json.dumps(to_json(running), indent=1) + "\n")
