"""Process 1 of a trial's namespaces: runs the trial in memory and packs what it left into a directory.

    python -m testbed.inside SPEC DIRECTORY [UPLINK]

Not for calling by hand: testbed/isolation.py starts it under unshare(1), where services are live with what
testbed/uplink.py knows of the machine.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import zstandard

from scripts.base.errors import reporting
from testbed.bottleneck import Outside
from testbed.spec import load_spec
from testbed.trial import Trial
from testbed.uplink import from_json

WORK = Path("/run/trial")
TEMPORARY = Path("/run/tmp")
"""What programs leave in their temporary directory goes with the trial."""
COMPRESSION_LEVEL = 9


@reporting
def main(argv: list[str]) -> int:
    """Run the trial; exit status 0, or 2 for what the user can mend."""
    spec_path, directory = map(Path, argv[:2])
    uplink = from_json(argv[2]) if len(argv) > 2 else None
    shared = directory.resolve() / "outside"
    shared.mkdir()
    outside = Outside(shared, os.open("/run", os.O_PATH))
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    TEMPORARY.mkdir()
    os.environ["TMPDIR"] = str(TEMPORARY)
    trial = Trial(load_spec(spec_path), WORK, outside, uplink)
    trial.run()
    for path in shared.iterdir():
        shutil.move(path, WORK / path.name)
    shared.rmdir()
    try:
        pack(WORK, directory)
    except OSError as error:
        trial.record |= {"status": "failed", "reason": f"what it left cannot be stored: {error}"}
        empty(directory)  # so that at least the record has room
    (directory / "trial.json").write_text(json.dumps(trial.record, indent=1) + "\n", encoding="utf-8")
    os.sync()
    return 0


def pack(work: Path, directory: Path) -> None:
    """Copy what a trial left, captures, queue log and samples compressed, handshakes of all clients merged.

    A failed trial may lack any of them, and its captures may be cut: what mergecap says of that is in logs/.
    """
    handshakes = sorted(work.glob("handshakes-*.pcapng"))
    if handshakes:
        with (work / "logs/mergecap.log").open("wb") as log:
            command = ["mergecap", "-w", str(work / "handshakes.pcapng"), *map(str, handshakes)]
            subprocess.run(command, stdout=log, stderr=log, check=False)
    compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL)
    others = [work / name for name in ("handshakes.pcapng", "queue.bin", "senders.jsonl")]
    for path in [*sorted(work.glob("client-*.pcapng")), *others]:
        if path.exists():
            with path.open("rb") as source, (directory / f"{path.name}.zst").open("wb") as target:
                compressor.copy_stream(source, target, size=path.stat().st_size)
    for name in ("flows.json", "qoe.json"):
        if (work / name).exists():
            shutil.copyfile(work / name, directory / name)
    shutil.copytree(work / "logs", directory / "logs")


def empty(directory: Path) -> None:
    """Remove all that is in a directory."""
    for path in directory.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
