"""docs/settings.md: every key of the files that people write, from the records that check them."""

import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from scripts.base.files import ROOT
from scripts.base.yaml_files import load_yaml
from scripts.model.disciplines import DISCIPLINES
from scripts.model.schemas import BOUNDS, described
from scripts.reference.markdown import head, row

FILES = {
    "config/config.yaml and config/campaigns/": ("scripts.model.campaign", "Campaign"),
    "services/catalogue/": ("scripts.model.services", "Service"),
    "endpoint.yaml": ("scripts.model.endpoint", "Endpoint"),
    "config/hosts.yaml": ("scripts.hosts.settings", "HostsSettings"),
    "config/operate.yaml": ("scripts.operate.settings", "OperateSettings"),
    "config/browser.yaml": ("services.browser_settings", "BrowserSettings"),
    "config/bess.yaml": ("testbed.bess.daemon_settings", "DaemonSettings"),
    "config/site.yaml": ("scripts.site.settings", "SiteSettings"),
    "config/papers/": ("scripts.site.root.paper_files", "Paper"),
    "config/gate.yaml": ("scripts.gate.margins", "GateSettings"),
    "A submission": ("scripts.model.submission", "Form"),
}
"""The record of each file, by its module. It is imported by name, since no script may import `testbed`."""

HEAD = """# Settings

Every key of the files that people write: what it may be, its default, what it means. A default is what the
repository's file says, else what holds without the key. The command `python -m scripts.reference`
writes this page from the records that check the files.
"""
COLUMNS = head("key", "values", "default", "meaning")

BOUND_WORDS = BOUNDS | {
    "minItems": "items: at least",
    "maxItems": "items: at most",
    "minLength": "characters: at least",
    "maxLength": "characters: at most",
    "pattern": "matches",
}
TYPES = {"string": "text", "boolean": "true or false", "integer": "whole number", "object": "mapping"}

Schema = Mapping[str, Any]


def page() -> str:
    """The page, as Markdown."""
    parts = [line for name, place in FILES.items() for line in _file(name, *place)]
    return "\n".join([HEAD, *parts, *_disciplines()]) + "\n"


def _file(name: str, module: str, record: str) -> Iterator[str]:
    """One file: a table of its keys, and one of each record inside it, named by where it is first."""
    schema = described(getattr(import_module(module), record))
    path = ROOT / name.partition(" ")[0]
    values = load_yaml(path) if path.is_file() else {}
    places = _places(schema)
    yield f"## {name}\n"
    yield from _table(schema, values, places, schema["$defs"])
    for inner, place in places.items():
        yield f"### {place}\n"
        yield from _table(schema["$defs"][inner], _at(values, place), places, schema["$defs"])


def _places(schema: Schema) -> dict[str, str]:
    """The path of keys to the first value of each record inside a file, by the record."""
    found: dict[str, str] = {}
    left: list[tuple[str, Schema]] = [("", schema)]
    for above, record in left:
        for key, value in _written(record):
            for name, place in _inside(value, f"{above}{key}"):
                if name not in found:
                    found[name] = place
                    left.append((f"{place}.", schema["$defs"][name]))
    return found


def _inside(schema: Schema, place: str) -> Iterator[tuple[str, str]]:
    """The records that a value may have, each with its place."""
    if "$ref" in schema:
        yield _named(schema), place
    for choice in schema.get("anyOf", ()):
        yield from _inside(choice, place)
    for key, suffix in (("items", "[]"), ("additionalProperties", ".<name>")):
        if isinstance(schema.get(key), Mapping):
            yield from _inside(schema[key], place + suffix)


def _named(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _at(values: Any, place: str) -> Any:
    """The value at a place of the repository's file; an empty mapping without one."""
    for key in place.split("."):
        values = values.get(key) if isinstance(values, Mapping) else None
    return values if isinstance(values, Mapping) else {}


def _written(record: Schema) -> list[tuple[str, Schema]]:
    """The keys of a record that people write; the plan adds others to it (`planned`)."""
    return [(key, value) for key, value in record["properties"].items() if not value.get("planned")]


def _table(
    record: Schema, values: Schema, places: Mapping[str, str], records: Mapping[str, Schema]
) -> Iterator[str]:
    yield f"{record['description']}\n\n{COLUMNS}"
    for key, value in _written(record):
        inner = (records[name]["description"].partition("\n")[0] for name, _ in _inside(value, ""))
        meaning = value["description"] or next(inner, "")
        yield row(f"`{key}`", _words(value, places), _default(key, record, values), meaning)
    yield ""


def _default(key: str, record: Schema, values: Schema) -> str:
    """What holds without a key: the value of the repository's file, else that of the record."""
    value = values.get(key, record["properties"][key].get("default"))
    if value and isinstance(value, Mapping):
        return ""
    if key in values or value not in (None, "", [], ()):
        return f"`{json.dumps(value, ensure_ascii=False)}`"
    return "required" if key in record["required"] else ""


def _words(schema: Schema, places: Mapping[str, str]) -> str:
    """What a value may be, in words."""
    if "$ref" in schema:
        return f"see `{places[_named(schema)]}`"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{'null' if one is None else one}`" for one in schema["enum"])
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(_words(choice, places) for choice in choices)
    kinds = schema.get("type", "any value")
    names = [TYPES.get(kind, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    inner = schema.get("items", schema.get("additionalProperties"))
    of = f" of {_words(inner, places)}" if isinstance(inner, Mapping) else ""
    bounds = [f"{words} `{schema[key]}`" for key, words in BOUND_WORDS.items() if key in schema]
    different = ["all different"] if schema.get("uniqueItems") else []
    return ", ".join([" or ".join(names).replace("array", "list") + of, *bounds, *different])


def _disciplines() -> Iterator[str]:
    """The options of every queue discipline."""
    yield "## Options of queue disciplines\n"
    yield head("discipline", "key", "values", "default", "on pages")
    for name, discipline in DISCIPLINES.items():
        for key, option in discipline.options.items():
            default = f"`{json.dumps(option.default)}`"
            yield row(f"`{name}`", f"`{key}`", _words(option.schema, {}), default, option.words)
