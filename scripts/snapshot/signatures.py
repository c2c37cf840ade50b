"""Signatures in the format of ssh-keygen (SSHSIG), and who may sign: allowed_signers and its successors.

A successor of config/signers/allowed_signers is a file NN of the same format, beside a signature NN.sig by a
key of the file before. The order: allowed_signers, then successors/01, 02, … of this checkout, then those of
the archive that is read. Only a key of the newest list may name the next one, and every new line must begin
(`valid-after`) while that key is valid. So a stolen key of an earlier list names nobody. `valid-after` is
what the author of the list wrote. So a list of an archive counts only while the key that signed it is valid
now.

Source: OpenSSH, PROTOCOL.sshsig.
"""

import base64
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.snapshot.checksums import RefusedError
from scripts.snapshot.identity import SIGNATURE
from scripts.snapshot.source import Folder, Source, read_if_there

OWNER = "internet-fairness-observatory"
SNAPSHOT = f"snapshot@{OWNER}"
"""The namespace of signatures of SHA256SUMS and tombstone.json."""
CHAIN = f"chain@{OWNER}"
SUCCESSOR = f"successor@{OWNER}"

BEGIN, END = b"-----BEGIN SSH SIGNATURE-----\n", b"-----END SSH SIGNATURE-----\n"
LINE_CHARACTERS = 70
REMEDY = "a key with a passphrase signs through ssh-agent; see docs/signing.md"
MAGIC, VERSION = b"SSHSIG", (1).to_bytes(4, "big")

SIGNERS = ROOT / "config/signers/allowed_signers"
SUCCESSORS = PurePosixPath("successors")

LINE = re.compile(
    r"(?P<principals>[^\s\"#]+)\s+(?:(?P<options>(?:[^\s\"]|\"[^\"]*\")+)\s+)?"
    r"(?P<type>(?:ssh|sk-ssh|ecdsa|sk-ecdsa)-\S+)\s+(?P<key>[A-Za-z0-9+/=]+)(?:\s.*)?"
)
OPTION = re.compile(r'(?P<name>namespaces|valid-after|valid-before)="(?P<value>[^"]*)"')
SECONDS = "%Y%m%d%H%M%S"


