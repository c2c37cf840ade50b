"""Settings that are shown together: those of a sweep, and those that differ in who starts first."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile

from scripts.base.records import Scalar
from scripts.charts.chart_labels import setting_title
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


@dataclass(frozen=True)
class OrderGroup:
    """Settings that are equal except for their titles and for when each client starts.

    Attributes:
        settings: the settings by name, in the campaign's order.
    """

    settings: dict[str, Setting]

    @property
    def name(self) -> str:
        """The name of its first setting."""
        return next(iter(self.settings))

    @property
    def chart(self) -> str:
        """The name of the group's chart."""
        return f"fness-{self.name}"

    @property
    def title(self) -> str:
        """The words that the titles have in common, else all titles, with the rate and the RTT."""
        titles = [setting.title for setting in self.settings.values()]
        words = common_title(titles) or "; ".join(titles)
        return setting_title(replace(self.settings[self.name], title=words))


def order_groups(settings: Mapping[str, Setting]) -> list[OrderGroup]:
    """The groups of a campaign, in the order of their first settings.

    A setting in which all clients start at once is in no group.
    """
    groups: list[OrderGroup] = []
    for name, setting in settings.items():
        if not any(client.start_s > 0 for client in setting.clients):
            continue
        link = _without_order(setting)
        matching = (group for group in groups if _without_order(group.settings[group.name]) == link)
        if (group := next(matching, None)) is None:
            groups.append(OrderGroup({name: setting}))
        else:
            group.settings[name] = setting
    return groups


def _without_order(setting: Setting) -> Setting:
    """The setting without what the settings of a group may differ in.

    A swept value is also in the field that it changes.
    """
    clients = tuple(replace(client, start_s=0) for client in setting.clients)
    return replace(setting, title="", sweep=None, clients=clients)
