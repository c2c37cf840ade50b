"""Conversion between JSON and frozen dataclasses, which carry all data that packages exchange.

The record of a file that people write defines each key once. `about` says which values a field takes, the
text below the field what it means, and `with_rules` what holds for several fields. scripts/model/schemas.py
makes the JSON Schema from it, and docs/settings.md is written from it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path, PurePath
from typing import TypeVar

import msgspec

from scripts.base.errors import UserError
from scripts.base.files import read_json, write_text

Number = int | float
"""A JSON number: 8 stays an integer, 0.5 a float."""

Scalar = int | float | bool | str
"""A JSON value that is neither null, nor a list, nor a mapping."""

Json = Mapping[str, "Json"] | list["Json"] | tuple["Json", ...] | str | int | float | bool | None
"""A JSON value. msgspec cannot read a field of this type; such a field of a record is an `object`."""

Record = TypeVar("Record")

RULES: dict[str, dict[str, Json]] = {}
"""What `with_rules` adds to the schema of a record, by the name of its class."""


def about(**schema: Json) -> msgspec.Meta:
    """The JSON Schema that the values of a field match in a file, besides their type.

    `from_json` does not check it. Besides JSON Schema, a field may have:

    - `because`: what an error says instead of the violation; `secret`: that it does not show the value.
    - `in_file`: the schema in place of that of the type, where the file is completed to the record. False:
      no file has the key.
    - `planned`: that the plan adds the key, and people do not write it.
    """
    return msgspec.Meta(extra_json_schema={**schema})


def with_rules(**schema: Json) -> Callable[[type[Record]], type[Record]]:
    """Add to the JSON Schema of a record, as a decorator: what holds for several of its keys."""

    def add(record: type[Record]) -> type[Record]:
        RULES[record.__name__] = schema
        return record

    return add


def with_fields(*names: str) -> Callable[[type[Record]], type[Record]]:
    """Add optional fields with any JSON value to a record, below its decorator `dataclass`."""

    def add(record: type[Record]) -> type[Record]:
        for name in names:
            record.__annotations__[name] = object
            setattr(record, name, None)
        return record

    return add


def require_version(found: object, known: int, origin: str) -> None:
    """Refuse a file of an earlier or a later format than the one that is read (docs/formats.md).

    Args:
        found: the version that the file tells.
        known: the version that is read.
        origin: the file that an error names.

    Raises:
        UserError: they differ.
    """
    if found != known:
        raise UserError(f"{origin}: has version {found} of its format; this program reads version {known}")


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
        return msgspec.convert(content, kind, dec_hook=_path)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise UserError(f"{origin}: {error}; write it again") from error


def read_record(kind: type[Record], path: Path) -> Record:
    """Read a JSON file as a record.

    Raises:
        UserError: the file cannot be read, is not valid JSON, or does not match the record.
    """
    return from_json(kind, read_json(path), str(path))


def write_record(path: Path, record: object) -> None:
    """Write a dataclass as a JSON file, whole or not at all."""
    write_text(path, json.dumps(to_json(record), indent=1, ensure_ascii=False) + "\n")


def to_json(value: object) -> Json:
    """The reverse of `from_json`, for `json.dumps`. Fields that equal their default are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        present = ((field.name, getattr(value, field.name), _default(field)) for field in fields(value))
        return {name: to_json(held) for name, held, default in present if held != default}
    if isinstance(value, Mapping):
        return {str(key): to_json(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(held) for held in value]
    if isinstance(value, PurePath):
        return value.as_posix()
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _path(kind: type, value: object) -> object:
    """The value of a field that is a path, or any object."""
    return Path(value) if kind is Path and isinstance(value, str) else value


def _default(field: "Field[object]") -> object:
    """A field's default, or MISSING, which equals no value."""
    return field.default_factory() if field.default_factory is not MISSING else field.default
