"""Pseudonyms of addresses under a key: two addresses share a prefix of n bits exactly if their pseudonyms do.

The method is Crypto-PAn (Xu, Fan, Ammar and Moon 2002), by the package yacryptopan. The addresses of the
testbed itself, in 198.18.0.0/15 (RFC 2544), stay. No other address becomes one of these: the one prefix of
15 bits that would become theirs is mapped twice.
"""

import os
import secrets
import tempfile
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path

from scripts.base.errors import UserError

TESTBED = ip_network("198.18.0.0/15")
KEY_BYTES = 32


class Pseudonyms:
    """Finds pseudonyms under one key of KEY_BYTES bytes."""

    def __init__(self, key: bytes) -> None:
        from yacryptopan import CryptoPAn  # a trial without live services needs none of it

        self._method = CryptoPAn(key)
        self.packed = cache(self._packed)

    def text(self, address: str) -> str:
        """The pseudonym of an address in text."""
        return str(ip_address(self.packed(ip_address(address).packed)))

    def _packed(self, address: bytes) -> bytes:
        """The pseudonym of an address of 4 or 16 bytes, in network byte order."""
        original = ip_address(address)
        if original in TESTBED:
            return address
        pseudonym = self._mapped(original)
        return (self._mapped(pseudonym) if pseudonym in TESTBED else pseudonym).packed

    def _mapped(self, address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
        return type(address)(self._method.anonymize_bin(int(address), address.version))


def read_or_make_key(path: Path) -> bytes:
    """The key of a cycle, which only its owner can read. It is made, whole or not at all, if it is missing.

    Raises:
        UserError: the file cannot be read or made, or is not a key.
    """
    try:
        if not path.exists():
            _make_key(path)
        key = path.read_bytes()
    except OSError as error:
        raise UserError(
            f"{path}: the key of the pseudonyms cannot be read or made: {error.strerror}"
        ) from error
    if len(key) != KEY_BYTES:
        raise UserError(
            f"{path}: is not a key of {KEY_BYTES} bytes; restore it, or remove all that was published"
        )
    return key


def _make_key(path: Path) -> None:
    """Make the key. If another process makes one at the same time, both read the one that was there first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)  # mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(temporary)
