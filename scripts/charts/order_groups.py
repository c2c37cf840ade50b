"""Settings in which one client starts after the other, grouped if they differ only in which one that is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scripts.charts.chart_labels import setting_title
from scripts.charts.sweep_groups import common_title
from scripts.model.settings import Setting


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
        found = (group for group in groups if _without_order(group.settings[group.name]) == link)
        if (group := next(found, None)) is None:
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
