"""What every service of a cycle is taken for: the answer that most of its trials alone have.

A service that limits itself is unknown by rule, whatever its queue looks like. Its cap is below the link's
rate (a call, the highest rung of a video), or it leaves the link half empty in more than MOST_IDLE of its
slots.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scripts.model.caps import wire_cap_mbps
from scripts.model.services import Service
from scripts.recognition.answers import Answer, answer_of
from scripts.recognition.distances import distances
from scripts.recognition.families import UNKNOWN
from scripts.recognition.library import Library
from scripts.recognition.solos import Solo

MOST_IDLE = 0.1
LIMITS_ITSELF = "limited by itself"
NO_TRACE = "trials too short"
DISAGREE = "trials disagree"


@dataclass(frozen=True)
class ServiceAnswer:
    """What a service is taken for in a setting.

    Attributes:
        trials: its valid trials alone.
        named: how many of them have the answer.
        answer: that of the typical trial: of those with the answer, the one with the median distance.
        trial: its number; None without a trace.
        nearest: the addresses of the labelled traces that are nearest to it, nearest first.
    """

    setting: str
    service: str
    trials: int
    named: int
    answer: Answer
    trial: int | None = None
    nearest: tuple[str, ...] = ()


def recognise(
    solos: Sequence[Solo], library: Library, services: Mapping[str, Service]
) -> Iterator[ServiceAnswer]:
    """What each service is taken for in each setting whose link the library has.

    Args:
        solos: the trials of services alone, sorted by setting and service.
        library: the labelled traces.
        services: the campaign's services by name.
    """
    for (setting, name), group in groupby(solos, key=lambda solo: (solo.key.setting, solo.key.pair)):
        trials = list(group)
        link = trials[0].link
        if link is None or link not in library.links:
            continue
        whole = ServiceAnswer(setting, name, len(trials), 0, Answer(UNKNOWN, NO_TRACE))
        cap_mbps = wire_cap_mbps(services[name])
        idle = [solo.idle_fraction > MOST_IDLE for solo in trials]
        if (cap_mbps is not None and cap_mbps < link.rate_mbps) or sum(idle) * 2 > len(trials):
            yield ServiceAnswer(setting, name, len(trials), len(trials), Answer(UNKNOWN, LIMITS_ITSELF))
        else:
            yield _by_traces(whole, trials, library.of({link}))


def _by_traces(whole: ServiceAnswer, trials: Sequence[Solo], library: Library) -> ServiceAnswer:
    """The answer of most trials with a trace; unknown if no answer has more than half of them."""
    known = [solo for solo in trials if solo.trace is not None]
    if not known:
        return whole
    rows = distances([solo.trace for solo in known if solo.trace is not None], library.traces)
    answers = [answer_of(row, library.families, library.limits) for row in rows]
    family, count = Counter(answer.family for answer in answers).most_common(1)[0]
    if count * 2 <= len(answers):
        return replace(whole, answer=Answer(UNKNOWN, DISAGREE))
    given = [at for at, answer in enumerate(answers) if answer.family == family]
    at = sorted(given, key=lambda at: (answers[at].distance or 0, at))[(len(given) - 1) // 2]
    nearest = tuple(library.labels[place].address for place in answers[at].nearest)
    return replace(whole, named=count, answer=answers[at], trial=known[at].key.number, nearest=nearest)
