"""The readers in Python of what strangers send, and what they are given at random.

To add a reader, add a line to READERS.
"""

import gzip
import json
import signal
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from random import Random
from resource import RLIMIT_AS, getpagesize, getrlimit, setrlimit

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import from_json
from scripts.extract.published_capture import publish
from scripts.operate.submissions.form import read_form
from scripts.snapshot.chain import Chain, parse_chain
from scripts.snapshot.checksums import parse_listing
from scripts.snapshot.signatures import SNAPSHOT, Signers, read_signers, with_successors
from scripts.snapshot.trust import Policy, trusted
from services.endpoint.image.layers import LayerCheck
from services.endpoint.image.layout import ImageLayout, Manifest
from services.endpoint.image.unpack import copied_layout, start_of
from testbed.bess.client import BessError, parsed_answer
from testbed.bess.report import DelayReport, PortCounts, complete
from testbed.bottleneck import Port
from testbed.hosts import client_host, service_host
from tests.extract.reading import read
from tests.fuzz.mutator import mutated
from tests.operate.submissions.desk import TODAY
from tests.operate.submissions.hostile import VALID
from tests.services.endpoint.images import entry, make_image, make_layer, run_script

CORPUS = Path(__file__).resolve().parent / "corpus"
FAILED = ROOT / "build/fuzz"
MOST_S = 5.0
MOST_MEMORY = 1_000_000_000
REFERENCE = ROOT / "data/snapshots/reference"
NOW = datetime(2026, 11, 24, tzinfo=UTC)


@dataclass(frozen=True)
class Reader:
    """A reader, valid inputs, and the errors that it may raise for any others."""

    name: str
    read: Callable[[bytes], object]
    corpus: tuple[bytes, ...]
    errors: tuple[type[Exception], ...] = (UserError,)


class TooSlow(BaseException):
    """A reader took more than MOST_S. No reader catches this."""


def check(reader: Reader, runs: int, seed: int) -> int:
    """Give a reader random inputs; return how many it refused. One that fails is stored in FAILED.

    Raises:
        BaseException: a reader raised another error than it may, or took more than MOST_S or MOST_MEMORY.
    """
    random, refused = Random(f"{reader.name} {seed}"), 0
    with _limits():
        for _ in range(runs):
            content = mutated(random, reader.corpus)
            try:
                signal.setitimer(signal.ITIMER_REAL, MOST_S)
                reader.read(content)
            except reader.errors:
                refused += 1
            except BaseException as error:
                signal.setitimer(signal.ITIMER_REAL, 0)
                FAILED.mkdir(parents=True, exist_ok=True)
                file = FAILED / f"failed-{reader.name}-{sha256(content).hexdigest()[:8]}"
                file.write_bytes(content)
                error.add_note(f"{reader.name}: the input is in {file}")
                raise
    return refused


@contextmanager
def _limits() -> Iterator[None]:
    """Raise TooSlow when the timer ends, and MemoryError beyond MOST_MEMORY more than is used now."""

    def end(*_: object) -> None:
        raise TooSlow

    limits, handler = getrlimit(RLIMIT_AS), signal.signal(signal.SIGALRM, end)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * getpagesize()
    setrlimit(RLIMIT_AS, (used + MOST_MEMORY, limits[1]))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        setrlimit(RLIMIT_AS, limits)
        signal.signal(signal.SIGALRM, handler)


class Files:
    """A snapshot, or an archive, in memory."""

    title = "https://observatory.example/snapshots/demo-2026-11-23"

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = {PurePosixPath(name): content for name, content in files.items()}

    def names(self) -> set[PurePosixPath]:
        return {*self._files}

    def exists(self, path: PurePosixPath) -> bool:
        return path in self._files

    def stream(self, path: PurePosixPath) -> Iterator[bytes]:
        if path not in self._files:
            raise FileNotFoundError(str(path))
        yield self._files[path]

    def archive(self) -> "Files":
        return Files({})


