"""A setting's link and its clients' paths in words, as the pages show them."""

from typing import Any

from scripts.model.disciplines import DISCIPLINES

Row = dict[str, Any]


def link_words(setting: Row) -> Row:
    """What a setting of the merged configuration is, in words.

    Returns:
        `rtt`, `queue`, `discipline` and `loss` (None where there is none), `clients` (a list, of those that
        are not as the others), the `link` in one line, and in one `line` link and clients.
    """
    rtt = _rtt(setting.get("rtt", "normalised"), setting["rtt_ms"])
    discipline = DISCIPLINES[setting["discipline"]]
    queue, title = _queue(setting), discipline.in_words(setting.get("discipline_options", {}))
    loss = f"{_percent(setting['random_loss'])} lost at random" if setting.get("random_loss") else None
    clients = [
        f"c{number} {', '.join(client_words(client))}"
        for number, client in enumerate(setting.get("clients", []), start=1)
        if client
    ]
    held = [f"queue of {queue}", title] if discipline.options else [f"{title} queue of {queue}"]
    parts = [f"{setting['rate_mbps']:g} Mbps", rtt, *held, *([loss] if loss else [])]
    return {
        "rtt": rtt,
        "queue": queue,
        "discipline": title,
        "loss": loss,
        "clients": clients,
        "link": ", ".join(parts),
        "line": "; ".join([", ".join(parts), *clients]),
    }


def client_words(client: Row) -> list[str]:
    """What is special of one client of a setting."""
    words = []
    if "rtt" in client or "rtt_ms" in client:
        words.append(f"has {_rtt(client.get('rtt', 'normalised'), client.get('rtt_ms'))}")
    if client.get("start_s"):
        words.append(f"starts at {client['start_s']:g} s")
    if client.get("access"):
        words.append(f"passes {access_words(client['access'])} before the bottleneck")
    return words


def access_words(access: Row) -> str:
    """What a service's packets pass before the bottleneck."""
    words = []
    if "rate_mbps" in access:
        words.append(f"{access['rate_mbps']:g} Mbps with a queue of {access['queue_packets']} packets")
    if access.get("delay_ms"):
        words.append(f"{access['delay_ms']:g} ms of delay")
    if access.get("loss"):
        words.append(f"{_percent(access['loss'])} of loss")
    return ", ".join(words)


def _rtt(mode: str, rtt_ms: float | None) -> str:
    if mode == "real":
        return "the services' own round-trip times"
    given = "the setting's" if rtt_ms is None else f"{rtt_ms:g} ms"
    return f"{given} round trip" if mode == "normalised" else f"{given} added to the round trip"


def _queue(setting: Row) -> str:
    if setting.get("queue_packets") is None:
        return f"{setting['queue_bytes']:,} bytes"
    packets = f"{setting['queue_packets']} packets"
    if setting.get("queue_bdp"):
        return f"{packets} ({setting['queue_bdp']:g} × BDP)"
    return f"{packets} ({setting['queue_ms']:g} ms)" if setting.get("queue_ms") else packets


def _percent(fraction: float) -> str:
    return f"{100 * fraction:g} %"
