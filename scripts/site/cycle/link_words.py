"""A setting's link and its clients' paths in words, as the pages show them."""

from collections.abc import Sequence

from scripts.base.records import Json
from scripts.model.disciplines import DISCIPLINES
from scripts.model.settings import Access, ClientPath, OwnTimes, Rtt, Setting


def link_words(setting: Setting, most_clients: int = 2) -> dict[str, Json]:
    """A completed setting in words, for Hugo.

    Args:
        setting: the setting.
        most_clients: the clients of the largest pair that is measured in it.

    Returns:
        `link`, the link in one line; `line`, with the clients that differ from it, and its own times; and
        `times`, these times, or null if it has none.
    """
    rtt, queue = _rtt(setting.rtt, setting.rtt_ms), _queue(setting)
    discipline = DISCIPLINES[setting.discipline]
    title = discipline.in_words(setting.discipline_options)
    loss = f"{_percent(setting.random_loss)} lost at random" if setting.random_loss else None
    trial = times_words(setting.trial) if setting.trial else None
    named_queue = [f"queue of {queue}", title] if discipline.options else [f"{title} queue of {queue}"]
    link = ", ".join([f"{setting.rate_mbps:g} Mbps", rtt, *named_queue, *([loss] if loss else [])])
    return {
        "link": link,
        "line": "; ".join(
            [
                link,
                *clients_words(setting, [""] * max(most_clients, len(setting.clients))),
                *([trial] if trial else []),
            ]
        ),
        "times": trial,
    }


def times_words(own: OwnTimes) -> str:
    """The times of a setting that its campaign does not have."""
    length = "trials" if own.duration_s is None else f"trials of {own.duration_s} s"
    ends = (("first", own.ignore_first_s), ("last", own.ignore_last_s))
    ignored = [f"the {end} {seconds:g} s" for end, seconds in ends if seconds is not None]
    if not ignored:
        return length
    both = " and ".join(ignored)
    return f"{length} without {both}" if own.duration_s is None else f"{length}, of which {both} do not count"


def clients_words(setting: Setting, services: Sequence[str]) -> list[str]:
    """How clients differ from the link of their setting.

    Args:
        setting: the setting. The last of several entries is that of all further clients, too.
        services: the title of the service of each client; empty where it is not known.

    Returns:
        A clause for each entry that differs, such as `client c2 starts at 20 s`. It names the service if
        these are all of its clients.
    """
    found = []
    for number, client in enumerate(setting.clients[: len(services)], start=1):
        last = len(services) if len(setting.clients) == number > 1 else number
        if client != ClientPath():
            who = _service_of(services, number, last) or _clients(number, last)
            found.append(f"{who} {' and '.join(client_words(client, many=last > number))}")
    return found


def _service_of(services: Sequence[str], first: int, last: int) -> str | None:
    """The service whose clients are those from `first` to `last`, such as `16 × iPerf (Cubic)`, or None."""
    service, count = services[first - 1], last - first + 1
    if not service or [service] * count != [*services[first - 1 : last]] or services.count(service) != count:
        return None
    return service if count == 1 else f"{count} × {service}"


def _clients(first: int, last: int) -> str:
    return f"clients c{first} to c{last}" if last > first else f"client c{first}"


def client_words(client: ClientPath, many: bool) -> list[str]:
    """How a client of a setting differs from the setting, or how `many` do."""
    words = []
    if client.rtt is not None or client.rtt_ms is not None:
        words.append(f"{'have' if many else 'has'} {_rtt(client.rtt or 'normalised', client.rtt_ms)}")
    if client.start_s:
        words.append(f"{'start' if many else 'starts'} at {client.start_s:g} s")
    if client.access:
        words.append(f"{'pass' if many else 'passes'} {access_words(client.access)} before the bottleneck")
    return words


def access_words(access: Access) -> str:
    """The access link of one client."""
    words = []
    if access.rate_mbps is not None:
        words.append(f"{access.rate_mbps:g} Mbps with a queue of {access.queue_packets} packets")
    if access.delay_ms:
        words.append(f"{access.delay_ms:g} ms of delay")
    if access.loss:
        words.append(f"{_percent(access.loss)} of loss")
    return ", ".join(words)


def _rtt(mode: Rtt, rtt_ms: float | None) -> str:
    if mode == "real":
        return "the services' own round-trip times"
    rtt = "the setting's" if rtt_ms is None else f"{rtt_ms:g} ms"
    return f"{rtt} round trip" if mode == "normalised" else f"{rtt} added to the round trip"


def _queue(setting: Setting) -> str:
    if setting.queue_packets is None:
        return f"{setting.queue_bytes:,} bytes"
    packets = f"{setting.queue_packets:,} packets"
    if setting.queue_bdp:
        return f"{packets} ({setting.queue_bdp:g} × BDP)"
    return f"{packets} ({setting.queue_ms:g} ms)" if setting.queue_ms else packets


def _percent(fraction: float) -> str:
    return f"{100 * fraction:g} %"
