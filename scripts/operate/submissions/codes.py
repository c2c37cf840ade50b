"""The access codes: data/submissions/codes/<id>.json. The code itself is printed once and kept nowhere.

A code has so many tests. Each stored submission uses one, unless it was withdrawn before it was begun. So the
number of tests that are left follows from the records, and storing a submission is what debits its code.

The text of a code has 128 random bits and a check, in Crockford's base 32, in groups of four.

The check is the number modulo a prime below 1,024. So one wrong character, or two neighbours swapped, makes
no other code but one with a typo: no difference of two such numbers is a multiple of the prime.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import write_text
from scripts.base.records import read_record, to_json
from scripts.model.submission import FOLDER, Submission, locked_submissions, read_submissions
from scripts.operate.submissions.records import new_identity

CODES = "codes"
REFUSAL = "the code is not valid; ask the operator for another"
"""The one answer for an unknown, a used-up, an expired and a revoked code."""


@dataclass(frozen=True)
class AccessCode:
    """What is stored of a code.

    Attributes:
        id: eight random letters and digits, which do not follow from the code.
        sha256: the hash of the code without dashes. It has 128 random bits, so nobody finds it by trying.
        tests: how many submissions it is good for.
        expires: the last day (ISO 8601, UTC) on which it is valid.
        purpose: the operator's note.
        revoked: the day on which the operator revoked it.
    """

    id: str
    sha256: str
    tests: int
    expires: str
    purpose: str
    revoked: str | None = None

    def tests_left(self, submissions: Sequence[Submission]) -> int:
        """How many submissions it is still good for, given all that are stored."""
        used = sum(submission.code == self.id and submission.uses_its_code for submission in submissions)
        return max(0, self.tests - used)

    def state(self, submissions: Sequence[Submission], today: date) -> str:
        """valid, revoked, expired or used up."""
        left = self.tests_left(submissions)  # counted in any case, so that every refusal takes as long
        if self.revoked:
            return "revoked"
        if self.expires < today.isoformat():
            return "expired"
        return "valid" if left else "used up"


def make_code(data: Path, tests: int, expires: date, purpose: str) -> str:
    """Store a new code, and return its text, which nothing else knows."""
    text = new_code()
    with locked_submissions(data):
        _write(
            data,
            AccessCode(new_identity(), _hash(normalised(text, "code")), tests, expires.isoformat(), purpose),
        )
    return text


def read_codes(data: Path) -> list[AccessCode]:
    """All codes, by the day on which they expire.

    Raises:
        UserError: a record is wrong.
    """
    paths = (data / FOLDER / CODES).glob("[!.]*.json")
    return sorted((read_record(AccessCode, path) for path in paths), key=lambda code: (code.expires, code.id))


def revoke_code(data: Path, identity: str, today: date) -> AccessCode:
    """Revoke a code. What was submitted with it stays.

    Raises:
        UserError: there is no such code.
    """
    with locked_submissions(data):
        code = next((code for code in read_codes(data) if code.id == identity), None)
        if code is None:
            raise UserError(f"{data / FOLDER / CODES}: has no code of this id; `code list` shows all of them")
        if not code.revoked:
            code = replace(code, revoked=today.isoformat())
            _write(data, code)
    return code


def valid_code(data: Path, text: str, where: str, today: date) -> AccessCode:
    """The stored code of a text. Hold the lock from here until the submission is stored.

    Every stored hash is compared, and the tests left of every code are counted, whatever the text is.

    Raises:
        UserError: the text has a typo; or it is no code, or one that is used up, expired or revoked.
    """
    digest = _hash(normalised(text, where))
    submissions = read_submissions(data)
    matching: AccessCode | None = None
    for code in read_codes(data):
        same = hmac.compare_digest(code.sha256, digest)
        valid = code.state(submissions, today) == "valid"
        matching = code if same and valid else matching
    if matching is None:
        raise UserError(f"{where}: {REFUSAL}")
    return matching


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _write(data: Path, code: AccessCode) -> None:
    path = data / FOLDER / CODES / f"{code.id}.json"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_text(path, json.dumps(to_json(code), indent=1) + "\n")


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
