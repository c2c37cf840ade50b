"""Copy a capture without payload and without what names the host, fit to be published.

    python -m scripts.extract.publish CAPTURE.pcapng.zst -o OUT.pcapng.zst

Each packet is cut behind its transport header (behind its IP header if it is neither TCP nor UDP, at 64 bytes
if it is not IP) and keeps its original length and its time. Section and interface headers are written anew,
without options of hardware, system, command line and filter; other blocks are left out. Extraction gives the
same packets from the copy; a copy of a cut or corrupt capture is cut or corrupt at the same place.
"""

import argparse
import struct
import sys
from pathlib import Path

import numpy as np
import zstandard
from numpy.typing import NDArray

from scripts.errors import UserError, reporting
from scripts.extract.headers import Headers, Integers, decode
from scripts.extract.interface import ETHERNET, OPTION_RESOLUTION
from scripts.extract.pcapng import (
    BYTE_ORDER_MAGIC,
    ENHANCED_PACKET,
    INTERFACE_DESCRIPTION,
    SECTION_HEADER,
    CaptureReader,
)
from scripts.files import replacing

NOT_IP_BYTES = 64
ZSTD_LEVEL = 9
BLOCK_OVERHEAD = 32

# An unfinished block, and one of an impossible length: they end a copy the way its source ended.
ENDINGS = {"ok": b"", "cut": struct.pack("<II", ENHANCED_PACKET, 64), "corrupt": bytes(12)}


def publish(source: Path, output: Path) -> None:
    """Write the publishable copy of a capture, whole or not at all; the same source gives the same bytes.

    Raises:
        UserError: the source is missing, or no Ethernet pcapng capture.
    """
    if not source.is_file():
        raise UserError(f"{source}: no such capture")
    reader = CaptureReader(source)
    compressor = zstandard.ZstdCompressor(level=ZSTD_LEVEL)
    with replacing(output) as path, open(path, "wb") as file, compressor.stream_writer(file) as copy:
        copy.write(_preamble())
        for packets in reader:
            copy.write(_blocks(decode(packets)))
        copy.write(ENDINGS[reader.status])


def _preamble() -> bytes:
    """A section header and one Ethernet interface with nanosecond times, and no other option."""
    section = struct.pack("<IIIHHqI", SECTION_HEADER, 28, BYTE_ORDER_MAGIC, 1, 0, -1, 28)
    options = struct.pack("<HHB3xHH", OPTION_RESOLUTION, 1, 9, 0, 0)
    size = 20 + len(options)
    interface = struct.pack("<IIHHI", INTERFACE_DESCRIPTION, size, ETHERNET, 0, 0)
    return section + interface + options + struct.pack("<I", size)


def _kept_bytes(headers: Headers) -> Integers:
    """How many of each packet's captured bytes are published."""
    packets = headers.packets
    kept = np.full(len(packets.start), NOT_IP_BYTES, dtype=np.int64)
    network_end = headers.transport - packets.start
    kept = np.where(headers.ip, network_end, kept)
    transport_bytes = np.where(headers.header_bytes < 0, 20, headers.header_bytes)
    kept = np.where(headers.ports, network_end + transport_bytes, kept)
    published: Integers = np.minimum(kept, packets.captured)
    return published


def _blocks(headers: Headers) -> bytes:
    """Enhanced packet blocks of the packets, cut."""
    packets = headers.packets
    kept = _kept_bytes(headers)
    size = BLOCK_OVERHEAD + (kept + 3) // 4 * 4
    begin = np.cumsum(size) - size
    output = np.zeros(int(size.sum()), dtype=np.uint8)
    words, at = output.view("<u4"), begin // 4
    time = packets.time_ns.astype(np.uint64)
    fields = (
        ENHANCED_PACKET,
        size,
        0,
        time >> np.uint64(32),
        time & np.uint64(0xFFFFFFFF),
        kept,
        packets.original,
    )
    for number, field in enumerate(fields):
        words[at + number] = field
    words[at + size // 4 - 1] = size
    source, target = _ranges(packets.start, kept), _ranges(begin + 28, kept)
    output[target] = packets.data[source]
    return output.tobytes()


def _ranges(start: Integers, count: Integers) -> NDArray[np.int64]:
    """The integers start, start + 1, … of each range, one range after the other."""
    before = np.cumsum(count) - count
    offset: Integers = np.repeat(start - before, count)
    return offset + np.arange(len(offset))


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.extract.publish",
        description="Copy a capture without payload, fit to be published.",
    )
    parser.add_argument("capture", type=Path, metavar="CAPTURE", help="a pcapng capture, plain or zstd")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT", help="the copy, zstd")
    options = parser.parse_args(arguments)
    publish(options.capture, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
