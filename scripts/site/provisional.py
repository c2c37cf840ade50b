"""provisional.json: which cycle the provisional pages of a campaign show, and how far it is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import write_text
from scripts.base.records import read_record, to_json
from scripts.site.addresses import provisional

NAME = "provisional.json"


@dataclass(frozen=True)
class Provisional:
    """The content of provisional.json: how many of the trials planned so far are measured."""

    campaign: str
    cycle: str
    measured: int
    planned: int


def read_provisional(site: Path) -> Sequence[Provisional]:
    """The unfinished cycles of a site, sorted by campaign."""
    return [read_record(Provisional, path) for path in sorted(site.glob(f"{provisional('*')}{NAME}"))]


def write_provisional(folder: Path, running: Provisional) -> None:
    """Write provisional.json into a folder."""
    write_text(folder / NAME, json.dumps(to_json(running), indent=1) + "\n")
