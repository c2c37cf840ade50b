"""What charts call settings and services, and which colour each service keeps in all of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.base.files import read_json

# Mid-tones that reach a contrast of 3:1 on white and on near-black, in an order that keeps neighbours
# apart for the colour-blind (after Okabe and Ito, Color Universal Design, the light ones darkened).
PALETTE = (
    "#1f7fc4",
    "#d55e00",
    "#0f9467",
    "#b8659b",
    "#a3781a",
    "#7d6be0",
    "#2f93a8",
    "#c74a55",
    "#6f8a2c",
    "#8a7565",
)


@dataclass(frozen=True)
class Labels:
    """Titles and colours.

    Attributes:
        settings: title of each setting by name; a name without one stands for itself.
        services: title of each service by name, likewise.
        queues: packets the queue of each setting holds, where known.
        colours: colour of each service by name.
    """

    settings: dict[str, str] = field(default_factory=dict)
    services: dict[str, str] = field(default_factory=dict)
    queues: dict[str, int] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)

    def setting(self, name: str) -> str:
        """The setting as a chart's title names it."""
        return self.settings.get(name, name)

    def service(self, name: str) -> str:
        """The service as an axis or a legend names it."""
        return self.services.get(name, name)

    def pair(self, name: str) -> str:
        """The services of a pair (or the service of a solo) as a title names them."""
        services = name.split("~")
        if len(services) == 1:
            return f"{self.service(name)} alone"
        if len(services) == 2 and services[0] == services[1]:
            return f"{self.service(services[0])} against itself"
        return " against ".join(map(self._several, services))

    def _several(self, part: str) -> str:
        """A part of a pair's name (scripts/model/pairs.py): a service, or how many of it."""
        service, _, count = part.partition("_")
        return f"{count} × {self.service(service)}" if count else self.service(service)


def make_labels(services: Iterable[str], config_path: Path | None = None) -> Labels:
    """Give every service its colour, by its place in the sorted names, and take titles from the config.

    Raises:
        UserError: the merged configuration cannot be read or is no JSON.
    """
    ordered = sorted(set(services))
    colours = {name: PALETTE[place % len(PALETTE)] for place, name in enumerate(ordered)}
    if config_path is None:
        return Labels(colours=colours)
    config = read_json(config_path)
    settings = config.get("settings", {})
    return Labels(
        settings={name: setting_title(entry) for name, entry in settings.items()},
        services={name: entry.get("title", name) for name, entry in config.get("services", {}).items()},
        queues={
            name: entry["queue_packets"] for name, entry in settings.items() if entry.get("queue_packets")
        },
        colours=colours,
    )


def setting_title(entry: dict[str, Any]) -> str:
    """A setting in a few words, such as `Highly constrained (8 Mbps, 50 ms)`."""
    link = f"{entry['rate_mbps']:g} Mbps, {entry['rtt_ms']:g} ms"
    return f"{entry['title']} ({link})" if entry.get("title") else link
