"""The text of an access code: 128 random bits and a check, in Crockford's base 32, in groups of four.

The check is the number modulo a prime below 1,024. So one wrong character, or two neighbours swapped, makes
no other code but one with a typo: no difference of two such numbers is a multiple of the prime.
"""

import secrets

from scripts.base.errors import UserError

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BITS = 128
PRIME = 1021
BODY, CHECK = 26, 2
GROUP = 4
_SAME = str.maketrans("OIL", "011", " -")


def new_code() -> str:
    """A new code, with dashes between its groups."""
    text = _with_check(secrets.randbits(BITS))
    return "-".join(text[start : start + GROUP] for start in range(0, len(text), GROUP))


def normalised(code: str, where: str) -> str:
    """A code without spaces and dashes, in capital letters, O as 0, I and L as 1.

    Args:
        code: the code as it was written.
        where: the file and the key that an error names.

    Raises:
        UserError: it is incomplete or has a typo. The message does not have it.
    """
    text = code.upper().translate(_SAME) if code.isascii() else ""
    if len(text) == BODY + CHECK and set(text) <= set(ALPHABET):
        number = _number(text[:BODY])
        if number < 2**BITS and _with_check(number) == text:
            return text
    raise UserError(
        f"{where}: this code has a typo; copy it again, with all of its {BODY + CHECK} letters and digits"
    )


def _with_check(number: int) -> str:
    return _digits(number, BODY) + _digits(number % PRIME, CHECK)


def _digits(number: int, length: int) -> str:
    base = len(ALPHABET)
    return "".join(ALPHABET[number // base**place % base] for place in reversed(range(length)))


def _number(text: str) -> int:
    number = 0
    for character in text:
        number = number * len(ALPHABET) + ALPHABET.index(character)
    return number
