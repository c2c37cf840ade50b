"""The times with which the shares in a setting can become steady, and whether a campaign's trials have them.

They follow from the link, and from the congestion controls of the long flows that meet there
(scripts/metrics/settling.py has the formulas). The warm-up, from the start of the last client to the steady
window, is the longest of

- the warm-up of BBR, in the full queue if a loss-based flow meets it,
- two recoveries of every loss-based service,
- LEAST_WARM_UP_S.

The window is at least LEAST_WINDOW_S, and one recovery. Every client is taken to hold an equal share of the
window of the link, and each of its flows an equal part of that.

Long flows are those of iperf, of endpoints, and of downloads that have no limit of their own. A pair is
judged if it has some, and otherwise only downloads in batches: these hold no share for long, and have no
recovery of their own. Pairs with videos, calls, web pages, generated flows or live services are not
judged. A discipline that is not drop-tail keeps its queue short or divides the link itself, so no queue
counts.

`trial: {settle: true}` of a setting stands for the longest times of its pairs.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from scripts.metrics.settling import bbr_warm_up_s, cubic_recovery_s, reno_recovery_s
from scripts.model.campaign import Campaign
from scripts.model.caps import cap_mbps
from scripts.model.durations import Timing, longest
from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES
from scripts.model.services import Service
from scripts.model.settings import ClientPath, Setting, SettingTimes

LEAST_WARM_UP_S = 30
"""What starts and slow starts take in any case, and what a contender leads a web page by (web.lead_s)."""
LEAST_WINDOW_S = 100
"""Ten measurements of the RTT by BBR, one every 10 s."""

LONG, BATCHES = ("iperf", "download", "endpoint"), "batched_download"
"""The drivers of long flows, and of those that may meet them."""

RECOVERIES = {"reno": reno_recovery_s, "cubic": cubic_recovery_s}
TOO_SHORT = "too short to settle"

NAMES = {"bbr": "BBR", "bbr2": "BBR2", "bbr3": "BBR3", "cubic": "Cubic", "reno": "Reno"}


@dataclass(frozen=True, order=True)
class Need:
    """What a pair needs to settle: seconds before the window and of it, and what needs the first."""

    warm_up_s: int
    window_s: int
    cause: str


def need(setting: Setting, services: Sequence[Service]) -> Need | None:
    """What the services that meet in a completed setting need; None if they are not judged."""
    long = [service for service in services if service.driver in LONG and cap_mbps(service) is None]
    if len(services) < 2 or not long or not all(map(_is_known, services)):
        return None
    link = _rate_pps(setting), _rtt_s(setting), _queue_packets(setting)
    recoveries = {
        _cca(service): RECOVERIES[_cca(service)](*link, flows=len(services) * (service.flows or 1))
        for service in long
        if _cca(service) in RECOVERIES
    }
    causes = [(2 * taken_s, f"{NAMES[cca]}, to recover twice,") for cca, taken_s in recoveries.items()]
    if bbr := next((cca for cca in map(_cca, long) if cca.startswith("bbr")), None):
        is_full = any(_cca(service) in RECOVERIES for service in services) and link[2] > 0
        words = f"{NAMES[bbr]} in a queue of {_queue_words(setting)}" if is_full else NAMES[bbr]
        causes.append((bbr_warm_up_s(*link[:2], link[2] if is_full else 0), words))
    warm_up_s, cause = max([*causes, (LEAST_WARM_UP_S, "a start")])
    return Need(_tens(warm_up_s), _tens(max([LEAST_WINDOW_S, *recoveries.values()])), cause)


def _is_known(service: Service) -> bool:
    """Whether a service's flows are long or in batches, with a congestion control that is known."""
    return service.live is None and service.driver in (*LONG, BATCHES) and _cca(service) in NAMES


def settled_times(
    setting: Setting,
    ignore_last_s: float,
    pairs: Sequence[str],
    services_of: Callable[[str], Sequence[Service]],
) -> SettingTimes | None:
    """The shortest times with which all pairs of a setting that are judged can settle; None without any.

    Args:
        setting: the completed setting.
        ignore_last_s: what its trials ignore at their end.
        pairs: the pairs that are measured in it.
        services_of: the services of a pair, one for each client.
    """
    needs = [times for pair in pairs if (times := need(setting, services_of(pair)))]
    if not needs:
        return None
    first_s = ceil(_last_start_s(setting) + max(times.warm_up_s for times in needs))
    duration_s = ceil(first_s + max(times.window_s for times in needs) + ignore_last_s)
    return SettingTimes(duration_s=duration_s, ignore_first_s=first_s, ignore_last_s=ignore_last_s)


