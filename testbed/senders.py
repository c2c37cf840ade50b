"""Samples of every service's TCP connections to its client through a trial: senders.jsonl.

A line is a connection at a moment: `time_ns`, the `client` whose service sends, and what testbed/tcp_info.py
reads from the kernel.
"""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from testbed.hosts import Host
from testbed.namespaces import inside
from testbed.tcp_info import connections, open_diagnosis

PERIOD_S = 1.0
WORKLOAD_BYTES = 100_000
"""A connection that sent more than this carries the workload; control connections send less."""


class Senders:
    """Asks the kernel of every service's side, in the trial's own process.

    Args:
        ends: the service's side and the client's, by the client's name.
        path: the file to write.
    """

    def __init__(self, ends: Mapping[str, tuple[Host, Host]], path: Path) -> None:
        self._ends = ends
        self._diagnoses = {}
        for client, (service, _) in ends.items():
            with inside(service.netns):
                self._diagnoses[client] = open_diagnosis()
        self._file = path.open("w", encoding="utf-8")
        self._next_s = time.monotonic()
        self._controls: dict[str, set[str]] = {client: set() for client in ends}

    def sample_when_due(self) -> None:
        """Take a sample if the last one is PERIOD_S ago."""
        if time.monotonic() >= self._next_s:
            self.sample()
            self._next_s = max(self._next_s + PERIOD_S, time.monotonic())

    def sample(self) -> None:
        """Write a line for every connection that has sent something to the client."""
        for client, (service, user) in self._ends.items():
            for found in connections(self._diagnoses[client]):
                if not found["bytes_sent"] or found["destination"] != user.address:
                    continue
                line = {"time_ns": time.time_ns(), "client": client} | found
                self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
                if tells_control(found, service):
                    self._controls[client].add(found["cca"])

    def congestion_controls(self, client: str) -> list[str]:
        """Those seen on the connections that tell of this client's service, sorted."""
        return sorted(self._controls[client])

    def __enter__(self) -> "Senders":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for diagnosis in self._diagnoses.values():
            diagnosis.close()
        self._file.close()


def tells_control(found: Mapping[str, Any], service: Host) -> bool:
    """Whether a connection has the congestion control of its service.

    That is one which carries the workload, or any where the route sets it for all: those of a web page are
    many and small.
    """
    return service.cca is not None or found["bytes_sent"] > WORKLOAD_BYTES
