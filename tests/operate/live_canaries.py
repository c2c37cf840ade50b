"""Canaries of live services on the tests' Internet (tests/testbed/internet.py).

    python -m tests.operate.live_canaries FOLDER

prints the services that were set aside, as JSON. It needs namespaces of its own.
"""

import json
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

from scripts.operate import canary
from scripts.operate.context import Context
from scripts.operate.settings import Health, read_settings
from tests.testbed.internet import machine
from tests.testbed.live_services import FILE, PAGE, live_campaign

CYCLE = "2026-12-07"
GONE = FILE | {"name": "live-gone", "live": {"url": "http://files.example/gone", "prepare": "Nothing."}}
DEAF = FILE | {"name": "live-deaf", "probe": {"host": "files.example", "port": 81}}


def main(folder: Path) -> None:
    """Run the canaries of four live services with data in `folder`."""
    canary.campaign_of = lambda _: live_campaign(FILE, PAGE, GONE, DEAF, duration_s=600)
    health = Health(disk_reserve_gb=1, load_fraction=1, clock="warning", canary_s=8)
    context = Context(replace(read_settings(), health=health), folder / "data", folder / "public")
    with machine(), redirect_stdout(sys.stderr):
        aside = canary.canaries(context, CYCLE)
    print(json.dumps({"aside": aside, "folder": str(context.cycle(CYCLE))}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
