"""Copy a capture without payload and without information about the host, for publication.

    python -m scripts.extract.published_capture CAPTURE.pcapng.zst -o OUT.pcapng.zst

Each packet is cut after its transport header. It is cut after its IP header if it is neither TCP nor UDP, and
50 bytes after its link header if it is not IP. It keeps its original length and its time. Two bits of the
payload of UDP are kept; they distinguish long from short QUIC headers. Section and interface headers are
written anew, without the options for hardware, operating system, command line and filter. Other blocks are
left out. The extraction gives the same packets from the copy. The copy of a cut or corrupt capture is cut or
corrupt after the same packet.

In a trial with a live service, addresses become pseudonyms (scripts/extract/pseudonyms.py). Then the bytes of
a packet that is not IP become zero after its link header, except the IP addresses of ARP. Options of IP and
unknown options of TCP are overwritten. Checksums are computed anew, as if the payload were zeros.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import zstandard
from observatory_capture import Publication

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import replacing
from scripts.extract.confined import made_by_worker, require_ending, run_worker, workshop
from scripts.extract.jobs import ExtractionJob
from scripts.extract.packets import naming_capture
from scripts.extract.public_form import UNCHANGED, PublicForm

ZSTD_LEVEL = 9
PIECE_BYTES = 1 << 20


def publish(source: Path, output: Path, form: PublicForm = UNCHANGED) -> None:
    """Write the published copy of a capture, whole or not at all. The same source gives the same bytes.

    Args:
        source: the capture.
        output: the copy.
        form: the public form of its addresses.

    Raises:
        UserError: the source is missing, or is not a capture.
    """
    if not source.is_file():
        raise UserError(f"{source}: no such capture")
    compressor = zstandard.ZstdCompressor(level=ZSTD_LEVEL)
    with replacing(output) as path, open(path, "wb") as file, compressor.stream_writer(file) as copy:
        for piece in _pieces(source, form):
            copy.write(piece)


def _pieces(source: Path, form: PublicForm) -> Iterator[bytes]:
    with naming_capture(source):
        publication = Publication(source, form.pseudonyms.packed if form.pseudonyms else None)
        piece = publication.next(PIECE_BYTES)
    while piece:
        yield piece
        with naming_capture(source):
            piece = publication.next(PIECE_BYTES)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = parser_of("scripts.extract.published_capture", __doc__)
    parser.add_argument("capture", type=Path, metavar="CAPTURE", help="pcap or pcapng, plain, gzip or zstd")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT", help="the copy, zstd")
    arguments = parser.parse_args(argv)
    return _publish_confined(arguments.capture, arguments.output)


def _publish_confined(capture: Path, output: Path) -> int:
    if not capture.is_file():
        raise UserError(f"{capture}: no such capture")
    with workshop(output) as folder:
        status = run_worker(
            ExtractionJob("publish_capture", [str(capture.absolute())], output.name), [capture], folder
        )
        require_ending(status, capture)
        if status == 0:
            os.replace(made_by_worker(folder, [output.name]) / output.name, output)
    return status


if __name__ == "__main__":
    sys.exit(main())
