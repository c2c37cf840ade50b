"""A real S3 server on loopback: SeaweedFS, with a bucket that everybody may read and one key may write."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scripts.base.processes import start_child
from tests.ports import SPAN, free_ports

BUCKET, KEY, SECRET = "observatory", "publisher", "only-for-tests"
READY_S = 180
PARTS = ("master", "volume", "filer", "s3")
"""Its parts. The gRPC port of each is its port plus 10,000, the `SPAN` of tests/ports.py."""


@dataclass
class Seaweed:
    """The server: `stop` and `start` it at will, its data stay. `config` is rclone's configuration file."""

    folder: Path
    ports: dict[str, int] = field(default_factory=dict)
    process: subprocess.Popen | None = None

    @property
    def config(self) -> Path:
        return self.folder / "rclone.conf"

    @property
    def remote(self) -> str:
        return f"s3:{BUCKET}"

    @property
    def address(self) -> str:
        """The address of the bucket, which readers use."""
        return f"http://127.0.0.1:{self.ports['s3']}/{BUCKET}/"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = {"master.telemetry": "false", "master.volumeSizeLimitMB": "64", "volume.max": "30"}
        options |= {f"{part}.port": str(port) for part, port in self.ports.items()}
        options |= {
            "s3.config": str(self.folder / "s3.json"),
            "s3.iam": "false",
            "s3.port.iceberg": "0",
            "s3.port.lance": "0",
        }
        command = [
            str(Path(sys.executable).with_name("weed")),
            "-logtostderr=true",
            "server",
            "-filer",
            "-s3",
        ]
        command += [f"-dir={self.folder / 'data'}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1"]
        command += [f"-{name}={value}" for name, value in options.items()]
        with (self.folder / "log").open("ab") as log:
            self.process = start_child(
                command,
                cwd=self.folder,
                env={**os.environ, "HOME": str(self.folder)},
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + READY_S
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"weed does not start: {(self.folder / 'log').read_text()[-1000:]}")
            time.sleep(0.2)

    def kill(self) -> None:
        """End the server at once, as a crash does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def _answers(self) -> bool:
        """Whether a reader gets an answer that comes from the store itself, and its volumes are there.

        After a start these come up to some seconds later than the answers.
        """
        try:
            assign = f"http://127.0.0.1:{self.ports['master']}/dir/assign"
            with urllib.request.urlopen(assign, timeout=5) as place:
                json.load(place)["fid"]
        except (OSError, KeyError):
            return False
        try:
            urllib.request.urlopen(f"{self.address}no-such-file", timeout=5)
        except urllib.error.HTTPError as error:
            return error.code == 404
        except OSError:
            return False
        return True


@contextmanager
def running(folder: Path) -> Iterator[Seaweed]:
    """A server with an empty bucket, which keeps its data in this folder."""
    (folder / "data").mkdir(parents=True)
    identities = [
        {"name": "anonymous", "actions": [f"Read:{BUCKET}"]},
        {
            "name": "publisher",
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "Write", "List", "Tagging"],
        },
    ]
    (folder / "s3.json").write_text(json.dumps({"identities": identities}))
    seaweed = Seaweed(folder, dict(zip(PARTS, free_ports(len(PARTS)), strict=True)))
    seaweed.config.write_text(
        f"[s3]\ntype = s3\nprovider = SeaweedFS\naccess_key_id = {KEY}\nsecret_access_key = {SECRET}\n"
        f"endpoint = http://127.0.0.1:{seaweed.ports['s3']}\nregion = us-east-1\nforce_path_style = true\n"
    )
    try:
        seaweed.start()
        rclone(seaweed, "mkdir", seaweed.remote)
        yield seaweed
    finally:
        seaweed.kill()
        for port in seaweed.ports.values():  # Their place is fixed.
            for path in [
                *Path("/tmp").glob(f"seaweedfs-*-{port}.sock"),
                *Path("/tmp").glob(f"seaweedfs-*-{port + SPAN}.sock"),
            ]:
                path.unlink(missing_ok=True)


def rclone(seaweed: Seaweed, *words: str) -> str:
    """Run rclone with the key of the publisher."""
    options = ["--config", str(seaweed.config), "--retries", "1", "--low-level-retries", "3"]
    command = [str(Path(sys.executable).with_name("rclone")), *options, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
