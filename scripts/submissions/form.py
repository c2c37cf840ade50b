"""The file of a submission, checked (scripts/model/submission.py has its record).

What depends on the panel is checked by scripts/submissions/definition.py, and the code by codes.py.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from scripts.base.errors import UserError
from scripts.base.plain import shown
from scripts.base.records import from_json
from scripts.model.schemas import schema_of
from scripts.model.submission import PUBLIC, Form
from scripts.submissions.addresses import Address, check_workload, checked_address
from scripts.submissions.host_names import is_public
from scripts.submissions.reading import parse

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
    return "".join(one for one in text.upper() if one.isalnum())


def _explained(error: ValidationError) -> str:
    """The key, what is wrong with it, and what to do."""
    found, schema, needed = error.instance, error.schema, error.validator_value
    if error.validator == "additionalProperties" and isinstance(found, Mapping):
        known = schema_of(Form)["properties"]
        unknown = next(key for key in found if key not in known)
        return f"{shown(unknown)}: is an unknown key; the keys are: {', '.join(known)}"
    if error.validator == "required" and isinstance(needed, list) and isinstance(found, Mapping):
        return f"{next(key for key in needed if key not in found)}: is missing; add it"
    key = str(error.absolute_path[0])
    because = schema.get("because", "write it again") if isinstance(schema, Mapping) else ""
    value = "this" if key == SECRET else _said(found)
    return f"{key}: cannot be {value}; {because}"


def _said(found: object) -> str:
    """A value as a message says it."""
    if isinstance(found, str):
        return shown(found) or "empty"
    return "a mapping" if isinstance(found, Mapping) else "this list"


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
