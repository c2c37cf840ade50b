"""Keeps the packets of a running capture that name flows: DNS, and the first 16 kB of each connection.

    python -m testbed.handshake_selection CLIENT_ADDRESS < CAPTURE > KEPT

reads pcapng, as dumpcap writes it, and copies blocks unchanged, so that times keep their resolution. The
16 kB are from client to server. From server to client it keeps 2 kB: the answer to a QUIC Initial contains
the connection id that tells which later packets of the client have the same keys (RFC 9001, 5.2).

All connections together keep at most TOTAL_BYTES. At the end the program prints, as JSON on standard error,
the packets that it kept, those that it cut because their connection had enough, and those that it lost
because the total was reached. No payload can lose the packets of another connection; only very many
connections can, and then `lost_packets` tells.
"""

import ipaddress
import json
import struct
import sys
from dataclasses import asdict, dataclass
from typing import BinaryIO

from scripts.base.commands import parser_of

CONNECTION_BYTES = 16_384
ANSWER_BYTES = 2_048
TOTAL_BYTES = 20_000_000
LONGEST_BLOCK_BYTES = 1 << 20

ENHANCED_PACKET = 6
BLOCK_HEAD = struct.Struct("=II")
PACKET_LENGTH = struct.Struct("=I")
LENGTH_AT, FRAME_AT = 12, 20
"""Offsets in the body of an enhanced packet block: the captured length, and the frame."""

IP_AT = 14
DNS_PORT = (53).to_bytes(2, "big")


@dataclass
class Selected:
    """Numbers of packets."""

    kept_packets: int = 0
    cut_packets: int = 0
    lost_packets: int = 0


class Selection:
    """Decides packet by packet. `client` is the client's IPv4 address."""

    def __init__(self, client: str) -> None:
        self.counts = Selected()
        self._client = ipaddress.IPv4Address(client).packed
        self._kept_bytes: dict[bytes, int] = {}
        self._total_bytes = 0

    def keeps(self, frame: bytes) -> bool:
        """Count an Ethernet frame with an IPv4 packet, and return whether it is kept."""
        header_bytes = (frame[IP_AT] & 0xF) * 4 if len(frame) > IP_AT else 0
        addresses = frame[IP_AT + 12 : IP_AT + 20]
        ports = frame[IP_AT + header_bytes : IP_AT + header_bytes + 4]
        connection = frame[IP_AT + 9 : IP_AT + 10] + addresses + ports
        kept_bytes = self._kept_bytes.get(connection, 0)
        if DNS_PORT not in (ports[:2], ports[2:]):
            from_client = addresses[:4] == self._client
            if kept_bytes >= (CONNECTION_BYTES if from_client else ANSWER_BYTES):
                self.counts.cut_packets += 1
                return False
        if self._total_bytes + len(frame) > TOTAL_BYTES:
            self.counts.lost_packets += 1
            return False
        self._kept_bytes[connection] = kept_bytes + len(frame)
        self._total_bytes += len(frame)
        self.counts.kept_packets += 1
        return True


def select(source: BinaryIO, target: BinaryIO, selection: Selection) -> None:
    """Copy a capture: every block that is no packet, and the packets that are kept."""
    while len(head := source.read(BLOCK_HEAD.size)) == BLOCK_HEAD.size:
        kind, block_bytes = BLOCK_HEAD.unpack(head)
        if not BLOCK_HEAD.size <= block_bytes <= LONGEST_BLOCK_BYTES:
            raise ValueError(f"a block of {block_bytes} bytes")
        body = source.read(block_bytes - BLOCK_HEAD.size)
        if len(body) < block_bytes - BLOCK_HEAD.size:
            return
        if kind != ENHANCED_PACKET or selection.keeps(_frame(body)):
            target.write(head + body)


def _frame(body: bytes) -> bytes:
    (captured_bytes,) = PACKET_LENGTH.unpack_from(body, LENGTH_AT)
    return body[FRAME_AT : FRAME_AT + captured_bytes]


def main() -> None:
    """Select from standard input to standard output."""
    parser = parser_of("testbed.handshake_selection", __doc__)
    parser.add_argument("client", type=ipaddress.IPv4Address, metavar="CLIENT_ADDRESS", help="IPv4 address")
    selection = Selection(str(parser.parse_args().client))
    select(sys.stdin.buffer, sys.stdout.buffer, selection)
    sys.stdout.buffer.flush()
    print(json.dumps(asdict(selection.counts)), file=sys.stderr)


if __name__ == "__main__":
    main()
