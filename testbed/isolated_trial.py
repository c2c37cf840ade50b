"""Process 1 of a trial's namespaces: runs the trial in memory and packs its files into a directory.

    python -m testbed.isolated_trial SPECIFICATION DIRECTORY [--uplink JSON]

is internal: testbed/isolation.py starts it by unshare(1). With live services it gets the machine's uplink
(testbed/uplink.py).
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import zstandard

from scripts.base.commands import parser_of
from scripts.base.confinement import forget_keys
from scripts.base.errors import reporting
from scripts.base.records import from_json
from scripts.model.specification import read_specification
from scripts.model.trials import PRIVATE_JSON
from testbed.bottleneck import MachineFolders
from testbed.trial import Trial
from testbed.uplink import HostUplink

WORK = Path("/run/trial")
TEMPORARY = Path("/run/tmp")
"""The temporary directory of all programs of the trial. It disappears with the trial."""
COMPRESSION_LEVEL = 9
CHUNK_BYTES = 1 << 20


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the trial; see the module's docstring."""
    parser = parser_of("testbed.isolated_trial", __doc__)
    parser.add_argument("specification", type=Path, help="the trial's specification")
    parser.add_argument("directory", type=Path, help="the existing, empty directory for the trial's files")
    parser.add_argument("--uplink", type=json.loads, help="the machine's uplink")
    arguments = parser.parse_args(argv)
    uplink = from_json(HostUplink, arguments.uplink, "--uplink") if arguments.uplink else None
    directory: Path = arguments.directory
    shared = directory.resolve() / "outside"
    shared.mkdir()
    folders = MachineFolders(shared, os.open("/run", os.O_PATH))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", "/run"], check=True)
    TEMPORARY.mkdir()
    WORK.mkdir(mode=0o700)  # Unprivileged programs of the trial see their own folders in it, and no others.
    os.environ["TMPDIR"] = str(TEMPORARY)
    forget_keys()
    trial = Trial(read_specification(arguments.specification), WORK, folders, uplink)
    trial.run()
    for path in shared.iterdir():
        shutil.move(path, WORK / path.name)
    shared.rmdir()
    try:
        pack(WORK, directory)
    except OSError as error:
        trial.fail(f"the files of the trial cannot be stored: {error}")
        empty(directory)  # This makes room for the record.
    (directory / "trial.json").write_text(json.dumps(trial.record(), indent=1) + "\n", encoding="utf-8")
    os.sync()
    return 0


def pack(work: Path, directory: Path) -> None:
    """Copy a trial's files: captures, queue log and samples compressed, handshakes of all clients merged.

    A failed trial may lack any of them, and its captures may be cut off. mergecap's messages are in logs/.
    """
    handshakes = sorted(work.glob("handshakes-*.pcapng"))
    if handshakes:
        with (work / "logs/mergecap.log").open("wb") as log:
            command = ["mergecap", "-w", str(work / "handshakes.pcapng"), *map(str, handshakes)]
            subprocess.run(command, stdout=log, stderr=log, check=False)
    others = [work / name for name in ("handshakes.pcapng", "queue.bin", "senders.jsonl")]
    for path in [*sorted(work.glob("client-*.pcapng")), *others]:
        if path.exists():
            _compress(path, directory / f"{path.name}.zst")
    for name in ("flows.json", "qoe.json", PRIVATE_JSON):
        if (work / name).exists():
            shutil.copyfile(work / name, directory / name)
    shutil.copytree(work / "logs", directory / "logs")


def _compress(path: Path, target: Path) -> None:
    """Compress what a file has now. A program of a failed trial may still write into it."""
    left = path.stat().st_size
    compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL).compressobj(size=left)
    with path.open("rb") as source, target.open("wb") as packed:
        while left and (chunk := source.read(min(left, CHUNK_BYTES))):
            packed.write(compressor.compress(chunk))
            left -= len(chunk)
        packed.write(compressor.flush())


def empty(directory: Path) -> None:
    """Remove all files and folders in a directory."""
    for path in directory.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


if __name__ == "__main__":
    sys.exit(main())