@dataclass(frozen=True)
class Signature:
    """What a signature says about itself: the public key (base64), and what it is meant for."""

    key: str
    namespace: str

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key, as ssh-keygen prints it."""
        digest = base64.b64encode(sha256(base64.b64decode(self.key)).digest()).decode()
        return f"SHA256:{digest.rstrip('=')}"


def parse_signature(content: bytes) -> Signature:
    """Take a signature apart. Every byte of the file counts: ssh-keygen itself ignores some.

    Raises:
        ValueError: it is damaged.
    """
    blob = base64.b64decode(content.removeprefix(BEGIN).removesuffix(END))
    if _armor(blob) != content or blob[:10] != MAGIC + VERSION:
        raise ValueError("is not a signature of ssh-keygen")
    key, rest = _string(blob[10:])
    namespace, _ = _string(rest)
    return Signature(base64.b64encode(key).decode(), namespace.decode("utf-8"))


def sign_content(content: bytes, key: Path, namespace: str) -> bytes:
    """The signature of a content.

    Args:
        content: what is signed.
        key: the private key; its public half if ssh-agent has the private one.
        namespace: what the signature is meant for.

    Raises:
        UserError: ssh-keygen is not installed, or cannot use the key.
    """
    done = ssh_keygen(["-Y", "sign", "-f", str(key), "-n", namespace], content)
    if done.returncode != 0:
        reason = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise UserError(f"{key}: ssh-keygen cannot sign with it: {reason}; {REMEDY}")
    return done.stdout


def ssh_keygen(words: Sequence[str], content: bytes) -> "subprocess.CompletedProcess[bytes]":
    """Run ssh-keygen with a content on its standard input. Dates without a zone are UTC.

    Raises:
        UserError: it is not installed.
    """
    command, environment = ["ssh-keygen", *words], os.environ | {"TZ": "UTC"}
    try:
        return subprocess.run(command, input=content, capture_output=True, check=False, env=environment)
    except FileNotFoundError:
        raise UserError("ssh-keygen: is not installed; install the package openssh-client") from None


def _armor(blob: bytes) -> bytes:
    """The text of a signature."""
    text = base64.b64encode(blob)
    lines = [text[at : at + LINE_CHARACTERS] for at in range(0, len(text), LINE_CHARACTERS)]
    return BEGIN + b"".join(line + b"\n" for line in lines) + END


def _string(blob: bytes) -> tuple[bytes, bytes]:
    """The string at the beginning of a blob, and the rest."""
    end = 4 + int.from_bytes(blob[:4], "big")
    if end > len(blob):
        raise ValueError("is cut off")
    return blob[4:end], blob[end:]


@dataclass(frozen=True)
class SignerLine:
    """A line of allowed_signers: who, the public key (base64), and what it may sign since when."""

    text: str
    principal: str
    key: str
    namespaces: tuple[str, ...]
    valid_after: str | None


@dataclass(frozen=True)
class Signer:
    """Who made a signature: the name and the fingerprint of the key."""

    name: str
    fingerprint: str

    def __str__(self) -> str:
        return f"{self.name} ({self.fingerprint})"


@dataclass(frozen=True)
class Signers:
    """All keys that are trusted, and those of the newest list.

    Attributes:
        lines: every line.
        newest: the lines of the newest list.
        title: the file, for errors.
        fetched: the lists that come from an archive and not from this checkout.
    """

    lines: tuple[SignerLine, ...]
    newest: tuple[SignerLine, ...]
    title: str
    fetched: tuple[str, ...] = ()

    def check(self, content: bytes, signature: bytes, namespace: str, when: datetime, file: str) -> Signer:
        """Check a signature.

        Args:
            content: what was signed.
            signature: the signature.
            namespace: what it must be meant for.
            when: the time at which the key must be valid.
            file: the file of the signature, for errors.

        Raises:
            RefusedError: the signature is damaged, is not of this content, or its key may not have made it.
        """
        try:
            parsed = parse_signature(signature)
        except ValueError as error:
            raise RefusedError("flipped", file, "is damaged; fetch it again") from error
        if parsed.namespace != namespace:
            text = f"is meant for something else than {namespace}; do not trust it"
            raise RefusedError("wrong namespace", file, text)
        if not (known := [line for line in self.lines if line.key == parsed.key]):
            text = f"is by the key {parsed.fingerprint}, which {self.title} does not have; do not trust it"
            raise RefusedError("other key", file, text)
        if not (able := [line for line in known if namespace in line.namespaces]):
            text = f"is by {known[0].principal}, whose line in {self.title} lacks {namespace}"
            raise RefusedError("wrong namespace", file, text)
        for line in able:
            if _is_valid(line, content, signature, namespace, when):
                return Signer(line.principal, parsed.fingerprint)
        if not _holds(content, signature, namespace):
            raise RefusedError("flipped", file, "is not the signature of this content; fetch both again")
        text = f"is by {able[0].principal}, whose key was not valid at {when:%Y-%m-%dT%H:%M:%SZ}"
        raise RefusedError("expired", file, text)


def read_signers(file: Path = SIGNERS) -> Signers:
    """The keys of allowed_signers, and those of successors/ beside it.

    Raises:
        UserError: a file is missing or wrong, or a successor is not signed as it must be.
    """
    try:
        lines = _lines(file.read_bytes(), str(file))
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}; name the file of the signers") from error
    return with_successors(Signers(lines, lines, str(file)), Folder(file.parent), None)


def with_successors(signers: Signers, source: Source, now: datetime | None) -> Signers:
    """The keys, with those of successors/ in a folder or an archive. A list that is known changes nothing.

    Args:
        signers: the keys that are trusted before.
        source: where successors/ is.
        now: the time, for an archive; None for the lists that come with a checkout.

    Raises:
        UserError: a successor is wrong, or not signed by a key of the list before.
    """
    for number in range(1, 100):
        path = SUCCESSORS / f"{number:02d}"
        file = f"{source.title.rstrip('/')}/{path}"
        if (content := read_if_there(source, path)) is None:
            break
        lines = _lines(content, file)
        if all(line in signers.lines for line in lines):
            continue
        signature = read_if_there(source, path.with_name(path.name + SIGNATURE))
        if signature is None:
            raise RefusedError("unsigned", file, f"has no signature {path.name}{SIGNATURE}; fetch it again")
        newest = replace(signers, lines=signers.newest)
        for line in lines:
            if line.valid_after is None:
                raise UserError(f"{file}: {line.principal}: has no valid-after; add it, and sign again")
            newest.check(content, signature, SUCCESSOR, _moment(line.valid_after, file), file + SIGNATURE)
        if now is not None:
            newest.check(content, signature, SUCCESSOR, now, file + SIGNATURE)
        fetched = signers.fetched if now is None else (*signers.fetched, file)
        signers = Signers((*signers.lines, *lines), lines, signers.title, fetched)
    return signers


def _lines(content: bytes, file: str) -> tuple[SignerLine, ...]:
    """The lines of a file in the format of allowed_signers."""
    return tuple(
        _line(text, f"{file}: line {number}")
        for number, text in enumerate(content.decode("utf-8", "replace").splitlines(), start=1)
        if text.strip() and not text.startswith("#")
    )


def _line(text: str, title: str) -> SignerLine:
    match = LINE.fullmatch(text)
    options = dict(OPTION.findall((match["options"] or "") if match else ""))
    if match is None or not options.get("namespaces"):
        problem = 'a line is: NAME namespaces="…",valid-after="YYYYMMDDZ" TYPE KEY'
        raise UserError(f"{title}: {problem}; see docs/signing.md")
    namespaces = tuple(options["namespaces"].split(","))
    return SignerLine(text, match["principals"], match["key"], namespaces, options.get("valid-after"))


def _moment(text: str, file: str) -> datetime:
    """A date of allowed_signers: YYYYMMDD, or with hours and minutes, and seconds; UTC."""
    digits = text.removesuffix("Z").ljust(14, "0")
    try:
        return datetime.strptime(digits, SECONDS).replace(tzinfo=UTC)
    except ValueError as error:
        raise UserError(f"{file}: valid-after {text!r}: write YYYYMMDDZ or YYYYMMDDHHMMSSZ") from error


@contextmanager
def _file(content: bytes) -> Iterator[str]:
    """A temporary file for ssh-keygen."""
    with tempfile.NamedTemporaryFile(prefix="observatory-") as stream:
        stream.write(content)
        stream.flush()
        yield stream.name


def _holds(content: bytes, signature: bytes, namespace: str) -> bool:
    """Whether a signature is valid for this content, whichever key made it."""
    with _file(signature) as path:
        return ssh_keygen(["-Y", "check-novalidate", "-n", namespace, "-s", path], content).returncode == 0


def _is_valid(line: SignerLine, content: bytes, signature: bytes, namespace: str, when: datetime) -> bool:
    """Whether ssh-keygen accepts a signature at a time by one line of allowed_signers."""
    with _file(signature) as path, _file(f"{line.text}\n".encode()) as allowed:
        words = ["-Y", "verify", "-f", allowed, "-I", line.principal, "-n", namespace, "-s", path]
        moment = f"-Overify-time={when.astimezone(UTC):{SECONDS}}"
        return ssh_keygen([*words, moment], content).returncode == 0
