"""A trial's specification: the JSON file the plan wrote (config/schemas/trial.yaml)."""

import json
from pathlib import Path
from typing import Any

from scripts.errors import UserError
from scripts.schemas import check


def load_spec(path: Path) -> dict[str, Any]:
    """Read and check a specification.

    Raises:
        UserError: the file is missing, is not JSON, or is not as the schema says.
    """
    try:
        spec = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{error.lineno}: not valid JSON: {error.msg}") from error
    check(spec, "trial", lambda keys: str(path))
    return dict(spec)
