"""YAML files that hold one mapping, with errors that name file, line and key."""

from pathlib import Path
from typing import Any

import yaml

from scripts.base.errors import UserError


class _UniqueKeys(yaml.SafeLoader):
    """A loader that refuses a key standing twice in one mapping, which YAML forbids and PyYAML lets pass."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for node_of_key, _ in node.value:
            key = self.construct_object(node_of_key, deep=True)
            if key in seen:
                problem = f"the key {key} stands there twice"
                raise yaml.constructor.ConstructorError(None, None, problem, node_of_key.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


def load_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML mapping.

    Raises:
        UserError: the file is missing, is not YAML, or is no mapping.
    """
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), _UniqueKeys)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise UserError(f"{path}:{line}: not valid YAML: {error.problem}") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}: must be a mapping of keys to values")
    return content
