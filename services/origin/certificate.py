"""The certificate of one self-hosted service in one trial."""

import base64
import hashlib
import subprocess
from collections.abc import Sequence
from pathlib import Path

from services.use_time import SHARED

PINNED_KEY = "origin-key.sha256"


def make_certificate(names: Sequence[str], work: Path, directory: Path) -> None:
    """Make key.pem and certificate.pem in `work`, and the key's hash in SHARED of `directory`."""
    key, certificate = str(work / "key.pem"), str(work / "certificate.pem")
    command = ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-days", "30", "-subj", f"/CN={names[0]}"]
    command += ["-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names)]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
    public = ["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"]
    der = subprocess.run(public, check=True, stdout=subprocess.PIPE).stdout
    (directory / SHARED / PINNED_KEY).write_bytes(base64.b64encode(hashlib.sha256(der).digest()))


def pinned_key(directory: Path) -> str:
    """The SHA-256 of the service's public key, in base64, in the form of Chromium's list of accepted keys."""
    return (directory / SHARED / PINNED_KEY).read_text(encoding="ascii")
