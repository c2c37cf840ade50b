"""Reads YAML files with errors that name file, line and key."""

from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from scripts.base.errors import UserError


class _UniqueKeys(yaml.CSafeLoader):
    """A loader, on libyaml, that refuses duplicate keys, which YAML forbids and PyYAML accepts."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in keys:
                problem = f"the key {key} is a duplicate"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            keys.add(key)
        return super().construct_mapping(node, deep)


def similar_files(name: str, folder: Path) -> str:
    """What a message says after a name that no file of a folder has: similar names, and where all are."""
    similar = get_close_matches(name, [file.stem for file in folder.glob("*.yaml")])
    return f"similar: {', '.join(similar)}; all: {folder}" if similar else f"all: {folder}"


def load_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML mapping.

    Raises:
        UserError: the file cannot be read, is not valid YAML, or is not a mapping.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_yaml(text, path)


def parse_yaml(text: str, path: Path) -> dict[str, Any]:
    """Parse a YAML mapping with which a file begins, or which is all of it.

    Raises:
        UserError: the text is not valid YAML, or is not a mapping.
    """
    try:
        content = yaml.load(text, _UniqueKeys)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise UserError(f"{path}:{line}: not valid YAML: {error.problem}") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}: must be a mapping of keys to values; write it again")
    return content
