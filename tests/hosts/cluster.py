"""A real Slurm on loopback: two testbed nodes and one other, all of them on this machine."""

import os
import platform
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from scripts.base.processes import start_child
from tests.ports import free_ports

TESTBED_NODES = ("tb1", "tb2")
OTHER_NODE = "other1"
NODES = (*TESTBED_NODES, OTHER_NODE)
READY_S, DOWN_S = 60, 12
"""How long the start may take, and after what time a silent node counts as down."""

CONFIGURATION = """\
ClusterName=observatory-test
SlurmctldHost={machine}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort={ports[0]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
SlurmdTimeout={down_s}
InactiveLimit=0
KillWait=2
MinJobAge=300
SlurmdParameters=config_overrides
NodeName=tb1 NodeAddr=127.0.0.1 NodeHostname={machine} Port={ports[1]} CPUs=4 RealMemory=2000 Feature=testbed
NodeName=tb2 NodeAddr=127.0.0.1 NodeHostname={machine} Port={ports[2]} CPUs=4 RealMemory=2000 Feature=testbed
NodeName=other1 NodeAddr=127.0.0.1 NodeHostname={machine} Port={ports[3]} CPUs=2 RealMemory=2000
PartitionName=testbed Nodes=tb1,tb2 MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
PartitionName=other Nodes=other1 Default=YES MaxTime=INFINITE State=UP
"""


@dataclass
class Cluster:
    """The daemons of a cluster: any of them may be killed and started again."""

    folder: Path
    daemons: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def configuration(self) -> Path:
        """The file to which SLURM_CONF points."""
        return self.folder / "slurm.conf"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of programs that speak to this Slurm."""
        return {**os.environ, "SLURM_CONF": str(self.configuration)}

    def start(self, name: str) -> None:
        """Start `munged`, `slurmctld` or the slurmd of a node."""
        commands = {
            "munged": [
                *("munged", "--foreground", "--force", f"--key-file={self.folder}/munge/key"),
                *(
                    f"--{kind}={self.folder}/munge/{kind.removesuffix('-file')}"
                    for kind in ("socket", "pid-file")
                ),
                *(
                    f"--{kind}={self.folder}/munge/{kind.removesuffix('-file')}"
                    for kind in ("log-file", "seed-file")
                ),
            ],
            "slurmctld": ["slurmctld", "-D"],
        }
        command = commands.get(name, ["slurmd", "-D", "-N", name])
        with (self.folder / f"log/{name}").open("ab") as log:
            self.daemons[name] = start_child(
                command,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self, name: str) -> None:
        """End a daemon at once, as a crash does. The jobs of a node go on."""
        self.daemons[name].kill()
        self.daemons[name].wait()

    def processes_of(self, node: str) -> list[psutil.Process]:
        """The processes of the jobs that run on a node."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, FileNotFoundError):
                environment = process.environ()
                if environment.get("SLURM_CONF") == str(self.configuration):
                    found += [process] if environment.get("SLURMD_NODENAME") == node else []
        return found

    def steps_of(self, node: str) -> list[psutil.Process]:
        """The slurmstepd of every job that runs on a node."""
        parents = [process.parent() for process in self.processes_of(node)]
        return list({parent for parent in parents if parent and parent.name().startswith("slurmstepd")})

    def kill_node(self, node: str) -> None:
        """End a node with all its processes at once, as a power cut does. First they stop: none can react."""
        with suppress(ProcessLookupError):
            self.daemons[node].send_signal(signal.SIGSTOP)
        while processes := [*self.steps_of(node), *self.processes_of(node)]:
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for process in processes:
                    with suppress(psutil.NoSuchProcess):
                        process.send_signal(number)
            psutil.wait_procs(processes, timeout=5)
        self.kill(node)

    def resume_drained(self) -> None:
        """Do what an operator does when Slurm has drained a node.

        A slurmctld that dies just after it began a job begins it again. The node refuses ("Duplicate jobid"),
        and Slurm drains it.
        """
        for line in self.ask("sinfo", "-hN", "-o", "%N|%t").split():
            node, _, state = line.partition("|")
            if state.startswith("dr"):
                self.ask("scontrol", "update", f"nodename={node}", "state=resume")

    def ask(self, *command: str) -> str:
        """What a command of Slurm prints."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else f"{command[0]} failed: {done.stderr}"

    def stop(self) -> None:
        """End everything, also the jobs."""
        for node in NODES:
            if node in self.daemons:
                self.kill_node(node)
        for name in ("slurmctld", "munged"):
            if name in self.daemons:
                self.kill(name)


def is_possible() -> bool:
    """Whether this machine has Slurm, and this user may start it."""
    return os.geteuid() == 0 and shutil.which("slurmctld") is not None


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """A cluster that keeps its files in this folder, and whose nodes are idle."""
    cluster = Cluster(folder)
    for name in ("munge", "state", "run", "log", *(f"spool/{node}" for node in NODES)):
        (folder / name).mkdir(parents=True)
    (folder / "munge").chmod(0o755)
    (folder / "munge/key").write_bytes(os.urandom(1024))
    (folder / "munge/key").chmod(0o400)
    machine = platform.node().partition(".")[0]
    cluster.configuration.write_text(
        CONFIGURATION.format(folder=folder, machine=machine, ports=free_ports(4), down_s=DOWN_S)
    )
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
    try:
        cluster.start("munged")
        while not (folder / "munge/socket").exists():
            time.sleep(0.05)
        for name in ("slurmctld", *NODES):
            cluster.start(name)
        deadline = time.monotonic() + READY_S
        while cluster.ask("sinfo", "-hN", "-o", "%t").split() != ["idle"] * len(NODES):
            assert time.monotonic() < deadline, cluster.ask("sinfo", "-N")
            time.sleep(0.2)
        yield cluster
    finally:
        cluster.stop()
