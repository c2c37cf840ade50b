"""A cycle of one trial without a round, and a testbed that only makes the directory of the trial."""

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path

TRIAL = Path("trials/8mbps/a~b/01")
TESTBED = """\
import sys, time
from pathlib import Path
into = Path(sys.argv[4])
here = Path(__file__).parent
with (here / "begun").open("a") as file:
    file.write(f"{into}\\n")
time.sleep(float((here / "seconds").read_text()))
into.mkdir(parents=True)
(into / "trial.json").write_text("{}")
"""


class SmallCycle:
    """The cycle in `folder/cycle`; `own` is the host's own disk."""

    def __init__(self, folder: Path, seconds: float = 0.0) -> None:
        self.folder, self.cycle, self.own = folder, folder / "cycle", folder / "own"
        spec = self.cycle / "plan/specs/8mbps/a~b/01.json"
        spec.parent.mkdir(parents=True)
        spec.write_text("{}")
        self.own.mkdir()
        (folder / "testbed.py").write_text(TESTBED)
        self.last(seconds)

    def last(self, seconds: float) -> None:
        """Let the next trials last so long."""
        (self.folder / "seconds").write_text(str(seconds))

    @property
    def into(self) -> Path:
        """The trial's directory."""
        return self.cycle / TRIAL

    def command(self, name: str, *options: object) -> list[str]:
        """A command for the trial."""
        testbed = shlex.join([sys.executable, f"{self.folder}/testbed.py"])
        words = [sys.executable, "-m", "scripts.hosts", name, self.into, "--testbed", testbed, *options]
        return list(map(str, words))

    def start(self, *options: object) -> subprocess.Popen:
        """Start to measure the trial."""
        return subprocess.Popen(self.command("measure", *options), stderr=subprocess.PIPE, text=True)

    def begun(self) -> int:
        """How often a trial began."""
        file = self.folder / "begun"
        return len(file.read_text().splitlines()) if file.exists() else 0

    def wait_until_begun(self, count: int = 1) -> None:
        """Wait until trials have begun so often."""
        deadline = time.monotonic() + 30
        while self.begun() < count:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def claims(self) -> list[Path]:
        """The claims."""
        return [path for path in (self.cycle / "claims").rglob("*") if path.is_file()]

    def record(self) -> dict:
        """trial.json."""
        return json.loads((self.into / "trial.json").read_text())
