"""The services that are set aside for a cycle: no more of their trials are planned.

plan/set_aside.json names those that did not answer alone before the cycle (scripts/operate/canary.py), each
with the reason. It is written before the first round. A service whose last three trials alone in a setting
failed is set aside there, too, from the next round on. A failure at random sets a service aside rarely: if
5 % of all trials fail, with a probability of 0.05³, about 1 in 8,000 for each service and setting.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from scripts.base.files import read_json, write_text
from scripts.base.records import from_json
from scripts.plan.trial_services import TrialService

FILE = "set_aside.json"
IN_A_ROW = 3
"""So many failures in a row set a service aside."""


def fails_alone(rows: Iterable[TrialService]) -> bool:
    """Whether the last three trials of a service alone did not complete; it has no more than one row each."""
    last = sorted(rows, key=lambda row: row.trial)[-IN_A_ROW:]
    return len(last) == IN_A_ROW and all(row.throughput_mbps is None for row in last)


def read_set_aside(plan: Path) -> dict[str, str]:
    """The services in the file of a folder plan/, each with the reason; without the file, none.

    Raises:
        UserError: the file is wrong.
    """
    path = plan / FILE
    return from_json(dict[str, str], read_json(path), str(path)) if path.is_file() else {}


def write_set_aside(plan: Path, services: Mapping[str, str]) -> None:
    """Write the file of a folder plan/."""
    text = json.dumps(services, indent=1, ensure_ascii=False, sort_keys=True)
    write_text(plan / FILE, text + "\n")
