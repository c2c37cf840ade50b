"""What a command gives to the worker, which reads the files of strangers (scripts/extract/worker.py)."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

FAULT = Path("fault")
"""The file in which the worker names the file that it could not read."""

MADE = Path("made")
"""The folder in which the worker puts what it made."""

PUBLISHED, PARQUET, ROWS = "published", "parquet", "rows"
"""The folders below MADE for what is made of a measured trial."""


@dataclass(frozen=True)
class ExtractionJob:
    """One job of the worker. Its paths are absolute.

    Attributes:
        task: `trial`: the tables of a trial; `captures`: the packets of captures; `publish_capture`: the
            published copy of a capture; `measured`: everything of a trial (measured_trial.py).
        sources: the trial directory, or the captures.
        output: for a file, its name.
        captures: for a trial, the folder of its captures, if it is another one.
        clients: for captures, the IP addresses of the client.
        public: for a trial with a live service, the key of the cycle's pseudonyms and the campaign's merged
            configuration (scripts/extract/public_form.py).
        reason: for a trial, why it is salvaged: then only trial.json is read, and the trial counts as failed.
        config: for everything of a trial, the campaign's merged configuration.
        parquet: for everything of a trial, the folder of its tables, if only its rows are made.
    """

    task: Literal["trial", "captures", "publish_capture", "measured"]
    sources: Sequence[str]
    output: str = ""
    captures: str | None = None
    clients: Sequence[str] = ()
    public: Sequence[str] = ()
    reason: str | None = None
    config: str | None = None
    parquet: str | None = None

    def json(self) -> str:
        """The argument of the worker."""
        return json.dumps(asdict(self))


def flows_file(output: Path) -> Path:
    """The path of the flows of captures that are extracted into `output`."""
    return output.with_name(f"{output.stem}.flows.parquet")


def add_public_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the public form of a trial (scripts/extract/public_form.py)."""
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help="for a trial with a live service: the key of the cycle's pseudonyms, made if it is missing",
    )
    parser.add_argument(
        "--config", type=Path, metavar="MERGED.json", help="for a trial with a live service: plan/config.json"
    )
