"""A finished trial of services of the reference panel, and the files it left."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import zstandard

from scripts.extract.extract_trial import extract
from tests.end_to_end.conftest import make_spec

WORKLOAD_BYTES = 100_000


class Panel:
    """One trial of some services of the panel."""

    def __init__(self, directory: Path, pair: str, duration_s: int, **setting: Any) -> None:
        self.directory = directory / "trials/01"
        spec = make_spec(directory, pair, duration_s, **setting)
        command = [sys.executable, "-m", "testbed", "run", str(spec)]
        subprocess.run([*command, "--into", str(self.directory)], check=True)
        self.record = json.loads((self.directory / "trial.json").read_text())
        assert (self.record["status"], self.record["reason"]) == ("completed", None), self.record["reason"]
        self.qoe = json.loads((self.directory / "qoe.json").read_text())

    def packets(self, client: str, *fields: str, end: str = "dst") -> list[list[str]]:
        """These fields of every packet to the client (`src`: from it), in the order of the capture."""
        plain = self.directory / f"{client}.pcapng"
        with (
            (self.directory / f"client-{client}.pcapng.zst").open("rb") as packed,
            plain.open("wb") as target,
        ):
            zstandard.ZstdDecompressor().copy_stream(packed, target)
        address = self.record["clients"][int(client[1:]) - 1]["address"]
        command = ["tshark", "-r", str(plain), "-Y", f"ip.{end} == {address}", "-T", "fields"]
        command += ["-E", "occurrence=f"]
        command += [word for field in fields for word in ("-e", field)]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return [line.split("\t") for line in lines.splitlines()]

    def flows(self, client: str, protocol: str) -> Counter[tuple[str, ...]]:
        """Bytes that each connection carried to the client."""
        sizes: Counter[tuple[str, ...]] = Counter()
        keys = ("ip.src", f"{protocol}.srcport", f"{protocol}.dstport")
        for *key, size in self.packets(client, *keys, "ip.len"):
            if key[1]:
                sizes[tuple(key)] += int(size)
        return sizes

    def arrivals(self) -> dict[str, Any]:
        """Arrival of each packet at the bottleneck, in seconds since the first, and its bytes."""
        parquet = self.directory.parent / "parquet"
        extract(self.directory, parquet)
        log = pq.read_table(parquet / "queue.parquet", columns=["arrival_ns", "frame_bytes"]).to_pydict()
        first = log["arrival_ns"][0]
        return {"at_s": [(at - first) / 1e9 for at in log["arrival_ns"]], "bytes": log["frame_bytes"]}


def most_flows_at_once(panel: Panel, client: str) -> int:
    """The most TCP connections, each with over WORKLOAD_BYTES, that a client had open at once."""
    sizes = panel.flows(client, "tcp")
    fields = ("ip.dst", "tcp.dstport", "tcp.srcport", "tcp.flags.fin", "tcp.flags.reset")
    open_now, most, closed = set[tuple[str, ...]](), 0, set[tuple[str, ...]]()
    for *key, fin, reset in panel.packets(client, *fields, end="src"):
        flow = tuple(key)
        if sizes[flow] > WORKLOAD_BYTES and flow not in closed:
            open_now.add(flow)
            most = max(most, len(open_now))
        if {fin, reset} & {"1", "True"}:
            closed.add(flow)
            open_now.discard(flow)
    return most


def workload_flows(panel: Panel, client: str, protocol: str = "tcp") -> int:
    """The number of connections with more than WORKLOAD_BYTES to the client."""
    return sum(size > WORKLOAD_BYTES for size in panel.flows(client, protocol).values())
