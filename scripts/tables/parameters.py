"""What the tables ask of the campaign's merged configuration, as bind parameters of their SQL."""

from typing import Any

# The category of services that do not change by themselves (services/catalogue/).
CONTROL = "Baseline"


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
