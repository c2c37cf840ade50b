"""Captures in the clients' namespaces, by dumpcap."""

import re
import signal
import subprocess
import time
from pathlib import Path

from scripts.model.trial_record import CaptureCounts
from testbed.hosts import INTERFACE, Host
from testbed.logged_process import last_line

HEADERS_SNAPLEN_BYTES = 128
HANDSHAKES_CAP_KB = 20_000
KERNEL_BUFFER_MIB = 16
"""One second of headers at 1 Gbps. The kernel clears the buffer when a capture starts, and meanwhile the
switch cannot run: with 64 MiB, for a sixth of a second."""

SETTLE_S = 0.6
"""The kernel gives packets to dumpcap in blocks, the last one after dumpcap's read timeout of 250 ms."""

STOP_TIMEOUT_S = 10
START_TIMEOUT_S = 10

_COUNTS = re.compile(r"Packets received/dropped on interface '[^']*': (\d+)/(\d+)")


class CaptureError(Exception):
    """dumpcap failed. The message is the reason of a failed trial."""


class Capture:
    """One running dumpcap."""

    def __init__(self, host: Host, output: Path, log: Path, options: list[str]) -> None:
        self._host = host
        self._log = log
        command = ["dumpcap", "-p", "-q", "-i", INTERFACE, "-B", str(KERNEL_BUFFER_MIB)]
        with log.open("wb") as stream:
            self._process = host.start(*command, *options, "-w", str(output), log=stream)

    def wait_until_capturing(self) -> None:
        """Return once dumpcap captures packets.

        Raises:
            CaptureError: dumpcap ended, or does not start in time.
        """
        deadline = time.monotonic() + START_TIMEOUT_S
        while "File: " not in self._log.read_text(errors="replace"):
            self.check()
            if time.monotonic() > deadline:
                raise CaptureError(f"dumpcap on {self._host.name} did not start within {START_TIMEOUT_S} s")
            time.sleep(0.01)

    def check(self) -> None:
        """Raise CaptureError if dumpcap has ended with an error."""
        if self._process.poll() not in (None, 0):
            raise CaptureError(
                f"dumpcap on {self._host.name} ended with status {self._process.returncode}: "
                f"{last_line(self._log)}"
            )

    def abandon(self) -> None:
        """End the capture of a failed trial. Its file keeps the packets captured so far."""
        self._process.terminate()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def stop(self) -> CaptureCounts:
        """End the capture and return dumpcap's own counts.

        Raises:
            CaptureError: dumpcap failed, or does not end in time.
        """
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
            raise CaptureError(f"dumpcap on {self._host.name} did not report its counts")
        return CaptureCounts(received=int(counts[1]), dropped=int(counts[2]))


def capture_headers(host: Host, output: Path, log: Path) -> Capture:
    """Capture the headers of all packets of a client. A shorter snaplen would cut TCP options."""
    return Capture(host, output, log, ["-s", str(HEADERS_SNAPLEN_BYTES)])


def capture_handshakes(host: Host, output: Path, log: Path) -> Capture:
    """Capture the packets that name a flow, at full size and at most HANDSHAKES_CAP_KB in all.

    They are DNS, QUIC long headers, and TCP payload from client to service. A long header has both of its
    highest bits set (RFC 9000, 17.2); the media packets of calls have one (RFC 7983).
    """
    payload = "ip[2:2] - ((ip[0] & 0xf) << 2) - ((tcp[12] & 0xf0) >> 2) > 0"
    quic = "udp and udp[8] & 0xc0 = 0xc0"
    wanted = f"port 53 or ({quic}) or (tcp and src host {host.address} and {payload})"
    return Capture(host, output, log, ["-a", f"filesize:{HANDSHAKES_CAP_KB}", "-f", wanted])
