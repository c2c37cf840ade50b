"""Write the published subset of a trial.

    python -m scripts.extract.published_trial TRIAL_DIR -o DIRECTORY [--extracted CLIENTS.parquet]
                                              [--key FILE --config MERGED.json]

Payload, handshakes, the output of processes, and web addresses are not published. The host names in the
handshakes are (scripts/extract/host_names.py). Of a trial with a live service, addresses are published as
pseudonyms and host names in part (scripts/extract/public_form.py); this needs --key and --config. Of a trial
that the extraction salvaged, as its table CLIENTS.parquet tells, the record alone is published. DIRECTORY
appears whole or not at all.
"""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import zstandard

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import read_json
from scripts.extract.confined_publication import publish_trial
from scripts.extract.host_names import names_json, names_of
from scripts.extract.jobs import add_public_options
from scripts.extract.public_form import PublicForm, public_form
from scripts.extract.published_capture import ZSTD_LEVEL
from scripts.extract.published_capture import publish as publish_capture
from scripts.extract.qoe_table import read_observations
from scripts.extract.sender_samples import ADDRESSES, published_samples
from scripts.extract.trial_files import HANDSHAKES, NAMES, TRIAL_JSON
from scripts.extract.trial_json import published_record, read_trial

Rewrite = Callable[[Path, Path, PublicForm], None]
"""Writes the published copy of a file: the file, its copy, the public form of addresses."""

COPIED = ("queue.bin.zst", NAMES)


def publish(trial_directory: Path, output: Path, key: Path | None = None, config: Path | None = None) -> None:
    """Copy the published files of a trial, as far as they exist; captures are cut after the transport header.

    Args:
        trial_directory: the trial.
        output: the published copy.
        key: the key of the cycle's pseudonyms; a trial with a live service needs it (public_form.py).
        config: the campaign's merged configuration, needed likewise.

    Raises:
        UserError: trial.json, a capture, the handshakes or the samples of a completed trial are damaged.
    """
    partial = output.with_name(f".{output.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        _publish_files(trial_directory, partial, key, config)
        shutil.rmtree(output, ignore_errors=True)
        partial.rename(output)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _publish_files(source: Path, copy: Path, key: Path | None, config: Path | None) -> None:
    trial = read_trial(source / TRIAL_JSON)
    form = public_form(trial, source, key, config)
    record = published_record(trial, read_json(source / TRIAL_JSON), form.pseudonyms is not None)
    (copy / TRIAL_JSON).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for name in COPIED:
        if (source / name).is_file():
            shutil.copyfile(source / name, copy / name)
    for name, rewrite in REWRITTEN.items():
        if (source / name).is_file():
            _rewrite(rewrite, source / name, copy / name, form, trial.failed)
    for capture in sorted(source.glob("client-c*.pcapng.zst")):
        publish_capture(capture, copy / capture.name, form)
    if (source / HANDSHAKES).exists():
        names = names_of(source, trial.failed, form)
        (copy / NAMES).write_text(names_json(names), encoding="utf-8")


def _rewrite(rewrite: Rewrite, source: Path, copy: Path, form: PublicForm, failed: bool) -> None:
    """Write the published copy of a file. Only a failed trial may have a damaged one, which is left out."""
    try:
        rewrite(source, copy, form)
    except (UserError, ValueError, TypeError, KeyError, zstandard.ZstdError) as error:
        copy.unlink(missing_ok=True)
        if not failed:
            raise UserError(f"{source}: cannot be published: {error}; the file is damaged") from error


def _publish_qoe(source: Path, copy: Path, form: PublicForm) -> None:
    copy.write_text(json.dumps(read_observations(source), indent=1) + "\n", encoding="utf-8")


def _publish_senders(source: Path, copy: Path, form: PublicForm) -> None:
    if form.pseudonyms is None:
        shutil.copyfile(source, copy)
        return
    with (
        zstandard.open(source, "rt", encoding="utf-8") as lines,
        zstandard.open(
            copy, "wt", cctx=zstandard.ZstdCompressor(level=ZSTD_LEVEL), encoding="utf-8"
        ) as published,
    ):
        published.writelines(published_samples(lines, form))


def _publish_flows(source: Path, copy: Path, form: PublicForm) -> None:
    if form.pseudonyms is None:
        shutil.copyfile(source, copy)
        return
    flows = json.loads(source.read_text(encoding="utf-8"))
    published = [flow | {name: form.address(flow[name]) for name in ADDRESSES} for flow in flows]
    copy.write_text(json.dumps(published, indent=1) + "\n", encoding="utf-8")


REWRITTEN: dict[str, Rewrite] = {
    "senders.jsonl.zst": _publish_senders,
    "flows.json": _publish_flows,
    "qoe.json": _publish_qoe,
}


@reporting
def main(argv: list[str] | None = None) -> int:
    """Publish one trial and return the exit status."""
    parser = parser_of("scripts.extract.published_trial", __doc__)
    parser.add_argument("trial", type=Path, metavar="TRIAL_DIR", help="the directory of the trial")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIRECTORY", help="the published copy"
    )
    parser.add_argument(
        "--extracted", type=Path, metavar="CLIENTS.parquet", help="the trial's table of clients"
    )
    add_public_options(parser)
    arguments = parser.parse_args(argv)
    return publish_trial(
        arguments.trial, arguments.output, arguments.extracted, arguments.key, arguments.config
    )


if __name__ == "__main__":
    sys.exit(main())
