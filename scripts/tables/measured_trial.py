"""Make everything of a measured trial: its published form, the tables of its packets, and its rows.

    python -m scripts.tables.measured_trial TRIAL_DIR --published DIR --parquet DIR --rows DIR
                                            --config MERGED.json [--key FILE] [--code FILE] [--reduce]

One confined process cuts the captures to what is published, extracts the tables from that form alone, and
makes the rows of every table of level trial; of a calibration also its row of `calibration`. So the tables
are those of the files that readers can download. Tables that are newer than the trial and the file of --code
stay: then only the rows are made again. A trial that is in its published form already is linked
there; a link to one of a snapshot is not.

The rows of a trial that was measured before its cycle was resumed come from resumed/
(scripts/model/resumed.py).

If the files of the trial cannot be read, it counts as failed, with the reason, so that the cycle goes on.
Then its record alone is published.

With --reduce the published form takes the place of the trial, in one step, and no tables are kept: they can
be made again. What only the raw form had is gone, on purpose: payload, handshakes and, except those of a
failed trial, the logs of processes. The raw form stays if the trial could not be read, so that its files can
be examined, and on a file system that cannot exchange folders. A killed command leaves one of both forms.
"""

import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import wait_for_disk
from scripts.extract.confined import (
    NameFilter,
    WorkerError,
    fault_of_worker,
    folders_by_worker,
    require_ending,
    run_worker,
    workshop,
)
from scripts.extract.confined_trial import FILES, absolutes, inputs_of, public_inputs
from scripts.extract.jobs import PARQUET, PUBLISHED, ROWS, ExtractionJob
from scripts.extract.published_files import is_publishable, keep_once, link_published
from scripts.extract.reduced_trial import reduce_trial
from scripts.extract.salvage import is_salvaged, reason_of
from scripts.extract.trial_files import TRIAL_JSON, LinkError, outline_of, trial_files
from scripts.model.resumed import resumed_from
from scripts.model.trials import TrialKey

LAST_TABLE, LAST_ROWS = "clients.parquet", "trial_services.parquet"
"""The files that are put in their places last: if one is there, so are the others of its folder."""
WORKER = "scripts.tables.measured_worker"


def is_table(name: str) -> bool:
    """Whether a file of this name may be a table."""
    return re.fullmatch(r"[a-z_]+\.parquet", name) is not None


