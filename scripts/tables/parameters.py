"""What the tables ask of the campaign's merged configuration, as bind parameters of their SQL."""

import json
from pathlib import Path
from typing import Any

from scripts.errors import UserError

# The category of services that do not change by themselves (services/catalogue/).
CONTROL = "Baseline"


def read_config(path: Path) -> dict[str, Any]:
    """Read the merged configuration.

    Raises:
        UserError: the file is missing or no JSON object.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path}: is no JSON: {error}") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}: a JSON object is needed; write it again from the campaign")
    return content


def of_summaries(config: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The bind parameters of every table over the trials that asks the configuration, by the table's name."""
    settings = config["settings"]
    return {
        "stability": {
            "settings": list(settings),
            "tolerances": [float(setting["precision_mbps"]) for setting in settings.values()],
        },
        "changes": {
            "controls": [
                name for name, service in config["services"].items() if service["category"] == CONTROL
            ]
        },
    }
