"""Copy a capture without payload and without what names the host, fit to be published.

    python -m scripts.extract.published_capture CAPTURE.pcapng.zst -o OUT.pcapng.zst

Each packet is cut behind its transport header (behind its IP header if it is neither TCP nor UDP, at 64 bytes
if it is not IP) and keeps its original length and its time. Of the payload of UDP two bits are kept, which
tell long from short QUIC headers. Section and interface headers are written anew, without options of
hardware, system, command line and filter; other blocks are left out. Extraction gives the same packets from
the copy; a copy of a cut or corrupt capture is cut or corrupt at the same place.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import zstandard
from observatory_capture import Publication

from scripts.base.errors import UserError, reporting
from scripts.base.files import replacing
from scripts.extract.packets import reported

ZSTD_LEVEL = 9
PIECE_BYTES = 1 << 20


def publish(source: Path, output: Path) -> None:
    """Write the publishable copy of a capture, whole or not at all; the same source gives the same bytes.

    Raises:
        UserError: the source is missing, or no capture at all.
    """
    if not source.is_file():
        raise UserError(f"{source}: no such capture")
    compressor = zstandard.ZstdCompressor(level=ZSTD_LEVEL)
    with replacing(output) as path, open(path, "wb") as file, compressor.stream_writer(file) as copy:
        for piece in _pieces(source):
            copy.write(piece)


def _pieces(source: Path) -> Iterator[bytes]:
    with reported(source):
        publication = Publication(source)
        piece = publication.next(PIECE_BYTES)
    while piece:
        yield piece
        with reported(source):
            piece = publication.next(PIECE_BYTES)


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.extract.published_capture",
        description="Copy a capture without payload, fit to be published.",
    )
    parser.add_argument("capture", type=Path, metavar="CAPTURE", help="pcap or pcapng, plain, gzip or zstd")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT", help="the copy, zstd")
    options = parser.parse_args(arguments)
    publish(options.capture, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