@dataclass(frozen=True)
class Products:
    """A trial, and the folders of all that is made from it.

    Attributes:
        trial: its directory.
        published, parquet, rows: the folders of its published form, of its tables, and of its rows.
        config: the campaign's merged configuration.
        key: the key of the cycle's pseudonyms; a trial with a live service needs it (public_form.py).
        keeps_tables: whether its tables are kept, or only its rows.
    """

    trial: Path
    published: Path
    parquet: Path
    rows: Path
    config: Path
    key: Path | None = None
    keeps_tables: bool = True

    def make(self, code: Path | None = None) -> str | None:
        """Make everything.

        Args:
            code: tables that are newer than this file and the trial are not extracted again; None: all are.

        Returns:
            Why the trial could not be read; None if it could.

        Raises:
            UserError: its record cannot be read, key or config is missing or wrong, or this machine cannot
                run the worker.
        """
        if (resumed := resumed_from(self.trial)) is not None:
            self._resume(resumed)
            return None
        try:
            status, fault = self._run(extracts=code is None or not self._is_extracted(code))
        except LinkError as error:
            if error.name == TRIAL_JSON:
                raise
            print(f"error: {error}", file=sys.stderr)
            status, fault = 2, error.name
        except WorkerError as error:
            print(f"error: {error}", file=sys.stderr)
            status, fault = 2, None
        if status == 0:
            reason = outline_of(self._form()).reason
            return reason if is_salvaged(reason) else None
        reason = reason_of(fault)
        status, _ = self._run(True, reason)
        require_ending(status, self.trial)
        if status != 0:
            raise UserError(f"{self.trial}: nothing can be made of it; the lines above say why")
        print(f"{self.trial}: {reason}; its tables are those of a failed trial", file=sys.stderr)
        return reason

    def _resume(self, resumed: Path) -> None:
        """Give a trial of before its published form, which is its record, and its rows."""
        # It loads Arrow, which no other trial needs here.
        from scripts.tables.resumed_rows import write_resumed_rows

        if not self.published.exists():
            link_published(trial_files(self.trial), self.published)
        write_resumed_rows(resumed, TrialKey.of(self.trial), self.rows)

    def _is_extracted(self, code: Path) -> bool:
        """Whether the published form and all tables exist and are newer than their inputs."""
        record = self.trial / TRIAL_JSON
        needed = [self._form() / TRIAL_JSON, *(self.parquet / name for name in FILES)]
        if not all(path.is_file() for path in needed):
            return False
        sources = [record, code, *public_inputs(self.trial, self.key, self.config)]
        made_ns = (self.parquet / LAST_TABLE).stat().st_mtime_ns
        return made_ns > max(path.stat().st_mtime_ns for path in sources)

    def _run(self, extracts: bool, reason: str | None = None) -> tuple[int, str | None]:
        """Let the worker do its work, and put what it made in its place.

        Args:
            extracts: whether it makes everything; otherwise the rows alone.
            reason: why it uses the record alone.

        Returns:
            The worker's exit status, and the name of the file that it cannot read.
        """
        public = public_inputs(self.trial, self.key, self.config)
        tables = [] if extracts else [self.parquet / name for name in FILES]
        job = ExtractionJob(
            "measured",
            absolutes([self.trial]),
            public=absolutes(public),
            reason=reason,
            config=str(self.config.absolute()),
            parquet=None if extracts else str(self.parquet.absolute()),
        )
        inputs = {*inputs_of(self.trial, None, reason), *public, *tables, self.config}
        with workshop(self.rows) as folder:
            status = run_worker(job, sorted(inputs), folder, WORKER)
            if status == 0:
                self._place(folder, extracts, extracts and (reason is not None or not self._is_published()))
            return status, fault_of_worker(folder)

    def _is_published(self) -> bool:
        """Whether the trial is in its published form already."""
        return outline_of(self.trial).published

    def _form(self) -> Path:
        """The folder with the published form."""
        return self.trial if self._is_published() else self.published

    def _place(self, folder: Path, extracts: bool, publishes: bool) -> None:
        """Put what the worker made in its place: the published form, the tables, the rows."""
        expected: dict[str, tuple[str, NameFilter]] = {ROWS: (LAST_ROWS, is_table)}
        if extracts:
            expected[PARQUET] = (LAST_TABLE, is_table)
        if publishes:
            expected[PUBLISHED] = (TRIAL_JSON, is_publishable)
        made = folders_by_worker(folder, expected)
        if publishes:
            keep_once(self.trial, made / PUBLISHED)
        elif not self.published.exists() and not self.trial.is_symlink():
            link_published(trial_files(self.trial), made / PUBLISHED)
        if (made / PUBLISHED).exists():
            self.published.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(self.published, ignore_errors=True)
            os.rename(made / PUBLISHED, self.published)
        if extracts and self.keeps_tables:
            _replace(made / PARQUET, self.parquet, LAST_TABLE)
        _replace(made / ROWS, self.rows, LAST_ROWS)


def _replace(made: Path, output: Path, last: str) -> None:
    """Move the files of one folder into another, the last one last. A power cut empties none of them."""
    output.mkdir(parents=True, exist_ok=True)
    wait_for_disk(*made.iterdir())
    for name in sorted(os.listdir(made), key=lambda name: name == last):
        os.replace(made / name, output / name)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.tables.measured_trial", __doc__)
    parser.add_argument("trial", type=Path, metavar="TRIAL_DIR", help="the directory of the trial")
    for name, content in (
        ("published", "its published form"),
        ("parquet", "the tables of its packets"),
        ("rows", "its rows of every table"),
    ):
        parser.add_argument(f"--{name}", type=Path, required=True, metavar="DIR", help=f"for {content}")
    parser.add_argument("--config", type=Path, required=True, metavar="MERGED.json", help="plan/config.json")
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help="the key of the cycle's pseudonyms, which a live service needs; made if it is missing",
    )
    parser.add_argument(
        "--code", type=Path, metavar="FILE", help="extract again only what is older than this file"
    )
    parser.add_argument(
        "--reduce",
        action="store_true",
        help="the published form replaces the trial, and no tables are kept",
    )
    arguments = parser.parse_args(argv)
    places = arguments.published, arguments.parquet, arguments.rows
    reason = Products(arguments.trial, *places, arguments.config, arguments.key, not arguments.reduce).make(
        arguments.code
    )
    if arguments.reduce:
        reason = reason or reduce_trial(arguments.trial, arguments.published)
        print(
            f"{arguments.trial}: " + (f"keeps its raw form: {reason}" if reason else "in its published form")
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
