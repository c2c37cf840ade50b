"""The command `reproduce`: rebuild a snapshot or a part of it, from its folder or its address."""

import argparse
from pathlib import Path
from typing import get_args

from scripts.snapshot.asked import Asked, Start
from scripts.snapshot.verify_command import add_policy, policy_of


def add_options(command: argparse.ArgumentParser) -> None:
    """What to rebuild, from what, and where to work."""
    command.add_argument("snapshot", metavar="DIR|URL", help="its folder, or its address (https://…)")
    part = command.add_mutually_exclusive_group()
    part.add_argument(
        "--only",
        metavar="CELL",
        help="pairs/<setting>/<a~b>, solos/<setting>/<a> or trials/<setting>/<pair>/<nn>",
    )
    part.add_argument("--table", metavar="NAME", help="a table, such as pairs")
    part.add_argument("--chart", metavar="NAME", help="a chart, such as share-8mbps")
    command.add_argument(
        "--from",
        dest="start",
        choices=get_args(Start),
        default="captures",
        help="captures: the published packets and logs (default); parquet: what an earlier run with the "
        "same --work extracted from them; rows: the published rows of each trial",
    )
    command.add_argument("--work", type=Path, metavar="DIR", help="keep what is fetched and extracted here")
    command.add_argument(
        "--captures", metavar="DIR|URL", help="where the trials are, if not beside the snapshot"
    )
    add_policy(command)


def run(given: argparse.Namespace) -> str:
    """Rebuild and compare; other bytes with the same values have an exit status of their own."""
    # Imported here because they import what draws charts, which takes seconds.
    from scripts.snapshot.comparing import SAME_VALUES
    from scripts.snapshot.reproduce import reproduce

    asked = Asked(given.only, given.table, given.chart, given.start)
    told, same = reproduce(given.snapshot, asked, policy_of(given), given.work, given.captures)
    given.status = 0 if same else SAME_VALUES
    return told
