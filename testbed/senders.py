"""Samples of every service's TCP connections through a trial: senders.jsonl.

A line is a connection at a moment: `time_ns`, the `client` whose service sends, and what testbed/tcp_info.py
reads from the kernel.
"""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from testbed.hosts import Host
from testbed.namespaces import inside
from testbed.tcp_info import connections, open_diagnosis

PERIOD_S = 1.0
WORKLOAD_BYTES = 100_000
"""A connection that sent more than this carries the workload; control connections send less."""


class Senders:
    """Asks the kernel of every service's side, in the trial's own process.

    Args:
        hosts: the service's side of every client, by the client's name.
        path: the file to write.
    """

    def __init__(self, hosts: Mapping[str, Host], path: Path) -> None:
        self._diagnoses = {}
        for client, host in hosts.items():
            with inside(host.netns):
                self._diagnoses[client] = open_diagnosis()
        self._file = path.open("w", encoding="utf-8")
        self._next_s = time.monotonic()
        self._controls: dict[str, set[str]] = {client: set() for client in hosts}

    def sample_when_due(self) -> None:
        """Take a sample if the last one is PERIOD_S ago."""
        if time.monotonic() >= self._next_s:
            self.sample()
            self._next_s = max(self._next_s + PERIOD_S, time.monotonic())

    def sample(self) -> None:
        """Write a line for every connection that has sent something to another host."""
        for client, diagnosis in self._diagnoses.items():
            for found in connections(diagnosis):
                if not found["bytes_sent"] or found["source"].startswith("127."):
                    continue
                line = {"time_ns": time.time_ns(), "client": client} | found
                self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
                if found["bytes_sent"] > WORKLOAD_BYTES:
                    self._controls[client].add(found["cca"])

    def congestion_controls(self, client: str) -> list[str]:
        """Those seen on the connections that carried this client's workload, sorted."""
        return sorted(self._controls[client])

    def __enter__(self) -> "Senders":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for diagnosis in self._diagnoses.values():
            diagnosis.close()
        self._file.close()
