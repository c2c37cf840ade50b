"""Access codes: their text, their tests, and that storing a submission debits them."""

import json
import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from scripts.base.errors import UserError
from scripts.operate.submissions import codes
from scripts.operate.submissions.codes import (
    ALPHABET,
    AccessCode,
    new_code,
    normalised,
    read_codes,
    valid_code,
)
from scripts.operate.submissions.desk import withdraw
from tests.operate.submissions.desk import TODAY

NOW = datetime.now(UTC)


def is_code(text):
    try:
        normalised(text, "code")
    except UserError as error:
        assert text not in str(error)
        return False
    return True


def test_a_code_is_in_seven_groups_of_four():
    for _ in range(200):
        assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){6}", new_code())


def test_codes_differ():
    assert 200 == len({new_code() for _ in range(200)})


def test_every_wrong_character_is_a_typo():
    for _ in range(3):
        text = normalised(new_code(), "code")
        for place, right in enumerate(text):
            for wrong in set(ALPHABET) - {right}:
                assert not is_code(text[:place] + wrong + text[place + 1 :])


def test_two_swapped_neighbours_are_a_typo():
    for _ in range(100):
        text = normalised(new_code(), "code")
        for place, (one, other) in enumerate(pairwise(text)):
            if one != other:
                assert not is_code(text[:place] + other + one + text[place + 2 :])


def test_case_spaces_dashes_and_similar_letters_do_not_matter():
    text = "0" * 26 + "00"
    assert text == normalised("oO0o-" * 7, "code")
    one = next(code for code in (normalised(new_code(), "code") for _ in range(1000)) if "1" in code)
    for other in (one.lower(), " ".join(one), one.replace("1", "l"), one.replace("1", "I")):
        assert one == normalised(other, "code")


def test_the_store_has_no_code_and_its_id_does_not_follow_from_it(office, monkeypatch):
    monkeypatch.setattr(codes, "new_code", lambda: office.code)
    office.new_code()
    first, second = read_codes(office.data)
    assert first.sha256 == second.sha256 and first.id != second.id
    text = office.code.replace("-", "")
    for path in office.data.rglob("*.json"):
        stored = path.read_text()
        assert text not in stored and office.code not in stored
        assert {"id", "sha256", "tests", "expires", "purpose"} == json.loads(stored).keys()


def test_every_stored_hash_is_compared(office, monkeypatch):
    """Also after the right one, so that the time does not tell which it was."""
    others = [office.new_code() for _ in range(5)]
    compared = []
    same = codes.hmac.compare_digest
    monkeypatch.setattr(codes.hmac, "compare_digest", lambda a, b: compared.append(a) or same(a, b))
    for text in (office.code, *others, "0" * 28):
        compared.clear()
        try:
            valid_code(office.data, text, "code", TODAY)
        except UserError:
            assert "0" * 28 == text
        assert 6 == len(set(compared)) == len(compared)


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "valid"),
        ({"expires": TODAY.isoformat()}, "valid"),
        ({"expires": (TODAY - timedelta(days=1)).isoformat()}, "expired"),
        ({"revoked": TODAY.isoformat()}, "revoked"),
        ({"tests": 0}, "used up"),
    ],
)
def test_the_state_of_a_code(changes, state):
    fields = {"id": "c", "sha256": "", "tests": 1, "expires": "2999-01-01", "purpose": ""} | changes
    assert state == AccessCode(**fields).state([], TODAY)


def test_each_stored_submission_uses_one_test(office):
    for left in (2, 1, 0):
        office.add()
        assert left == office.tests_left()
    with pytest.raises(UserError, match="the code is not valid"):
        office.add()
    assert 3 == len(office.stored())


def test_a_test_comes_back_only_before_the_submission_was_begun(office):
    first, second = office.add(), office.add()
    withdraw(office.data, first.id, NOW)
    assert 2 == office.tests_left()
    path = office.data / f"submissions/{second.id}/submission.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"begun": "2026-01-01T00:00:00Z"}))
    withdraw(office.data, second.id, NOW)
    assert 2 == office.tests_left()
