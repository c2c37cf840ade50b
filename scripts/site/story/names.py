"""What the sentences call services and settings, and the parts that sentences are made of."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from scripts.figures.figure import Figure
from scripts.model.pairs import is_solo
from scripts.site.data.summary import ServiceSummary, SettingSummary


@dataclass(frozen=True)
class SentencePart:
    """A part of a sentence; with `page`, a link to that page of the cycle, such as `pairs/8mbps/a~b/`."""

    text: str
    page: str | None = None


Sentence = tuple[SentencePart, ...]


class Names:
    """The names of services in one text. The first mention of a stand-in says what it stands for."""

    def __init__(self, services: Iterable[ServiceSummary]) -> None:
        self._services = {service.name: service for service in services}
        self._stand_ins = Counter(service.stands_for for service in self._services.values())
        self._mentioned: set[str] = set()

    def of(self, name: str) -> str:
        """The name of a service: first `Video (stand-in for Netflix)`, then `the stand-in for Netflix`."""
        service = self._services.get(name)
        if service is None or service.stands_for is None:
            return service.title if service else name
        first = name not in self._mentioned
        self._mentioned.add(name)
        if self._stand_ins[service.stands_for] > 1:
            return f"{service.title} (stand-in for {service.stands_for})" if first else service.title
        stand_in = f"stand-in for {service.stands_for}"
        without_cca = re.sub(r" \([^()]*\)$", "", service.title)
        return f"{without_cca} ({stand_in})" if first else f"the {stand_in}"

    def title(self, name: str) -> str:
        """The title of a service, without what it stands for."""
        return self._services[name].title if name in self._services else name

    def short(self, name: str) -> str:
        """The title of a service for a picture with little room."""
        service = self._services.get(name)
        return (service.short if service else None) or self.title(name)

    def stands_for(self, name: str) -> str | None:
        """The service of the Internet that a service stands for."""
        service = self._services.get(name)
        return service.stands_for if service else None


def short_titles(settings: Sequence[SettingSummary]) -> dict[str, str]:
    """The short title of each of a cycle's settings, by its name."""
    return {setting.name: short_place(setting, settings) for setting in settings}


def short_place(setting: SettingSummary, settings: Sequence[SettingSummary]) -> str:
    """The first of a setting's titles that no other one has, `8 Mbps`, `8 Mbps, 50 ms`; `Deep queue`."""
    counts = Counter(chain.from_iterable(set(_titles(one)) for one in settings))
    return next((title for title in _titles(setting) if title and counts[title] == 1), setting.heading)


def _titles(setting: SettingSummary) -> tuple[str, ...]:
    """Its rate, rate and RTT, own title, and heading, which has all of them (setting_title of charts)."""
    own, _, link = setting.heading.removesuffix(")").rpartition(" (")
    return f"{setting.rate_mbps:g}\u00a0Mbps", link, own, setting.heading


def page_of(row: Figure) -> str:
    """The page of a figure's pair or solo."""
    return f"{'solos' if is_solo(row.pair) else 'pairs'}/{row.setting}/{row.pair}/"


def listed(names: Iterable[str]) -> str:
    """Names as a sentence lists them: `a`, `a and b`, `a, b and c`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def upper_first(sentence: str) -> str:
    """A text with a capital at its beginning, unless it begins with a name such as iPerf or ngtcp2."""
    word = sentence.split(" ")[0]
    is_name = not word.islower() or any(letter.isdigit() for letter in word)
    return sentence if is_name else sentence[:1].upper() + sentence[1:]


def plain(sentence: Sentence) -> str:
    """A sentence without its links."""
    return "".join(part.text for part in sentence)
