"""Conversion between JSON and frozen dataclasses, which carry all data that packages exchange."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from scripts.base.errors import UserError
from scripts.base.files import read_json

Number = int | float
"""A JSON number: 8 stays an integer, 0.5 a float."""

Json = Mapping[str, "Json"] | list["Json"] | tuple["Json", ...] | str | int | float | bool | None
"""A JSON value. msgspec cannot read a field of this type; such a field of a record is an `object`."""

Record = TypeVar("Record")


def from_json(kind: type[Record], content: object, origin: str) -> Record:
    """Convert parsed JSON to the dataclass `kind`, including the records inside it.

    Keys that the dataclass does not have are ignored.

    Args:
        kind: a frozen dataclass.
        content: a mapping, as `json.loads` returns it.
        origin: the file that an error names.

    Raises:
        UserError: a field is missing, has another type, or has text that is not Unicode: an escape in JSON
            may be half of a surrogate pair.
    """
    try:
        return msgspec.convert(content, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise UserError(f"{origin}: {error}; write it again") from error


def read_record(kind: type[Record], path: Path) -> Record:
    """Read a JSON file as a record.

    Raises:
        UserError: the file cannot be read, is not valid JSON, or does not match the record.
    """
    return from_json(kind, read_json(path), str(path))


def to_json(value: object) -> Json:
    """The reverse of `from_json`, for `json.dumps`. Fields that equal their default are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        present = ((field.name, getattr(value, field.name), _default(field)) for field in fields(value))
        return {name: to_json(held) for name, held, default in present if held != default}
    if isinstance(value, Mapping):
        return {str(key): to_json(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(held) for held in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _default(field: "Field[object]") -> object:
    """A field's default, or MISSING, which equals no value."""
    return field.default_factory() if field.default_factory is not MISSING else field.default
