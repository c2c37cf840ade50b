"""What of a trial is published: everything but payload, handshakes, process output and queries of addresses.

Of the handshakes, the host names that were asked for (scripts/extract/host_names.py).

    python -m scripts.extract.published_trial TRIAL_DIR -o DIRECTORY

DIRECTORY appears whole or not at all.
"""

import json
import shutil
import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.extract.clients import published_reason, read_trial
from scripts.extract.host_names import HANDSHAKES, NAMES, names_json, names_of
from scripts.extract.published_capture import publish as publish_capture

COPIED = ("queue.bin.zst", "flows.json", "qoe.json", "senders.jsonl.zst", NAMES)


def publish(trial: Path, directory: Path) -> None:
    """Copy a trial's files, captures cut after the transport header; what a failed trial lacks stays out."""
    partial = directory.with_name(f".{directory.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        _publish_record(trial / "trial.json", partial / "trial.json")
        for name in COPIED:
            if (trial / name).exists():
                shutil.copyfile(trial / name, partial / name)
        for capture in sorted(trial.glob("client-c*.pcapng.zst")):
            publish_capture(capture, partial / capture.name)
        if (trial / HANDSHAKES).exists():
            failed = read_trial(trial / "trial.json")["status"] == "failed"
            (partial / NAMES).write_text(names_json(names_of(trial, failed)), encoding="utf-8")
        shutil.rmtree(directory, ignore_errors=True)
        partial.rename(directory)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _publish_record(source: Path, copy: Path) -> None:
    """Copy trial.json; the reason of a failed trial may name a page, but not the query it was asked with."""
    record = read_trial(source)
    reason = record.get("reason")
    if isinstance(reason, str) and published_reason(reason) != reason:
        record["reason"] = published_reason(reason)
        copy.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    else:
        shutil.copyfile(source, copy)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Publish one trial; see the module's docstring."""
    parser = parser_of("scripts.extract.published_trial", __doc__)
    parser.add_argument("trial", type=Path, help="the trial directory")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the directory to make")
    arguments = parser.parse_args(argv)
    publish(arguments.trial, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
