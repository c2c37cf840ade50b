"""The random names of submissions and codes."""

import re
import secrets

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
LENGTH = 8
IDENTITY = re.compile(f"[a-z0-9]{{{LENGTH}}}")
TOKEN_BYTES = 16


def new_identity() -> str:
    """Eight random letters and digits."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def new_token() -> str:
    """128 random bits in hexadecimal."""
    return secrets.token_hex(TOKEN_BYTES)
