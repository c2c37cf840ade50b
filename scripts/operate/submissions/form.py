"""The file of a submission, read in bounded time and memory, and checked (scripts/model/submission.py).

It is a small part of YAML. A value is text, a list of texts, or a mapping of these. YAML's types are not
applied, so `on`, `1_000` and `2027-01-31` are text as they are written. PyYAML only splits the file into
events. It makes no objects of it. No message shows the access code: none about the syntax shows a key or a
value. What depends on the panel is checked by definition.py, and the code by codes.py.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from scripts.base.errors import UserError
from scripts.base.plain import plain, shown
from scripts.base.records import from_json
from scripts.model.schemas import schema_of
from scripts.model.submission import PUBLIC, Form
from scripts.operate.submissions.addresses import Address, check_workload, checked_address, is_public

MOST_BYTES = 64_000
MOST_DEPTH = 4
MOST_EVENTS = 1_000

FormValue = str | list["FormValue"] | dict[str, "FormValue"]
"""What a file holds."""


def read_bytes(path: Path) -> bytes:
    """Read a file that a stranger may have made: a regular file, never through a link, at most `MOST_BYTES`.

    Raises:
        UserError: it cannot be read, is a link or no regular file, or is too large.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise UserError(f"{plain(str(path))}: cannot be read, or is a link; give the file itself") from error
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise UserError(f"{plain(str(path))}: is not a regular file; give the file itself")
        with os.fdopen(opened, "rb", closefd=False) as file:
            content = file.read(MOST_BYTES + 1)
    finally:
        os.close(opened)
    if len(content) > MOST_BYTES:
        raise UserError(
            f"{plain(str(path))}: the file: has more than {MOST_BYTES} bytes; a submission is shorter"
        )
    return content


