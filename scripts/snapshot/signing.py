"""Signatures in the format of ssh-keygen (SSHSIG): made with a key, and taken apart.

Source: OpenSSH, PROTOCOL.sshsig.
"""

import base64
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from scripts.base.errors import UserError

OWNER = "internet-fairness-observatory"
SNAPSHOT = f"snapshot@{OWNER}"
"""The namespace of signatures of SHA256SUMS and tombstone.json."""
CHAIN = f"chain@{OWNER}"
SUCCESSOR = f"successor@{OWNER}"

BEGIN, END = b"-----BEGIN SSH SIGNATURE-----\n", b"-----END SSH SIGNATURE-----\n"
LINE_CHARACTERS = 70
REMEDY = "a key with a passphrase signs through ssh-agent; see docs/signing.md"
MAGIC, VERSION = b"SSHSIG", (1).to_bytes(4, "big")


@dataclass(frozen=True)
class Signature:
    """What a signature says about itself: the public key (base64), and what it is meant for."""

    key: str
    namespace: str

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key, as ssh-keygen prints it."""
        return fingerprint(self.key)


def fingerprint(key: str) -> str:
    """The fingerprint of a public key (base64), as ssh-keygen prints it."""
    found = base64.b64encode(sha256(base64.b64decode(key)).digest()).decode()
    return f"SHA256:{found.rstrip('=')}"


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
