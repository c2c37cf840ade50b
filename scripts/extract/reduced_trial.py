"""Replace a trial by its published form, once that is seen to give the same tables.

    python -m scripts.extract.reduced_trial TRIAL_DIR --published DIRECTORY --tables PARQUET_DIR -o STAMP

extracts the published form again and compares its tables with those of the trial. If they are the same, the
two folders are exchanged in one step: then the trial holds hard links to the published files. What only the
raw form had is gone, on purpose: payload, handshakes and, except those of a failed trial, the logs of
processes. Extraction and publication work from the published form as from the raw one.

The raw form stays if the tables differ, if the trial was salvaged, so that its files can be examined, and on
a file system that cannot exchange folders. Then STAMP holds the reason, which the command prints; otherwise
STAMP is empty. Both end with exit status 0, and remove the large tables from PARQUET_DIR: they can be made
again.

A killed command leaves the one form or the other, and the next one removes the rest.
"""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.exchange import exchange as exchange_folders
from scripts.base.files import link, write_text
from scripts.base.locks import locked
from scripts.extract.confined_publication import link_published
from scripts.extract.confined_trial import extract_trial
from scripts.extract.salvage import is_salvaged
from scripts.extract.same_tables import same_table
from scripts.extract.trial_files import LARGE_TABLES, TABLES, TRIAL_JSON, trial_files
from scripts.extract.trial_json import read_trial

LOGS = "logs"

Exchange = Callable[[Path, Path], bool]


def reduce_trial(
    trial: Path, published: Path, tables: Path, exchange: Exchange = exchange_folders
) -> str | None:
    """Replace a trial by its published form, unless that was done before.

    Args:
        trial: the trial directory.
        published: its published form, on the same file system.
        tables: the Parquet files of the trial.
        exchange: exchanges two folders in one step, or returns False.

    Returns:
        Why the raw form stays; None if the trial is in its published form.

    Raises:
        UserError: the published form is missing or damaged.
    """
    work = trial.with_name(f".{trial.name}.reduced")
    with locked(trial.parent):  # a killed Snakemake may leave a command that still works on the same trial
        shutil.rmtree(work, ignore_errors=True)
        if read_trial(trial / TRIAL_JSON).published:
            return None
        try:
            # What is verified is what takes the place of the trial: links that nobody else knows.
            link_published(trial_files(published), work / "form")
            reason = _reason_to_stay(work / "form", tables, work / "tables")
            if reason is None and not _put_in_place(trial, work / "form", exchange):
                reason = "this file system cannot exchange two folders"
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return reason


def _reason_to_stay(form: Path, tables: Path, again: Path) -> str | None:
    """Why the published form does not replace the raw one, after extracting it into `again`."""
    salvaged = pq.read_table(tables / "clients.parquet", columns=["reason"])["reason"][0].as_py()
    if is_salvaged(salvaged):
        return f"the trial was salvaged: {salvaged}"
    try:
        if extract_trial(form, again) != 0:
            return "the published form cannot be extracted"
    except UserError as error:
        return f"the published form cannot be extracted: {error}"
    names = [f"{name}.parquet" for name in TABLES]
    different = [name for name in names if not same_table(tables / name, again / name)]
    return f"the published form gives another {', '.join(different)}" if different else None


def _put_in_place(trial: Path, form: Path, exchange: Exchange) -> bool:
    """Exchange the trial and its published form; False if that is impossible."""
    if read_trial(trial / TRIAL_JSON).failed and (trial / LOGS).is_dir():
        shutil.copytree(trial / LOGS, form / LOGS, symlinks=True, copy_function=link)
    _write_to_disk(form)
    if not exchange(form, trial):
        return False
    _write_to_disk(trial.parent)
    return True


def _write_to_disk(folder: Path) -> None:
    """Wait until a folder and its files are on the disk, so that no crash loses both forms."""
    for path in (*(path for path in folder.iterdir() if path.is_file()), folder):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Reduce one trial; see the module's docstring."""
    parser = parser_of("scripts.extract.reduced_trial", __doc__)
    parser.add_argument("trial", type=Path, metavar="TRIAL_DIR", help="the directory of the trial")
    parser.add_argument(
        "--published", type=Path, required=True, metavar="DIRECTORY", help="its published form"
    )
    parser.add_argument(
        "--tables", type=Path, required=True, metavar="PARQUET_DIR", help="the tables of the trial"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="STAMP", help="the file to write")
    arguments = parser.parse_args(argv)
    reason = reduce_trial(arguments.trial, arguments.published, arguments.tables)
    print(f"{arguments.trial}: " + (f"keeps its raw form: {reason}" if reason else "in its published form"))
    for table in LARGE_TABLES:
        (arguments.tables / f"{table}.parquet").unlink(missing_ok=True)
    write_text(arguments.output, reason or "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