def parse(content: bytes, origin: str) -> dict[str, FormValue]:
    """The mapping that a file holds.

    Args:
        content: the file, at most `MOST_BYTES`.
        origin: the file that an error names.

    Raises:
        UserError: the file is not UTF-8, has characters that are not printable, is not valid YAML, or has
            what a submission does not need: tags, anchors, aliases, merges, duplicate keys, several
            documents, deep nesting.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{origin}: the file: is not UTF-8; save it as UTF-8") from error
    _check_characters(text, origin)
    try:
        return _document(text, origin)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark else "the file"
        # PyYAML quotes the name of a tag; what a typo turned into one may be the code.
        problem = plain((getattr(error, "problem", None) or "it cannot be read").partition(" '!")[0])
        raise UserError(f"{origin}: {where}: is not valid YAML: {problem}; write it again") from error


def _check_characters(text: str, origin: str) -> None:
    """Raise UserError if there is a character that is neither printable nor the end of a line."""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        for character in line:
            if not character.isprintable():
                raise UserError(f"{origin}: line {number}: has the character {plain(character)}; remove it")


def _document(text: str, origin: str) -> dict[str, FormValue]:
    """The only document of a file. Every event is checked before the next one is asked for."""
    events = _checked(yaml.parse(text, Loader=yaml.SafeLoader), origin)
    first = next(events, None)
    if first is None:
        raise UserError(f"{origin}: the file: is empty; write keys and values")
    content = _value(first, events, origin)
    if not isinstance(content, dict):
        raise UserError(f"{origin}: the file: must be a mapping of keys to values; write it again")
    for _ in events:  # the end of the document, and what must not follow it
        pass
    return content


def _checked(events: Iterator[yaml.Event], origin: str) -> Iterator[yaml.Event]:
    """The events of the values of one document."""
    depth = documents = 0
    for number, event in enumerate(events):
        where = f"{origin}: {_line(event)}"
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if documents > 1:
            raise UserError(f"{where}: begins a second document; send one file for each submission")
        if isinstance(event, yaml.DocumentStartEvent) and (event.version or event.tags):
            raise UserError(f"{where}: has a directive; remove the line that begins with %")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise UserError(f"{where}: has an anchor or an alias; write the value itself")
        if getattr(event, "tag", None) is not None:
            raise UserError(f"{where}: has a tag (!); remove it, every value is text")
        if depth > MOST_DEPTH:
            raise UserError(f"{where}: is nested more than {MOST_DEPTH} deep; write it flat")
        if number >= MOST_EVENTS:
            raise UserError(f"{where}: has more than {MOST_EVENTS} parts; a submission is shorter")
        if isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
            yield event


def _value(event: yaml.Event, events: Iterator[yaml.Event], origin: str) -> FormValue:
    """The value that begins with an event."""
    if isinstance(event, yaml.ScalarEvent):
        return _text(event, origin)
    if isinstance(event, yaml.SequenceStartEvent):
        listed: list[FormValue] = []
        while not isinstance(following := next(events), yaml.SequenceEndEvent):
            listed.append(_value(following, events, origin))
        return listed
    mapping: dict[str, FormValue] = {}
    while not isinstance(following := next(events), yaml.MappingEndEvent):
        key = _key(following, origin)
        if key in mapping:
            where = _line(following)
            raise UserError(f"{origin}: {where}: this key is a duplicate; write it once")
        mapping[key] = _value(next(events), events, origin)
    return mapping


def _key(event: yaml.Event, origin: str) -> str:
    where = f"{origin}: {_line(event)}"
    if not isinstance(event, yaml.ScalarEvent):
        raise UserError(f"{where}: a key must be a word; write it again")
    if event.value == "<<":
        raise UserError(f"{where}: has a merge (<<); write the keys themselves")
    return _text(event, origin)


def _line(event: yaml.Event) -> str:
    return f"line {event.start_mark.line + 1}" if event.start_mark else "the file"


def _text(event: yaml.ScalarEvent, origin: str) -> str:
    """The text of a scalar, which escapes in quotes and line breaks could give what a terminal acts on."""
    text = str(event.value)
    if not text.isprintable():
        where = f"{origin}: {_line(event)}"
        raise UserError(f"{where}: the text has a line break or a hidden character; write it on one line")
    return text


MOST_DAYS = 400
"""The most days until the results of a submission are released."""

SECRET = "code"
"""The key whose value no message has."""

LEAST_SECRET = 16
"""A shorter value of this key is no code, and may be in the file by chance."""


def read_form(
    content: bytes, origin: str, today: date, http: bool = False, is_public: Callable[[str], bool] = is_public
) -> tuple[Form, Address]:
    """Read and check the file of a submission.

    Args:
        content: the file.
        origin: the file that an error names.
        today: the day on which it is added.
        http: whether an address may be http:.
        is_public: whether a host name is public.

    Returns:
        What the file asks for, and its address as a client opens it.

    Raises:
        UserError: what is wrong with it, in one line.
    """
    mapping = parse(content, origin)
    _check_secret(content, mapping.get(SECRET), origin)
    error = best_match(Draft202012Validator(schema_of(Form)).iter_errors(mapping))
    if error is not None:
        raise UserError(f"{origin}: {_explained(error)}")
    form = from_json(Form, mapping, origin)
    address = checked_address(form.address, f"{origin}: address", http, is_public)
    check_workload(form.workload, f"{origin}: workload")
    _check_release(form.release, f"{origin}: release", today)
    return form, address


def _check_secret(content: bytes, secret: object, origin: str) -> None:
    """Raise UserError if the code is in the file twice: in a name, for example, it would be published."""
    code = _joined(secret) if isinstance(secret, str) else ""
    if len(code) >= LEAST_SECRET and _joined(content.decode("utf-8")).count(code) > 1:
        raise UserError(f"{origin}: {SECRET}: the file has it more than once; write it here only")


def _joined(text: str) -> str:
    """The letters and digits of a text, in capitals, as a code is compared."""
    return "".join(character for character in text.upper() if character.isalnum())


def _explained(error: ValidationError) -> str:
    """The key, what is wrong with it, and what to do."""
    instance, schema, needed = error.instance, error.schema, error.validator_value
    if error.validator == "additionalProperties" and isinstance(instance, Mapping):
        known = schema_of(Form)["properties"]
        unknown = next(key for key in instance if key not in known)
        return f"{shown(unknown)}: is an unknown key; the keys are: {', '.join(known)}"
    if error.validator == "required" and isinstance(needed, list) and isinstance(instance, Mapping):
        return f"{next(key for key in needed if key not in instance)}: is missing; add it"
    key = str(error.absolute_path[0])
    because = schema.get("because", "write it again") if isinstance(schema, Mapping) else ""
    value = "this" if key == SECRET else _said(instance)
    return f"{key}: cannot be {value}; {because}"


def _said(value: object) -> str:
    """A value as a message says it."""
    if isinstance(value, str):
        return shown(value) or "empty"
    return "a mapping" if isinstance(value, Mapping) else "this list"


def _check_release(release: str, where: str, today: date) -> None:
    """Raise UserError if the day of the release does not exist, is in the past, or is too far away."""
    if release == PUBLIC:
        return
    try:
        day = date.fromisoformat(release)
    except ValueError as error:
        raise UserError(f"{where}: there is no day {release}; write a day such as 2027-01-31") from error
    if not today <= day <= today + timedelta(days=MOST_DAYS):
        raise UserError(
            f"{where}: {release} is in the past, or more than {MOST_DAYS} days ahead; write another day"
        )
