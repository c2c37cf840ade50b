"""Checks against JSON Schemas, with errors that name the file, the key and what to do.

The schemas are config/schemas/<name>.yaml, and those that modules of scripts/model/ make: `disciplines`,
`problems` and `validity`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry, Resource

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import Json
from scripts.base.yaml_files import load_yaml
from scripts.model import disciplines, problems, rules

_BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
}

SCHEMAS = ROOT / "config/schemas"

Keys = list[str | int]
"""The keys that lead to a value in a file."""


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Load config/schemas/<name>.yaml."""
    return load_yaml(SCHEMAS / f"{name}.yaml")


@cache
def _validator(name: str) -> Draft202012Validator:
    schemas: dict[str, Mapping[str, Json]] = {
        path.name: load_schema(path.stem) for path in sorted(SCHEMAS.glob("*.yaml"))
    }
    schemas |= {
        "disciplines": disciplines.schema(),
        "problems": problems.schema(),
        "validity": rules.schema(),
    }
    registry: Registry = Registry().with_resources(
        (key, Resource.from_contents(schema)) for key, schema in schemas.items()
    )
    return Draft202012Validator(schemas[f"{name}.yaml"], registry=registry)


def check(content: object, schema: str, origin: Callable[[Keys], str]) -> None:
    """Check `content` against config/schemas/<schema>.yaml.

    Args:
        content: what was read.
        schema: the schema's name.
        origin: returns the file to name in the error, from the keys of the wrong value.

    Raises:
        UserError: the most relevant violation, in one line.
    """
    error = best_match(_validator(schema).iter_errors(content))
    if error is not None:
        message, extra = _explained(error)
        keys = [*error.absolute_path, *extra]
        where = ".".join(str(key) for key in keys) or "the file"
        raise UserError(f"{origin(keys)}: {where}: {message}")


def _explained(error: ValidationError) -> tuple[str, Keys]:
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
    if error.validator in _BOUNDS:
        return f"is {found}; it must be {_BOUNDS[error.validator]} {bound}", []
    return error.message, []
