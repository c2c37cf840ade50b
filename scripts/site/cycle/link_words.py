"""A setting's link and its clients' paths in words, as the pages show them."""

from scripts.base.records import Json
from scripts.model.disciplines import DISCIPLINES
from scripts.model.settings import Access, ClientPath, OwnTimes, Rtt, Setting


def link_words(setting: Setting, most_clients: int = 2) -> dict[str, Json]:
    """A completed setting in words, for Hugo.

    Args:
        setting: the setting.
        most_clients: the clients of the largest pair that is measured in it.

    Returns:
        `link`, the link in one line; and `line`, with the clients that differ from it, and its own times.
    """
    rtt, queue = _rtt(setting.rtt, setting.rtt_ms), _queue(setting)
    discipline = DISCIPLINES[setting.discipline]
    title = discipline.in_words(setting.discipline_options)
    loss = f"{_percent(setting.random_loss)} lost at random" if setting.random_loss else None
    clients: list[Json] = [
        f"{_clients(number, setting, most_clients)} {', '.join(client_words(client))}"
        for number, client in enumerate(setting.clients, start=1)
        if client != ClientPath()
    ]
    trial = times_words(setting.trial) if setting.trial else None
    named_queue = [f"queue of {queue}", title] if discipline.options else [f"{title} queue of {queue}"]
    link = ", ".join([f"{setting.rate_mbps:g} Mbps", rtt, *named_queue, *([loss] if loss else [])])
    return {
        "link": link,
        "line": "; ".join([link, *map(str, clients), *([trial] if trial else [])]),
    }


def times_words(own: OwnTimes) -> str:
    """The times of a setting that its campaign does not have."""
    length = "trials" if own.duration_s is None else f"trials of {own.duration_s} s"
    ends = (("first", own.ignore_first_s), ("last", own.ignore_last_s))
    ignored = [f"the {end} {seconds:g} s" for end, seconds in ends if seconds is not None]
    return f"{length} without {' and '.join(ignored)}" if ignored else length


def _clients(number: int, setting: Setting, most_clients: int) -> str:
    """The client of an entry; with the last one, all further clients."""
    further = len(setting.clients) == number > 1 and most_clients > number
    return f"each of c{number} to c{most_clients}" if further else f"c{number}"


def client_words(client: ClientPath) -> list[str]:
    """How one client of a setting differs from the setting."""
    words = []
    if client.rtt is not None or client.rtt_ms is not None:
        words.append(f"has {_rtt(client.rtt or 'normalised', client.rtt_ms)}")
    if client.start_s:
        words.append(f"starts at {client.start_s:g} s")
    if client.access:
        words.append(f"passes {access_words(client.access)} before the bottleneck")
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
    packets = f"{setting.queue_packets} packets"
    if setting.queue_bdp:
        return f"{packets} ({setting.queue_bdp:g} × BDP)"
    return f"{packets} ({setting.queue_ms:g} ms)" if setting.queue_ms else packets


def _percent(fraction: float) -> str:
    return f"{100 * fraction:g} %"
