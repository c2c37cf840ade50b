"""The published subset of a trial.

Payload, handshakes, the output of processes, and web addresses are not published. The host names in the
handshakes are (scripts/extract/host_names.py). Of a trial with a live service, addresses are published as
pseudonyms and host names in part (scripts/extract/public_form.py).
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import zstandard

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.extract.host_names import names_json, names_of
from scripts.extract.packets import NotACaptureError
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
        try:
            publish_capture(capture, copy / capture.name, form)
        except NotACaptureError:
            if not trial.failed:
                raise
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
