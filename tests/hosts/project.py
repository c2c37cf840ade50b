"""A copy of the project whose simulated campaign is measured on one host, and over Slurm."""

import csv
import io
import json
import os
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import yaml

from tests.hosts.cluster import TESTBED_NODES, Cluster
from tests.simulated.project import SERVICES, Simulated

BY_HOST = {"hosts", "host_agreement", "calibration"}
"""The tables that tell hosts apart. Every host has calibrations of its own."""
COLUMNS_BY_HOST = {"host", "hosts", "between_hosts_mbps"}
"""The columns of other tables that do."""
LEASE_S = 4


class Project:
    """A copy of the project with a simulated campaign, on one host (`one`) and over Slurm (other folders)."""

    def __init__(
        self,
        folder: Path,
        trials: dict[str, int],
        pairs: list[str],
        without: tuple[str, ...] = ("50mbps",),
        services: Sequence[str] = SERVICES,
        **slurm: object,
    ) -> None:
        self.simulated = Simulated(folder / "a copy")
        self.simulated.configure([*services], pairs, trials, settings=dict.fromkeys(without))
        self.events = folder / "events"
        behaviours = json.loads((self.simulated.root / "behaviours.json").read_text())
        behaviours["hosts"] = {"seconds": 0.2, "events": str(self.events)}
        (self.simulated.root / "behaviours.json").write_text(json.dumps(behaviours))
        file = self.simulated.root / "config/hosts.yaml"
        hosts = yaml.safe_load(file.read_text())
        hosts["lease_s"] = LEASE_S
        hosts["slurm"] |= {"own_disk": str(folder / "own disk"), **slurm}
        file.write_text(yaml.safe_dump(hosts))
        self.folder = folder

    def start(self, cluster: Cluster, data: str) -> subprocess.Popen:
        """Start a cycle over Slurm, or go on with it."""
        return self.simulated.start(
            data, "slurm=True", profile=("--resources", "testbed=8"), environment=cluster.environment
        )

    def tables_on_one_host(self) -> dict[str, list[dict[str, str]]]:
        """The tables of the cycle as one host measures it."""
        run = self.simulated.start("one", environment={**os.environ, "OBSERVATORY_HOST": "one"})
        assert run.wait(timeout=3600) == 0, self.simulated.errors()
        return self.tables("one")

    def tables(self, data: str) -> dict[str, list[dict[str, str]]]:
        """The rows of every table that does not tell hosts apart, without the columns that do."""
        found = {}
        for name, content in self.simulated.tables(data).items():
            if name.endswith(".csv") and Path(name).stem not in BY_HOST:
                rows = csv.DictReader(io.StringIO(content.decode()))
                found[name] = [
                    {key: cell for key, cell in row.items() if key not in COLUMNS_BY_HOST} for row in rows
                ]
        return found

    def hosts(self, data: str) -> set[str]:
        """The hosts that measured trials."""
        table = self.simulated.tables(data)["tables/trial_services.csv"].decode()
        return {row["host"] for row in csv.DictReader(io.StringIO(table))}

    def claims(self, data: str) -> list[Path]:
        """The claims that are left."""
        return [path for path in (self.cycle(data) / "claims").rglob("*") if path.is_file()]

    def cycle(self, data: str) -> Path:
        """The folder of the cycle."""
        return self.simulated.root / data / "simulated/test"

    def measurements(self) -> list[tuple[int, int, str, str]]:
        """Beginning and end (ns), host and trial of every measurement that came to its end."""
        text = self.events.read_text() if self.events.exists() else ""
        lines = [line.split(" ", 3) for line in text.splitlines()]
        return [
            (int(began), int(ended), host, path.split("trials/")[1]) for began, ended, host, path in lines
        ]

    def assert_nothing_overlaps(self) -> None:
        """No host measured two trials at once, and no trial was measured twice at once."""
        for place in (2, 3):
            spans = defaultdict(list)
            for measurement in sorted(self.measurements()):
                spans[measurement[place]].append(measurement)
            for one in spans.values():
                for earlier, later in pairwise(one):
                    assert earlier[1] <= later[0], f"{earlier} and {later} overlap"

    def assert_every_host_calibrated(self, data: str) -> None:
        """Each host has one calibration of its own in each round and setting in which it measured."""
        files = self.cycle(data).glob("trials/*/calibration/*/trial.json")
        records = [json.loads(path.read_text()) for path in files]
        calibrated = [
            (record["setting"], record["calibration"]["round"], record["calibration"]["host"])
            for record in records
        ]
        assert len(calibrated) == len(set(calibrated))
        assert {host for *_, host in calibrated} == set(TESTBED_NODES)
        assert all(record["host"]["name"] == record["calibration"]["host"] for record in records)
