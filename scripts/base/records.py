"""Frozen dataclasses from JSON and back. Every mapping that crosses a border between rooms is one."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from scripts.base.errors import UserError
from scripts.base.files import read_json

Number = int | float
"""A number as JSON has it: 8 stays 8, and 0.5 stays 0.5."""

Json = Mapping[str, "Json"] | list["Json"] | tuple["Json", ...] | str | int | float | bool | None
"""What JSON can hold."""

Record = TypeVar("Record")


def from_json(kind: type[Record], content: object, origin: str) -> Record:
    """Make a record of the dataclass `kind`, and of the records inside it, from parsed JSON.

    Keys that the dataclass does not know are left out.

    Args:
        kind: a frozen dataclass.
        content: a mapping, as `json.loads` returns it.
        origin: the file to name in an error.

    Raises:
        UserError: a field is missing or has another type.
    """
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        raise UserError(f"{origin}: {error}; write it again") from error


def read_record(kind: type[Record], path: Path) -> Record:
    """Read a JSON file as a record.

    Raises:
        UserError: the file cannot be read, is not valid JSON, or is no such record.
    """
    return from_json(kind, read_json(path), str(path))


def to_json(value: object) -> Json:
    """The reverse of `from_json`: what `json.dumps` takes. Fields that have their default are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        present = ((field.name, getattr(value, field.name), _default(field)) for field in fields(value))
        return {name: to_json(held) for name, held, default in present if held != default}
    if isinstance(value, Mapping):
        return {str(key): to_json(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(held) for held in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _default(field: "Field[object]") -> object:
    """A field's default; MISSING, which equals no value, where it has none."""
    return field.default_factory() if field.default_factory is not MISSING else field.default
