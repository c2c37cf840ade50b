"""Captures in the clients' namespaces, by dumpcap."""

import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from testbed.hosts import INTERFACE, Host

HEADERS_SNAPLEN_BYTES = 128
HANDSHAKES_CAP_KB = 20_000
KERNEL_BUFFER_MIB = 16
"""A second of headers at 1 Gbps. The kernel clears it when a capture starts, and stalls the switch meanwhile:
with 64 MiB, for a sixth of a second."""

SETTLE_S = 0.6
"""The kernel hands packets to dumpcap in blocks, the last of them after dumpcap's read timeout of 250 ms."""

STOP_TIMEOUT_S = 10
START_TIMEOUT_S = 10

_COUNTS = re.compile(r"Packets received/dropped on interface '[^']*': (\d+)/(\d+)")


class CaptureError(Exception):
    """dumpcap broke: the reason of a failed trial."""


class Capture:
    """One running dumpcap."""

    def __init__(self, host: Host, output: Path, log: Path, options: list[str]) -> None:
        self._host = host
        self._log = log
        with log.open("wb") as stream:
            self._process = host.start(
                "dumpcap",
                "-p",
                "-q",
                "-i",
                INTERFACE,
                "-B",
                str(KERNEL_BUFFER_MIB),
                *options,
                "-w",
                str(output),
                log=stream,
            )

    def wait_until_capturing(self) -> None:
        """Return once packets are taken.

        Raises:
            CaptureError: dumpcap ended, or says nothing in time.
        """
        deadline = time.monotonic() + START_TIMEOUT_S
        while "File: " not in self._log.read_text(errors="replace"):
            self.check()
            if time.monotonic() > deadline:
                raise CaptureError(f"dumpcap on {self._host.name} did not start within {START_TIMEOUT_S} s")
            time.sleep(0.01)

    def check(self) -> None:
        """Raise CaptureError if dumpcap has ended badly."""
        if self._process.poll() not in (None, 0):
            words = self._log.read_text(errors="replace").strip().splitlines()
            raise CaptureError(
                f"dumpcap on {self._host.name} ended with status {self._process.returncode}: "
                f"{words[-1] if words else 'it said nothing'}"
            )

    def abandon(self) -> None:
        """End the capture of a trial that failed; its file keeps what was taken so far."""
        self._process.terminate()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def stop(self) -> dict[str, Any]:
        """End the capture and return dumpcap's own counts: packets `received` and `dropped`."""
        self.check()
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise CaptureError(
                f"dumpcap on {self._host.name} did not end within {STOP_TIMEOUT_S} s"
            ) from None
        self.check()
        counts = _COUNTS.search(self._log.read_text(errors="replace"))
        if counts is None:
            raise CaptureError(f"dumpcap on {self._host.name} did not tell its counts")
        return {"received": int(counts[1]), "dropped": int(counts[2])}


def capture_headers(host: Host, output: Path, log: Path) -> Capture:
    """Every packet of a client, cut after the headers (shorter would cut TCP options)."""
    return Capture(host, output, log, ["-s", str(HEADERS_SNAPLEN_BYTES)])


def capture_handshakes(host: Host, output: Path, log: Path) -> Capture:
    """What names a flow, at full size and at most HANDSHAKES_CAP_KB: DNS, QUIC long headers, and TCP
    payload from client to service.

    A long header has both of its highest bits set (RFC 9000, 17.2); the media of calls, one (RFC 7983).
    """
    payload = "ip[2:2] - ((ip[0] & 0xf) << 2) - ((tcp[12] & 0xf0) >> 2) > 0"
    quic = "udp and udp[8] & 0xc0 = 0xc0"
    wanted = f"port 53 or ({quic}) or (tcp and src host {host.address} and {payload})"
    return Capture(host, output, log, ["-a", f"filesize:{HANDSHAKES_CAP_KB}", "-f", wanted])
