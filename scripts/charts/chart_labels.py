"""Titles of settings, services and pairs, and the colour that each service has in every chart."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from zlib import crc32

from scripts.charts.text_widths import lines_of
from scripts.model.campaign import Campaign
from scripts.model.pairs import contenders, is_solo, parts
from scripts.model.settings import Link

PALETTE = (
    *("#1f7fc4", "#d55e00", "#886070", "#789880", "#b88820", "#7d6be0", "#509850", "#c74a55"),
    *("#6f8a2c", "#8a7565", "#5870e0", "#c048a0", "#b8659b", "#a06860", "#7058c0", "#607090"),
)
"""Colours of services that have none in the catalogue, and of lines that are no services.

They have a contrast of at least 3:1 on white and on near-black. The first four are the most distinguishable
for readers with any common colour blindness.
"""

PARTIES = ("#1f7fc4", "#d1487a", *PALETTE[2:])
"""Colours of the services of one pair in their order: blue and rose, as on the pages."""

INSTANCES = {
    "worse_off": ", worse-off instance",
    "better_off": ", better-off instance",
    "second": ", second client",
    "both": ", both clients together",
}
"""The instances of a self-pair; those of generated flows are the first client, the second and both."""


ENOUGH = 6
"""With fewer trials a median has no interval (scripts/metrics/statistics.py), so there is no verdict."""


@dataclass(frozen=True)
class Labels:
    """Titles and colours.

    Attributes:
        settings: title of each setting by name. The title of a setting that is not listed is its name.
        services: title of each service by name, likewise.
        queues: packets that the queue of each setting holds, where the queue is given in packets.
        colours: colour of each service by name.
        shorts: short title of each service that has one, by name.
    """

    settings: dict[str, str] = field(default_factory=dict)
    services: dict[str, str] = field(default_factory=dict)
    queues: dict[str, int] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)
    shorts: dict[str, str] = field(default_factory=dict)

    def setting(self, name: str) -> str:
        """The title of a setting."""
        return self.settings.get(name, name)

    def service(self, name: str) -> str:
        """The title of a service."""
        return self.services.get(name, name)

    def short(self, name: str) -> str:
        """The title of a service for a picture with little room."""
        return self.shorts.get(name, self.service(name))

    def pair(self, name: str) -> str:
        """The title of a pair or a solo: `A against B`, `A against itself`, `A against 16 × B`, `A alone`."""
        listed = parts(name)
        if is_solo(name):
            return f"{self.service(name)} alone"
        if len(listed) == 2 and listed[0] == listed[1]:
            return f"{self.service(listed[0][0])} against itself"
        return " against ".join(self._several(service, count) for service, count in listed)

    def contender(self, name: str) -> str:
        """The services in a column `contender`: `A`, `A and B`, `2 × A and B`. Empty for a solo."""
        titles = [self._several(service, count) for service, count in Counter(contenders(name)).items()]
        return " and ".join(filter(None, [", ".join(titles[:-1]), *titles[-1:]]))

    def matchup(self, incumbent: str, contender: str, instance: str = "first") -> str:
        """What an incumbent meets: `A against B`, `A against itself, worse-off instance`, or `A alone`."""
        if not contender:
            return self.pair(incumbent)
        opponent = "itself" if contender == incumbent else self.contender(contender)
        return f"{self.service(incumbent)} against {opponent}{of_instance(instance)}"

    def _several(self, service: str, count: int) -> str:
        return f"{count} × {self.service(service)}" if count > 1 else self.service(service)


def make_labels(services: Iterable[str], campaign: Campaign | None = None) -> Labels:
    """The titles and the colours of the campaign's services.

    A service without a colour in the catalogue gets one by its name, which other services do not change.
    Without a campaign, names stand for titles.
    """
    named = {name: PALETTE[crc32(name.encode()) % len(PALETTE)] for name in services}
    if campaign is None:
        return Labels(colours=named)
    chosen = {name: described.colour for name, described in campaign.services.items() if described.colour}
    settings = campaign.settings.items()
    return Labels(
        settings={name: setting_title(setting) for name, setting in settings},
        services={name: service.title for name, service in campaign.services.items()},
        queues={name: setting.queue_packets for name, setting in settings if setting.queue_packets},
        colours=named | chosen,
        shorts={name: described.short for name, described in campaign.services.items() if described.short},
    )


def of_instance(instance: str) -> str:
    """Words behind the name of an incumbent: which instance of a self-pair it is. Empty in other pairs."""
    return INSTANCES.get(instance, "")


def seen_unless(enough: object, title: str) -> str:
    """A title; below six trials, which are no verdict, it begins with `Seen`."""
    return title if enough else f"Seen: {title[0].lower()}{title[1:]}"


def setting_title(setting: Link) -> str:
    """A setting in a few words, such as `Highly constrained (8 Mbps, 50 ms)`.

    A title that is the link itself, as that of a sweep may be, is not said twice.
    """
    link = f"{setting.rate_mbps:g} Mbps, {setting.rtt_ms:g} ms"
    return link if setting.title == link else f"{setting.title} ({link})"


def label_lines(names: Iterable[str], width: float) -> str:
    """The `labelExpr` of an axis or a legend with long names: each name in lines that fit the width.

    Data, tooltips and descriptions keep the whole names.

    Args:
        names: the values of the axis or the legend.
        width: the width of a line in px.
    """
    lines = {name: split for name in names if len(split := lines_of(name, width)) > 1}
    return f"{json.dumps(lines, ensure_ascii=False)}[datum.label] || datum.label"
