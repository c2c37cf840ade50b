"""Kills while a cycle is measured over Slurm: what is killed, and that it comes back."""

import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import psutil

from tests.hosts.cluster import NODES, TESTBED_NODES, Cluster
from tests.hosts.project import Project

AWAY_S = (0, 1, 4, 20)
"""How long a daemon is dead. After 12 s Slurm gives its node up, though the node's job may go on."""


PATIENCE_S = 20
"""The next kill does not wait longer for a trial."""


@dataclass
class Killer:
    """Kills what a cycle needs, again and again, and starts dead daemons again."""

    project: Project
    cluster: Cluster
    draw: random.Random
    run: subprocess.Popen
    hits: Counter[str] = field(default_factory=Counter)
    dead: dict[str, float] = field(default_factory=dict)

    def kill(self) -> None:
        """Kill something, if what was drawn is there."""
        name = self.draw.choice(sorted(KINDS))
        self.hits[name] += KINDS[name](self)

    def bring_back(self, now: float) -> None:
        """Start the daemons that have been dead for long enough."""
        for name in [name for name, due in self.dead.items() if due <= now]:
            del self.dead[name]
            self.cluster.start(name)

    def _gone(self, name: str) -> bool:
        """Remember that a daemon is dead."""
        self.dead[name] = time.monotonic() + self.draw.choice(AWAY_S)
        return True

    def snakemake(self) -> bool:
        """Kill Snakemake."""
        self.run.kill()
        self.run.wait()
        return True

    def controller(self) -> bool:
        """Kill slurmctld."""
        if "slurmctld" in self.dead:
            return False
        self.cluster.kill("slurmctld")
        return self._gone("slurmctld")

    def slurmd(self) -> bool:
        """Kill the daemon of a node. Its job goes on."""
        node = self.draw.choice(NODES)
        if node in self.dead:
            return False
        self.cluster.kill(node)
        return self._gone(node)

    def node(self) -> bool:
        """Kill a testbed node with all its processes."""
        node = self.draw.choice(TESTBED_NODES)
        if node in self.dead:
            return False
        self.cluster.kill_node(node)
        return self._gone(node)

    def step(self) -> bool:
        """Kill the slurmstepd of a job."""
        return self._kill_one([step for node in NODES for step in self.cluster.steps_of(node)])

    def holder(self) -> bool:
        """Kill the process that holds a claim, at any moment."""
        processes = [process for node in NODES for process in self.cluster.processes_of(node)]
        return self._kill_one([process for process in processes if "scripts.hosts" in _words(process)])

    def before_start(self) -> bool:
        """Let the next trial kill the holder of its claim before it begins."""
        return self._tell("kill-before")

    def before_hand_in(self) -> bool:
        """Let the next trial kill the holder of its claim when it has ended and is not handed in."""
        return self._tell("kill-after")

    def _tell(self, name: str) -> bool:
        told = self.project.events.with_name(name)
        if told.exists():
            return False
        told.touch()
        return True

    def _kill_one(self, processes: list[psutil.Process]) -> bool:
        with suppress(psutil.NoSuchProcess):
            if processes:
                self.draw.choice(processes).kill()
                return True
        return False


KINDS: dict[str, Callable[[Killer], bool]] = {
    method.__name__: method
    for method in (
        Killer.snakemake,
        Killer.controller,
        Killer.slurmd,
        Killer.node,
        Killer.step,
        Killer.holder,
        Killer.before_start,
        Killer.before_hand_in,
    )
}


def _words(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return process.cmdline()
    return []


def finish_with_kills(project: Project, cluster: Cluster, data: str, kills: int, seed: int) -> Counter[str]:
    """Run a cycle over Slurm to its end, and kill something after every few trials until `kills` have hit.

    Returns:
        How often each kind of kill hit something.
    """
    killer = Killer(project, cluster, random.Random(seed), project.start(cluster, data))
    wanted, due = 0, 0.0
    while (status := killer.run.poll()) != 0:
        assert status is None or status < 0, project.simulated.errors()
        if status is not None:
            killer.run = project.start(cluster, data)
        now, measured = time.monotonic(), len(project.measurements())
        killer.bring_back(now)
        cluster.resume_drained()
        if killer.hits.total() < kills and (measured >= wanted or now >= due):
            killer.kill()
            wanted, due = measured + killer.draw.randint(0, 3), now + PATIENCE_S
        time.sleep(killer.draw.uniform(0, 0.5))
    killer.bring_back(float("inf"))
    return killer.hits