@dataclass(frozen=True)
class _Judged:
    """A pair in a setting: what it needs, the times that it has, and when its last client starts."""

    need: Need
    has: Timing
    last_start_s: float

    @property
    def warm_up_s(self) -> float:
        """Seconds from the start of the last client to the window."""
        return self.has.ignore_first_s - self.last_start_s

    @property
    def window_s(self) -> float:
        """The length of the window."""
        return self.has.duration_s - self.has.ignore_first_s - self.has.ignore_last_s

    @property
    def too_short(self) -> bool:
        """Whether the pair cannot settle."""
        return self.warm_up_s < self.need.warm_up_s or self.window_s < self.need.window_s


def judged_times(campaign: Campaign) -> dict[str, list[str]]:
    """What every setting needs and has, in words that begin with TOO_SHORT where it cannot settle.

    Returns:
        The settings by these words, in the campaign's order.
    """
    settings_by_words: dict[str, list[str]] = {}
    for name, setting in campaign.settings.items():
        settings_by_words.setdefault(_words([*_judged(campaign, name, setting)]), []).append(name)
    return settings_by_words


def _judged(campaign: Campaign, name: str, setting: Setting) -> Iterator[_Judged]:
    """Every pair of a setting that is judged."""
    for pair in campaign.pairs:
        services = campaign.services_of(pair)
        if setting.measures(pair) and (needed := need(setting, services)):
            yield _Judged(needed, longest(campaign.times(name), services), _last_start_s(setting))


def _words(judged: Sequence[_Judged]) -> str:
    """What the pair needs that needs most; one that cannot settle comes first."""
    if not judged:
        return "not judged, no long flows of known congestion controls meet"
    most = max(judged, key=lambda times: (times.too_short, times.need))
    needs = f"{most.need.cause} needs {most.need.warm_up_s} s before a window of {most.need.window_s} s"
    has = f"a trial has {most.warm_up_s:g} s before {most.window_s:g} s, and {most.has.duration_s} s in all"
    short = sum(times.too_short for times in judged)
    return f"{TOO_SHORT} in {short} of {len(judged)} pairs: {needs}; {has}" if short else f"{needs}; {has}"


def _cca(service: Service) -> str:
    """The congestion control that carries a service's workload; empty where it is not known."""
    quic = service.origin.quic_cca if service.origin else None
    return service.cca or quic or ""


def _rate_pps(setting: Setting) -> float:
    """The rate of the link in full packets per second."""
    return setting.rate_mbps * 1e6 / 8 / (FULL_FRAME_BYTES + OVERHEAD_BYTES)


def _rtt_s(setting: Setting) -> float:
    """The longest round-trip time of a client through an empty queue; self-hosted servers add none."""
    return max(_client_rtt_ms(setting, client) for client in setting.clients or [ClientPath()]) / 1e3


def _client_rtt_ms(setting: Setting, client: ClientPath) -> float:
    given_ms = setting.rtt_ms if client.rtt_ms is None else client.rtt_ms
    access_ms = client.access.delay_ms if client.access else 0
    return access_ms + (0 if (client.rtt or setting.rtt) == "real" else given_ms)


def _queue_packets(setting: Setting) -> float:
    """The length of the full queue in full packets; 0 if the discipline does not let it fill."""
    if setting.discipline != "droptail":
        return 0
    return setting.queue_packets or (setting.queue_bytes or 0) / FULL_FRAME_BYTES


def _queue_words(setting: Setting) -> str:
    return f"{setting.queue_bdp:g} BDP" if setting.queue_bdp else f"{_queue_packets(setting):.0f} packets"


def _last_start_s(setting: Setting) -> float:
    """When the last client starts, before its random delay."""
    return max((client.start_s for client in setting.clients), default=0)


def _tens(seconds: float) -> int:
    """Seconds to the nearest ten, and at least ten."""
    return max(10, round(seconds / 10) * 10)
