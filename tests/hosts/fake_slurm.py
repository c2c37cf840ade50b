"""A stand-in for Slurm's commands, which starts jobs on this machine: the tests of every run use it.

    sbatch|squeue|sinfo|scancel|scontrol …

`install` makes these commands in a folder. They keep jobs and nodes in `state.json` there. While the file
`silent` is there, none of them answers. They know the options that scripts/hosts/ and its tests use. The
same tests use a real Slurm in `make soak`.
"""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.hosts.cluster import TESTBED_NODES

COMMANDS = ("sbatch", "squeue", "sinfo", "scancel", "scontrol")
SHORT = {"-o": "--output", "-w": "--nodelist", "-p": "--partition", "-t": "--states", "-n": "--nodes"}
LONG = {"PD": "PENDING", "R": "RUNNING"}
SILENCE = "slurm_load: error: Unable to contact slurm controller (connect failure)"


class FakeCluster:
    """The commands in a folder, with the interface of `Cluster`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.configuration = folder, folder / "slurm.conf"
        for name in COMMANDS:
            (folder / name).write_text(
                f"#!/bin/sh\nexec '{sys.executable}' -m {__spec__.name} {name} '{folder}' \"$@\"\n"
            )
            (folder / name).chmod(0o755)
        (folder / "state.json").write_text(json.dumps({"jobs": {}, "drained": []}))

    def kill(self, name: str) -> None:
        """Let no command answer: the controller is dead."""
        assert name == "slurmctld"
        (self.folder / "silent").touch()

    def start(self, name: str) -> None:
        """Let the commands answer again."""
        (self.folder / "silent").unlink()

    def ask(self, *command: str) -> str:
        """What a command prints."""
        return subprocess.run(
            [self.folder / command[0], *command[1:]], capture_output=True, text=True, check=True
        ).stdout


def options_of(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Options by their long names, and the other words."""
    options, others, left = {}, [], [*words]
    while left:
        word = left.pop(0)
        if word in SHORT or word == "--wrap":
            options[SHORT.get(word, word)] = left.pop(0)
        elif word.startswith("--"):
            name, _, value = word.partition("=")
            options[name] = value
        elif not word.startswith("-"):
            others.append(word)
    return options, others


@contextmanager
def state_of(folder: Path) -> Iterator[dict[str, Any]]:
    """Jobs and nodes now; what is changed in the block is kept. Jobs whose node is free begin."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        state = json.loads((folder / "state.json").read_text())
        state["jobs"] = {name: job for name, job in state["jobs"].items() if _goes_on(job)}
        yield state
        for job in state["jobs"].values():
            busy = {other["node"] for other in state["jobs"].values() if other["process"]}
            if job["process"] is None and job["node"] not in {*busy, *state["drained"]}:
                job["process"] = _begin(job)
        (folder / "state.json").write_text(json.dumps(state))


def _goes_on(job: dict[str, Any]) -> bool:
    if job["process"] is None:
        return True
    with suppress(OSError):
        return Path(f"/proc/{job['process']}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _begin(job: dict[str, Any]) -> int:
    with open(job["output"], "a") as output:
        environment = {**os.environ, "SLURM_JOB_ID": job["id"], "SLURMD_NODENAME": job["node"]}
        # A job may end with its parent, which is not this command but a shell that has ended by then.
        done = subprocess.run(
            ["setsid", "sh", "-c", 'sh -c "$1" >&2 & echo $!', "sh", job["script"]],
            cwd=job["folder"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=output,
            check=True,
        )
    return int(done.stdout)


def sbatch(folder: Path, options: dict[str, str], others: list[str]) -> str:
    """Submit a job, whose script is --wrap or on standard input."""
    if options["--partition"] not in ("testbed", "other"):
        sys.exit("sbatch: error: Batch job submission failed: Invalid partition name specified")
    script = options.get("--wrap") or sys.stdin.read()
    with state_of(folder) as state:
        number = str(state.setdefault("last", 0) + 1)
        state["last"] = int(number)
        asked = options.get("--nodelist", "")
        busy = {job["node"] for job in state["jobs"].values()} | {*state["drained"]}
        node = asked or next((name for name in TESTBED_NODES if name not in busy), TESTBED_NODES[0])
        state["jobs"][number] = {
            "id": number, "name": options.get("--job-name", ""), "asked": asked, "node": node,
            "process": None, "script": script, "output": options["--output"],
            "folder": options.get("--chdir", "/"),
        }  # fmt: skip
    return number


def squeue(folder: Path, options: dict[str, str], others: list[str]) -> str:
    """The jobs that wait or run."""
    lines = []
    with state_of(folder) as state:
        for job in state["jobs"].values():
            known = "PENDING" if job["process"] is None else "RUNNING"
            if (
                options.get("--name", job["name"]) == job["name"]
                and LONG.get(options.get("--states", ""), known) == known
            ):
                line = options.get("--format") or options["--output"]
                lines.append(line.replace("%i", job["id"]).replace("%T", known).replace("%n", job["asked"]))
    return "\n".join(lines)


def sinfo(folder: Path, options: dict[str, str], others: list[str]) -> str:
    """The testbed nodes."""
    with state_of(folder) as state:
        states = {name: "drain" if name in state["drained"] else "idle" for name in TESTBED_NODES}
    return "\n".join(f"{name}|{known}|testbed" for name, known in states.items())


def scancel(folder: Path, options: dict[str, str], others: list[str]) -> str:
    """Cancel a job, with --state=PENDING only if it waits."""
    with state_of(folder) as state:
        job = state["jobs"].get(others[0])
        if job and (job["process"] is None or "--state" not in options):
            del state["jobs"][others[0]]
            if job["process"]:
                os.killpg(os.getpgid(job["process"]), 9)
    return ""


def scontrol(folder: Path, options: dict[str, str], others: list[str]) -> str:
    """Drain or resume a node: update nodename=NAME state=drain|resume."""
    values = dict(word.split("=") for word in others[1:])
    with state_of(folder) as state:
        state["drained"] = [values["nodename"]] if values["state"] == "drain" else []
    return ""


if __name__ == "__main__":
    command, place, *words = sys.argv[1:]
    if (Path(place) / "silent").exists():
        sys.exit(SILENCE)
    if answer := globals()[command](Path(place), *options_of(words)):
        print(answer)
