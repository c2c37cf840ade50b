"""Write the published subset of a trial.

    python -m scripts.extract.published_trial TRIAL_DIR -o DIRECTORY [--extracted CLIENTS.parquet]

Payload, handshakes, the output of processes and the queries of web addresses are not published. The host
names in the handshakes are (scripts/extract/host_names.py). DIRECTORY appears whole or not at all. Of a trial
that the extraction salvaged, as its table CLIENTS.parquet tells, the record alone is published.
"""

import json
import shutil
import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import read_json
from scripts.extract.confined_trial import publish_trial
from scripts.extract.host_names import HANDSHAKES, NAMES, names_json, names_of
from scripts.extract.published_capture import publish as publish_capture
from scripts.extract.trial_json import TRIAL_JSON, published_reason, read_trial
from scripts.model.trial_record import TrialRecord

COPIED = ("queue.bin.zst", "flows.json", "qoe.json", "senders.jsonl.zst", NAMES)


def publish(trial_directory: Path, output: Path) -> None:
    """Copy the published files of a trial, as far as they exist; captures are cut after the transport header.

    Raises:
        UserError: trial.json, a capture or the handshakes of a completed trial are damaged.
    """
    partial = output.with_name(f".{output.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        trial = read_trial(trial_directory / TRIAL_JSON)
        _publish_record(trial, trial_directory / TRIAL_JSON, partial / TRIAL_JSON)
        for name in COPIED:
            if (trial_directory / name).is_file():
                shutil.copyfile(trial_directory / name, partial / name)
        for capture in sorted(trial_directory.glob("client-c*.pcapng.zst")):
            publish_capture(capture, partial / capture.name)
        if (trial_directory / HANDSHAKES).exists():
            names = names_of(trial_directory, trial.failed)
            (partial / NAMES).write_text(names_json(names), encoding="utf-8")
        shutil.rmtree(output, ignore_errors=True)
        partial.rename(output)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _publish_record(trial: TrialRecord, source: Path, copy: Path) -> None:
    """Copy trial.json. The reason of a failed trial may contain a web address; its query is removed."""
    reason = None if trial.reason is None else published_reason(trial.reason)
    if reason == trial.reason:
        shutil.copyfile(source, copy)
    else:
        content = read_json(source) | {"reason": reason}
        copy.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


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
    arguments = parser.parse_args(argv)
    return publish_trial(arguments.trial, arguments.output, arguments.extracted)


if __name__ == "__main__":
    sys.exit(main())
