"""Samples of every service's TCP connections to its client during a trial: senders.jsonl.

A line is one connection at one moment: `time_ns`, the `client` whose service sends, the addresses and ports,
the congestion control, the counters of testbed/tcp_info.py, and the state of BBR where BBR sends.
"""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from testbed.clock import now_ns
from testbed.hosts import Host
from testbed.namespaces import network_namespace
from testbed.tcp_info import Connection, connections, open_diagnosis

PERIOD_S = 1.0
WORKLOAD_BYTES = 100_000
"""A connection that sent more than this carries the workload. Control connections send less."""


class SenderSampler:
    """Reads the TCP connections of every service's side from the kernel, in the trial's own process.

    Args:
        hosts: the hosts of the service and of the client, by the client's name.
        path: the file to write.
    """

    def __init__(self, hosts: Mapping[str, tuple[Host, Host]], path: Path) -> None:
        self._hosts = hosts
        self._diagnoses = {}
        for client, (service_host, _) in hosts.items():
            with network_namespace(service_host.netns):
                self._diagnoses[client] = open_diagnosis()
        self._file = path.open("w", encoding="utf-8")
        self._next_s = time.monotonic()
        self._ccas: dict[str, set[str]] = {client: set() for client in hosts}

    def sample_when_due(self) -> bool:
        """Take a sample if the last one was PERIOD_S ago. Returns whether it was."""
        due = time.monotonic() >= self._next_s
        if due:
            self.sample()
            self._next_s = max(self._next_s + PERIOD_S, time.monotonic())
        return due

    def sample(self) -> None:
        """Write a line for every connection that has sent data to the client."""
        for client, (service_host, client_host) in self._hosts.items():
            for connection in connections(self._diagnoses[client]):
                if not connection.bytes_sent or connection.destination != client_host.address:
                    continue
                line = {"time_ns": now_ns(), "client": client} | connection.columns()
                self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
                if shows_congestion_control(connection, service_host):
                    self._ccas[client].add(connection.cca)

    def congestion_controls(self, client: str) -> list[str]:
        """The congestion controls of the connections that carry this client's workload, sorted."""
        return sorted(self._ccas[client])

    def __enter__(self) -> "SenderSampler":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for diagnosis in self._diagnoses.values():
            diagnosis.close()
        self._file.close()


def shows_congestion_control(connection: Connection, service_host: Host) -> bool:
    """Whether a connection has its service's congestion control.

    A connection that carries the workload has it. If the route sets it, every connection has it, also the
    many small ones of a web page.
    """
    return service_host.cca is not None or connection.bytes_sent > WORKLOAD_BYTES
