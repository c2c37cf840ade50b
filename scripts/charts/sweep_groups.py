"""Which settings of a campaign belong to one sweep, and what a chart of them has on its axis."""

from dataclasses import dataclass
from itertools import takewhile

from scripts.base.records import Scalar
from scripts.model.settings import Setting

# The axis titles of a setting's keys. Other keys are their own titles.
AXES = {
    "rate_mbps": "Rate of the link (Mbps)",
    "rtt_ms": "Round-trip time (ms)",
    "queue_bdp": "Queue (bandwidth-delay products)",
    "queue_ms": "Queue (ms)",
    "queue_packets": "Queue (packets)",
    "queue_bytes": "Queue (bytes)",
    "random_loss": "Random loss (fraction of packets)",
    "discipline": "Queue discipline",
}


MANY = 50
"""The settings of a sweep with more of them are shown together only: nobody can compare so many charts."""


@dataclass(frozen=True)
class SweepGroup:
    """The settings of one sweep.

    Attributes:
        name: the campaign's name for the sweep.
        title: the words that the titles of its settings have in common.
        at: the swept values by key, by setting, in the campaign's order.
    """

    name: str
    title: str
    at: dict[str, dict[str, Scalar]]

    @property
    def key(self) -> str:
        """The key on the axis: the one with the most values."""
        return max(self.keys, key=lambda key: len(self.values(key)))

    @property
    def others(self) -> list[str]:
        """The other swept keys. Every combination of their values has a panel."""
        return [key for key in self.keys if key != self.key]

    @property
    def keys(self) -> list[str]:
        """The swept keys, in the campaign's order."""
        return list(next(iter(self.at.values())))

    @property
    def varied(self) -> list[str]:
        """The swept keys with several values."""
        return [key for key in self.keys if len(self.values(key)) > 1]

    def values(self, key: str) -> list[Scalar]:
        """The different values of a key, in the campaign's order."""
        return list(dict.fromkeys(values[key] for values in self.at.values()))


def sweep_groups(settings: dict[str, Setting]) -> list[SweepGroup]:
    """The sweeps of a campaign with more than one setting, sorted by name."""
    members: dict[str, dict[str, Setting]] = {}
    for name, setting in settings.items():
        if setting.sweep is not None:
            members.setdefault(setting.sweep.of, {})[name] = setting
    return [
        SweepGroup(
            sweep,
            common_title([setting.title for setting in swept.values()]) or sweep,
            {name: setting.sweep.at for name, setting in swept.items() if setting.sweep is not None},
        )
        for sweep, swept in sorted(members.items())
        if len(swept) > 1
    ]


def shown_together(settings: dict[str, Setting]) -> set[str]:
    """The settings of sweeps with more than MANY. A table lists them; they have no charts of their own."""
    return {name for sweep in sweep_groups(settings) if len(sweep.at) > MANY for name in sweep.at}


def common_title(titles: list[str]) -> str:
    """The words that all titles begin with. What differs comes after them, separated by commas."""
    parts = zip(*(title.split(", ") for title in titles), strict=False)
    return ", ".join(words[0] for words in takewhile(lambda words: len(set(words)) == 1, parts))


def axis_title(key: str) -> str:
    """The axis title of a key of a setting."""
    return AXES.get(key, key.replace("_", " ").replace(".", " "))
