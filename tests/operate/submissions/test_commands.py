"""The operator's commands."""

import json
from datetime import timedelta

import pytest

from scripts.operate.__main__ import main
from scripts.operate.submissions.codes import normalised, read_codes
from tests.operate.submissions.desk import TODAY

SOON = (TODAY + timedelta(days=5)).isoformat()


def told(office, capsys, *words):
    """The output of a command that succeeds."""
    capsys.readouterr()
    assert 0 == office.run(*words)
    return capsys.readouterr().out


def refused(office, capsys, *words):
    """The line of a command that fails."""
    capsys.readouterr()
    assert 2 == office.run(*words)
    (line,) = capsys.readouterr().err.splitlines()
    return line


def change(office, stored, **changes):
    path = office.data / f"submissions/{stored.id}/submission.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_new_code_is_printed_once_and_listed_by_its_id(office, capsys):
    code = told(office, capsys, "code", "new", "--tests", "2", "--expires", SOON, "--for", "a word").strip()
    assert normalised(code, "code")
    listed = told(office, capsys, "code", "list")
    assert code not in listed and "a word" in listed and "2 of 2" in listed and SOON in listed
    stored = next(one for one in read_codes(office.data) if one.purpose == "a word")
    told(office, capsys, "code", "revoke", stored.id)
    assert "revoked" in told(office, capsys, "code", "list")
    assert "has no code of this id" in refused(office, capsys, "code", "revoke", "00000000")


@pytest.mark.parametrize(
    "words",
    [
        ("--tests", "0", "--expires", SOON, "--for", "x"),
        ("--tests", "1001", "--expires", SOON, "--for", "x"),
        ("--tests", "005001", "--expires", SOON, "--for", "x"),
        ("--tests", "1", "--expires", "2020-01-01", "--for", "x"),
        ("--tests", "1", "--expires", "soon", "--for", "x"),
        ("--tests", "1", "--expires", SOON, "--for", "x\x1b[2J"),
        ("--tests", "1", "--expires", SOON, "--for", "x" * 81),
    ],
)
def test_a_code_with_wrong_options_is_not_made(words, office, capsys):
    with pytest.raises(SystemExit) as ended:
        office.run("code", "new", *words)
    assert 2 == ended.value.code
    assert "\x1b" not in capsys.readouterr().err
    assert 1 == len(read_codes(office.data))


def test_the_list_says_when_an_approved_submission_is_measured(office, capsys):
    first, second = office.add(), office.add(name="Other Films")
    told(office, capsys, "approve", first.id)
    rows = {row.split()[0]: row for row in told(office, capsys, "list").splitlines()}
    assert {"id", first.id, second.id} == rows.keys()
    assert " approved " in rows[first.id] and " about 20" in rows[first.id]
    assert " waiting " in rows[second.id] and " about 20" not in rows[second.id]
    assert "https://films.iana.org/watch?v=1" in rows[first.id] and "Other Films" in rows[second.id]


def test_show_tells_everything_but_the_contact(office, capsys):
    stored = office.add()
    shown = told(office, capsys, "show", stored.id)
    for part in ("Example Films", "https://films.iana.org/watch?v=1", stored.release, stored.code, "waiting"):
        assert part in shown
    assert f"/unlisted/{stored.token}/\n" in shown
    assert "me@iana.org" not in shown
    assert "contact: me@iana.org" in told(office, capsys, "show", stored.id, "--contact")
    assert "has no submission of this id" in refused(office, capsys, "show", "x\x1b[2J")


def test_only_what_waits_or_failed_is_approved(office, capsys):
    stored = office.add()
    assert "it is measured after the panel's cycle" in told(office, capsys, "approve", stored.id)
    assert "is approved; only one that waits or failed" in refused(office, capsys, "approve", stored.id)
    change(office, stored, problem="canary: no answer", approved="2020-01-01T00:00:00Z")
    told(office, capsys, "approve", stored.id)
    assert office.stored()[0].approved > "2026"
    change(office, stored, measured="2026-01-01T00:00:00Z")
    assert "is measured; only" in refused(office, capsys, "approve", stored.id)


@pytest.mark.parametrize(
    ("changes", "said", "left"),
    [
        ({}, "its code has the test back", 3),
        ({"begun": "2026-01-01T00:00:00Z"}, "nothing of it is published", 2),
        (
            {"begun": "2026-01-01T00:00:00Z", "measured": "2026-01-02T00:00:00Z"},
            "nothing of it is published",
            2,
        ),
    ],
)
def test_withdrawing_tells_what_becomes_of_it(changes, said, left, office, capsys):
    stored = office.add()
    change(office, stored, **changes)
    assert said in told(office, capsys, "withdraw", stored.id)
    assert ("withdrawn", left) == (office.stored()[0].state, office.tests_left())
    assert "is withdrawn; there is nothing to do" in refused(office, capsys, "withdraw", stored.id)


@pytest.mark.parametrize("reached", ["published", "released"])
def test_what_is_published_is_not_withdrawn_here(reached, office, capsys):
    stored = office.add()
    change(office, stored, measured="2025-12-31T00:00:00Z", cycle="2025-12-20")
    change(office, stored, **{reached: "2026-01-01T00:00:00Z"})
    assert "scripts.snapshot withdraw" in refused(office, capsys, "withdraw", stored.id)


@pytest.mark.parametrize(
    "words", [[], ["add"], ["list"], ["show"], ["approve"], ["withdraw"], ["watch"], ["code"]]
)
def test_every_command_has_help(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["submissions", *words, "--help"])
    assert 0 == ended.value.code and "usage: python -m scripts.operate submissions" in capsys.readouterr().out
