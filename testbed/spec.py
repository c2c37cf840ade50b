"""A trial's specification: the JSON file the plan wrote (config/schemas/trial.yaml)."""

from pathlib import Path
from typing import Any

from scripts.base.files import read_json
from scripts.model.schemas import check


def load_spec(path: Path) -> dict[str, Any]:
    """Read and check a specification.

    Raises:
        UserError: the file cannot be read, is no JSON, or is not as the schema says.
    """
    spec = read_json(path)
    check(spec, "trial", lambda keys: str(path))
    return spec
