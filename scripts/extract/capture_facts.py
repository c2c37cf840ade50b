"""How a capture ended, and what was counted in it: the JSON in the metadata of packets.parquet."""

from dataclasses import dataclass
from typing import Literal

CaptureStatus = Literal["ok", "cut", "corrupt", "missing"]


@dataclass(frozen=True)
class CaptureEnd:
    """How one capture ended. This is all that is known of a capture that is missing or cannot be read.

    Attributes:
        capture: the name of the file.
        client: the client of the trial; None for a capture outside a trial.
        status: `ok`; `cut`: the end of the file is missing; `corrupt`: the file is damaged at some place, and
            the packets before it were read; `missing`: there is no file.
    """

    capture: str
    client: str | None
    status: CaptureStatus


@dataclass(frozen=True)
class CaptureFacts(CaptureEnd):
    """How far one capture was read, and counts of its packets.

    Attributes:
        offset: the number of bytes of the decompressed capture that were read without an error.
        bytes_left: the number of bytes behind them.
        packets: all packets that were read.
        not_ip: packets that are not IP.
        cut_headers: packets in which a header or the TCP options reach beyond the captured bytes.
        time_jumps: packets more than 1 ms before, or more than 1 h after, the previous one in the file.
        zero_length: packets of which no byte was captured.
        flows_not_numbered: packets of flows beyond the largest number of flows (native/flow_table.h).
        first_ns: the earliest time of a packet, ns since the Unix epoch; 0 without packets.
        last_ns: the latest.
    """

    offset: int
    bytes_left: int
    packets: int
    not_ip: int
    cut_headers: int
    time_jumps: int
    zero_length: int
    flows_not_numbered: int
    first_ns: int
    last_ns: int
