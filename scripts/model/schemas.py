"""The JSON Schemas of records, and checks against them with errors that name file, key and what to do."""

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import msgspec

from scripts.base.errors import UserError
from scripts.base.records import RULES, Record, from_json
from scripts.base.yaml_files import load_yaml

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

DIALECT = "https://json-schema.org/draft/2020-12/schema"

BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
}

Keys = list[str | int]
"""The keys that lead to a value in a file."""


class SchemaError(UserError):
    """A file that breaks its schema.

    Attributes:
        keys: those that lead to the wrong value.
    """

    def __init__(self, message: str, keys: Keys) -> None:
        super().__init__(message)
        self.keys = keys


@cache
def schema_of(record: type) -> dict[str, Any]:
    """The JSON Schema of a file with this record, without the meanings of its fields.

    It allows no other keys. A key whose default is null is absent instead.
    """
    _, parts = msgspec.json.schema_components(
        [record], schema_hook=lambda _: {"type": "string"}, ref_template="#/$defs/{name}"
    )
    definitions = {name: _in_file(part, RULES.get(name, {})) for name, part in parts.items()}
    return {"$schema": DIALECT, **definitions.pop(record.__name__), "$defs": definitions}


def described(record: type) -> dict[str, Any]:
    """The JSON Schema of a record for readers: with what each field means, also of the records inside it."""
    schema, records = schema_of(record), _records_of(record)
    definitions = {name: _described(records[name], part) for name, part in schema["$defs"].items()}
    return _described(record, schema) | {"$defs": definitions}


def meanings(record: type) -> dict[str, str]:
    """What each field of a record means: the text below the field in its class, as one line."""
    said: dict[str, str] = {}
    for base in reversed(record.__mro__[:-1]):
        (body,) = ast.parse(inspect.getsource(base)).body
        assert isinstance(body, ast.ClassDef)
        for field, text in pairwise(body.body):
            match field, text:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                    said[name] = " ".join(words.split())
    return said


def _described(record: type, schema: dict[str, Any]) -> dict[str, Any]:
    said = meanings(record)
    properties = {key: {"description": said.get(key, ""), **one} for key, one in schema["properties"].items()}
    return schema | {"properties": properties}


def _records_of(kind: Any) -> dict[str, type]:
    """The records in the type of a field, or in those of a record's fields, by the names of their classes."""
    if not is_dataclass(kind):
        parts, found = get_args(kind), {}
    else:
        assert isinstance(kind, type)
        parts, found = tuple(get_type_hints(kind).values()), {kind.__name__: kind}
    for part in parts:
        found |= _records_of(part)
    return found


def read_checked(record: type[Record], path: Path) -> Record:
    """Read a YAML file as a record.

    Raises:
        UserError: the file cannot be read, or breaks the schema of the record.
    """
    content = load_yaml(path)
    check(content, record, lambda _keys: str(path))
    return from_json(record, content, str(path))


def check(
    content: object, schema: type | Callable[[], dict[str, Any]], origin: Callable[[Keys], str]
) -> None:
    """Check what was read from a file against its schema.

    Args:
        content: what was read.
        schema: the record of the file, or a function that makes a schema.
        origin: returns the file to name in the error, from the keys of the wrong value.

    Raises:
        SchemaError: the most relevant violation, in one line.
    """
    from jsonschema.exceptions import best_match  # takes long to load, and measured trials need no check

    error = best_match(_validator(schema).iter_errors(content))
    if error is not None:
        message, extra = _explained(error)
        keys = [*error.absolute_path, *extra]
        where = ".".join(str(key) for key in keys) or "the file"
        raise SchemaError(f"{origin(keys)}: {where}: {message}", keys)


@cache
def _validator(schema: type | Callable[[], dict[str, Any]]) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema_of(schema) if isinstance(schema, type) else schema())


def _in_file(part: Mapping[str, Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a record, from the one that msgspec makes of its class, with what `with_rules` adds.

    The keywords are in the order in which errors of the same depth are reported.
    """
    written = {key: one for key, one in part["properties"].items() if one.get("in_file") is not False}
    properties = {key: _plain(one) for key, one in written.items()} | rules.get("properties", {})
    return {
        "description": inspect.cleandoc(part.get("description", "")),
        "type": "object",
        "additionalProperties": False,
        "required": [key for key in part.get("required", []) if key in properties],
        **rules,
        "properties": properties,
    }


def _plain(schema: Any) -> Any:
    """The schema of a value, with one type in place of alternatives where errors then say more."""
    if isinstance(schema, list):
        return [_plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "in_file" in schema:
        return schema["in_file"]
    first = {"$ref": schema["$ref"]} if "$ref" in schema else {}
    plain = first | {key: _plain(one) for key, one in schema.items()}
    choices = plain.pop("anyOf", [])
    if "default" in plain and plain["default"] is None:
        del plain["default"]
        choices = [one for one in choices if one != {"type": "null"}]
        if "enum" in plain:
            plain["enum"] = [one for one in plain["enum"] if one is not None]
    if {"type": "number"} in choices:
        choices = [one for one in choices if one != {"type": "integer"}]
    if len(choices) == 1:
        return choices[0] | plain
    if choices and all(one.keys() == {"type"} for one in choices):
        return {"type": [one["type"] for one in choices], **plain}
    return plain | ({"anyOf": choices} if choices else {})


KINDS = {
    "array": "a list",
    "object": "a mapping",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
"""What a file calls the types of JSON Schema."""


def _explained(error: "ValidationError") -> tuple[str, Keys]:
    """What is wrong and what to do, and the wrong key where the error's own path lacks it.

    A schema may give the reason under the key `because`, and say with `secret: true` that the value is not
    shown. Both keys are not part of JSON Schema.
    """
    bound: Any = error.validator_value
    found: Any = error.instance
    if isinstance(error.schema, dict) and "because" in error.schema:
        value = "this" if error.schema.get("secret") else "null" if found is None else found
        return f"cannot be {value}: {error.schema['because']}", []
    if error.validator == "additionalProperties" and isinstance(error.schema, dict):
        known = sorted(error.schema.get("properties", {}))
        unknown = [key for key in found if key not in known]
        return f"unknown key; known are: {', '.join(known)}", [str(unknown[0])]
    if error.validator == "required":
        missing = [key for key in bound if key not in found]
        return "is missing; add it", [str(missing[0])]
    if error.validator == "dependentRequired":
        missing = [key for given in bound if given in found for key in bound[given] if key not in found]
        return "is missing; add it", [missing[0]]
    if error.validator == "oneOf" and isinstance(found, dict):
        choices = [" and ".join(choice.get("required", [])) for choice in bound]
        return f"give exactly one of: {'; or '.join(choices)}", []
    if error.validator == "enum":
        return f"{found!r} is not one of {', '.join(map(str, bound))}", []
    if error.validator == "not" and bound == {}:
        return "does not go with the other keys; remove it", []
    if error.validator == "type":
        kinds = [bound] if isinstance(bound, str) else bound
        return f"is {found!r}; it must be {', or '.join(KINDS[kind] for kind in kinds)}", []
    if error.validator in BOUNDS:
        return f"is {found}; it must be {BOUNDS[error.validator]} {bound}", []
    return error.message, []