SIGNERS = read_signers(CORPUS / "signature/allowed_signers")
UNSIGNED = Policy(SIGNERS, NOW, frozenset({"unsigned"}))
SUMS = (REFERENCE / "SHA256SUMS").read_bytes()
SIGNED = (CORPUS / "signature/SHA256SUMS").read_bytes()
SIGNATURE = (CORPUS / "signature/SHA256SUMS.sig").read_bytes()
CHAIN = (
    Chain()
    .with_event("snapshot", "demo-2026-11-23", "0" * 64, NOW)
    .with_event("tombstone", "demo-2026-11-23", "1" * 64, NOW)
    .with_event("snapshot", "demo-2026-11-23-r2", "2" * 64, NOW)
)
IDENTITY = {"campaign": "demo", "cycle": "2026-11-23", "previous": {"folder": "a", "sha256": "0" * 64}}
TAKEN_BACK = "trials/8mbps/a~b/01/client-c1.pcapng.zst"
LISTED = f"{'0' * 64}  {TAKEN_BACK}\n"
OWN = {"snapshot": sha256(LISTED.encode()).hexdigest()}
REMOVED = {"path": TAKEN_BACK, "bytes": 3, "sha256": "0" * 64, "date": "2026-11-23", "reason": "asked"}
WITHDRAWN = {"date": "2026-11-23", "reason": "a wrong setting"}
COUNTS = {f"{fate}_{unit}": 9 for fate in ("arrived", "dropped", "left") for unit in ("packets", "bytes")}
QUEUE = {"parameters": {"seed": 1}, "downlink": {"clients": [{"name": "c1"} | COUNTS]}}
LINE = dict.fromkeys(("in_packets", "in_bytes", "out_bytes", "left_packets", "left_bytes"), 5)
DELAY = {"lines": [LINE, LINE], "lateness_ns": {"p50": 1, "p99": 2, "max": 3, "by_second": [1, 2]}}
LAYER = make_layer([run_script(), entry("x/y", bytes(600)), entry("z", type=tarfile.SYMTYPE, linkname="x/y")])
PORTS = (Port(client_host(1), service_host(1), 0, 0),)
SENT = {"client-c1": PortCounts(1, 2, 3, 4), "service-c1": PortCounts(5, 6, 7, 8)}


def _described(name: str) -> Callable[[bytes], object]:
    """Reads an unsigned snapshot that has such a file."""

    def described(content: bytes) -> object:
        sums = LISTED
        if name == "snapshot.json":
            sums += f"{sha256(content).hexdigest()}  {name}\n"
        return trusted(Files({"SHA256SUMS": sums.encode(), name: content}), UNSIGNED)

    return described


def _successors(content: bytes) -> Signers:
    return with_successors(SIGNERS, Files({"successors/01": content, "successors/01.sig": SIGNATURE}), NOW)


def _report(queue: bytes, delay: bytes) -> object:
    """The report that a daemon with these answers gives. gRPC refuses texts that are not UTF-8 itself."""
    answers = [parsed_answer(text.decode("utf-8", "replace"), "finish") for text in (queue, delay)]
    return complete(answers[0], from_json(DelayReport, answers[1], "delay"), SENT, PORTS)


def _capture(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "capture"
        file.write_bytes(content)
        read(file)
        publish(file, Path(folder) / "copy")


def _image(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "image.tar"
        file.write_bytes(content)
        layout = ImageLayout(file)
        found = layout.image()
        manifest = layout.checked_part(found, Manifest)
        start_of(found.digest, layout.config(manifest))
        copied_layout(layout, manifest, Path(folder) / "copy")


def _layer(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "layer"
        file.write_bytes(content)
        LayerCheck().check(file, 1)


def _image_file() -> bytes:
    """A tar file of a whole image."""
    with tempfile.TemporaryDirectory() as folder:
        layout, file = make_image(Path(folder) / "image", run_script()).folder, Path(folder) / "image.tar"
        with tarfile.open(file, "w") as tar:
            tar.add(layout, arcname=".")
        return file.read_bytes()


def _json(*values: object) -> tuple[bytes, ...]:
    return tuple(json.dumps(value).encode() for value in values)


READERS = [
    Reader("submission", lambda content: read_form(content, "s.yaml", TODAY), (VALID.encode(),)),
    Reader("sums", lambda content: parse_listing(content, "SHA256SUMS"), (SUMS,)),
    Reader("chain", lambda content: parse_chain(content, "chain.jsonl"), (CHAIN.content,)),
    Reader("signature", lambda content: SIGNERS.check(SIGNED, content, SNAPSHOT, NOW, "s.sig"), (SIGNATURE,)),
    Reader("successors", _successors, ((CORPUS / "signature/allowed_signers").read_bytes(),)),
    Reader(
        "tombstone",
        _described("tombstone.json"),
        _json({"removed": [REMOVED]} | OWN, {"withdrawn": WITHDRAWN} | OWN),
    ),
    Reader("identity", _described("snapshot.json"), _json(IDENTITY)),
    Reader(
        "bess-queue", lambda content: _report(content, *_json(DELAY)), _json(QUEUE), (UserError, BessError)
    ),
    Reader(
        "bess-delay", lambda content: _report(*_json(QUEUE), content), _json(DELAY), (UserError, BessError)
    ),
    Reader("image", _image, (_image_file(),)),
    Reader("layer", _layer, (LAYER, gzip.decompress(LAYER))),
    Reader("capture", _capture, tuple(path.read_bytes() for path in sorted((CORPUS / "capture").iterdir()))),
]
