"""Captures in the clients' namespaces, by dumpcap."""

import math
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from scripts.base.confinement import FIRST_UID, SELECTION, Confinement, Limits
from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import read_record
from scripts.model.trial_record import CaptureCounts, HandshakeCounts
from testbed import handshake_selection
from testbed.hosts import INTERFACE, Host
from testbed.logged_process import last_line

HEADERS_SNAPLEN_BYTES = 128
BUFFER_MIB, LEAST_BUFFER_MIB = 16, 2
"""One second of headers at 1 Gbps, and what dumpcap has by default. The kernel clears a buffer when a capture
starts, and frees it at its end, and meanwhile nothing else runs on that processor, also no switch of another
trial: with 64 MiB for a sixth of a second, with 16 MiB of each of 17 clients for 44 ms, with 2 MiB for 3."""

SETTLE_S = 0.6
"""The kernel gives packets to dumpcap in blocks, the last one after dumpcap's read timeout of 250 ms."""

STOP_TIMEOUT_S = 10
START_TIMEOUT_S = 10

SELECTION_UID = FIRST_UID + SELECTION
SELECTION_LIMITS = Limits(open_files=32, file_bytes=64 << 20, address_space_bytes=1 << 30)
"""Twice what the selection needs when it keeps as many connections as it can."""

_COUNTS = re.compile(r"Packets received/dropped on interface '[^']*': (\d+)/(\d+)")


class CaptureError(Exception):
    """dumpcap failed. The message is the reason of a failed trial."""


class Capture:
    """One running dumpcap, whose output is a file, or `-` and the pipe `into`."""

    def __init__(
        self,
        host: Host,
        output: str,
        log: Path,
        options: list[str],
        into: int = subprocess.DEVNULL,
        buffer_mib: int = BUFFER_MIB,
    ) -> None:
        self._host = host
        self._log = log
        command = [
            "dumpcap",
            "-p",
            "-q",
            "-i",
            INTERFACE,
            "-B",
            str(buffer_mib),
            *options,
            "-w",
            output,
        ]
        with log.open("wb") as stream:
            self._process = subprocess.Popen(
                host.command(*command), stdin=subprocess.DEVNULL, stdout=into, stderr=stream
            )

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


class HandshakeCapture(Capture):
    """dumpcap, and the selection of its packets (testbed/handshake_selection.py), which runs confined."""

    def __init__(self, host: Host, output: Path, log: Path, options: list[str]) -> None:
        self._counts = log.with_name(f"{log.stem}-selection.json")
        self._selection = _start_selection(host, output, self._counts)
        assert self._selection.stdin is not None
        with self._selection.stdin as pipe:
            super().__init__(host, "-", log, options, pipe.fileno())

    def check(self) -> None:
        """Raise CaptureError if dumpcap or the selection has ended with an error."""
        if self._selection.poll() not in (None, 0):
            raise CaptureError(
                f"the selection of handshakes on {self._host.name} ended with status "
                f"{self._selection.returncode}"
            )
        super().check()

    def abandon(self) -> None:
        """End the capture of a failed trial. Its file keeps the packets selected so far."""
        super().abandon()
        self._end_selection()

    def stop_and_count(self) -> HandshakeCounts:
        """End the capture and return the counts of the selection. What dumpcap dropped counts as lost.

        Raises:
            CaptureError: dumpcap or the selection failed, or does not end in time.
        """
        dropped = self.stop().dropped
        self._end_selection()
        self.check()
        try:
            selected = read_record(HandshakeCounts, self._counts)
        except UserError:
            raise CaptureError(f"the selection of handshakes on {self._host.name} has no counts") from None
        return replace(selected, lost_packets=selected.lost_packets + dropped)

    def _end_selection(self) -> None:
        """Wait until the selection has read everything. One that does not end is killed."""
        try:
            self._selection.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._selection.kill()
            self._selection.wait()


def _start_selection(host: Host, output: Path, counts: Path) -> subprocess.Popen[bytes]:
    """Start the selection for a client. It reads a pipe and writes two open files, and sees no others."""
    nothing = Path(tempfile.mkdtemp(prefix="selection-"))
    nothing.chmod(0o755)
    confinement = Confinement(
        nothing, SELECTION_UID, readable={ROOT / "testbed": ROOT / "testbed"}, limits=SELECTION_LIMITS
    )
    command = confinement.command(sys.executable, "-m", handshake_selection.__name__, host.address)
    with output.open("wb") as kept, counts.open("wb") as stream:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=kept, stderr=stream)


def capture_headers(host: Host, output: Path, log: Path, rate_mbps: float) -> Capture:
    """Capture the headers of all packets of a client. A shorter snaplen would cut TCP options.

    The buffer holds one second of them at `rate_mbps`, the rate of the link.
    """
    buffer_mib = max(LEAST_BUFFER_MIB, math.ceil(BUFFER_MIB * rate_mbps / 1000))
    options = ["-s", str(HEADERS_SNAPLEN_BYTES)]
    return Capture(host, str(output), log, options, buffer_mib=buffer_mib)


def capture_handshakes(host: Host, output: Path, log: Path) -> HandshakeCapture:
    """Capture the packets that name a flow, at full size, as testbed/handshake_selection.py selects them.

    They are DNS, QUIC long headers, and TCP payload from client to service. A long header has both of its
    highest bits set (RFC 9000, 17.2); the media packets of calls have one (RFC 7983).
    """
    payload = "ip[2:2] - ((ip[0] & 0xf) << 2) - ((tcp[12] & 0xf0) >> 2) > 0"
    quic = "udp and udp[8] & 0xc0 = 0xc0"
    wanted = f"port 53 or ({quic}) or (tcp and src host {host.address} and {payload})"
    return HandshakeCapture(host, output, log, ["-f", wanted])
