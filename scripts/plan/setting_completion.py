"""Settings of a campaign: completed, and refused where no trial could have them."""

from collections.abc import Callable, Mapping
from typing import Any

from scripts.base.errors import UserError
from scripts.model.disciplines import DISCIPLINES
from scripts.model.durations import first_window_s, is_web
from scripts.model.link import FULL_FRAME_BYTES, queue_packets
from scripts.model.pairs import meet_in, members

Services = Mapping[str, Mapping[str, Any]]
"""The campaign's services by name."""

Refuse = Callable[[str], UserError]
"""Makes the error that names the setting and its file."""


def completed(
    setting: dict[str, Any], trial: dict[str, Any], pairs: list[str], services: Services, refuse: Refuse
) -> dict[str, Any]:
    """A setting with its queue as the switch takes it and all options of its discipline.

    Args:
        setting: as config/schemas/campaign.yaml has it.
        trial: the campaign's `trial`.
        pairs: the campaign's pairs, by name.
        services: the campaign's services.
        refuse: makes an error of what is wrong.

    Raises:
        UserError: no trial could have this setting.
    """
    for name in setting.get("services", []):
        if name not in services:
            raise refuse(
                f"services: {name} is not one of this campaign's services; "
                f"add it there ({', '.join(services)})"
            )
    _check_clients(setting, trial, [pair for pair in pairs if meet_in(setting, pair)], refuse)
    _check_pages(setting, services, refuse)
    options = _options(setting, refuse)
    return setting | _queue(setting, refuse) | ({"discipline_options": options} if options else {})


def _queue(setting: dict[str, Any], refuse: Refuse) -> dict[str, Any]:
    """The queue in packets of 1500 bytes, or in bytes where it was given so."""
    rounding = setting.get("queue_rounding")
    for unit in ("queue_packets", "queue_bytes"):
        if unit in setting and rounding is not None:
            raise refuse(
                f"queue_rounding is of queue_bdp and queue_ms; {unit} is taken as it is: lay null over it"
            )
    if "queue_packets" in setting:
        return {"queue_bdp": None, "queue_rounding": None}
    if "queue_bytes" in setting:
        if setting["queue_bytes"] < FULL_FRAME_BYTES:
            raise refuse(
                f"queue_bytes {setting['queue_bytes']} is less than one full frame, which would never pass; "
                f"give at least {FULL_FRAME_BYTES}"
            )
        return {}
    key = "queue_bdp" if "queue_bdp" in setting else "queue_ms"
    products, of_ms = (setting[key], setting["rtt_ms"]) if key == "queue_bdp" else (1, setting[key])
    packets = queue_packets(setting["rate_mbps"], of_ms, products, rounding or "none")
    if packets < 1:
        raise refuse(
            f"{key} {setting[key]} is less than one packet of 1500 bytes at this rate and RTT; "
            "give queue_packets instead"
        )
    return {"queue_packets": packets}


def _options(setting: dict[str, Any], refuse: Refuse) -> dict[str, Any]:
    """The options of the setting's discipline: those given, and the defaults of the others."""
    known = DISCIPLINES[setting["discipline"]].defaults()
    given: dict[str, Any] = setting.get("discipline_options", {})
    for key in given:
        if key not in known:
            has = f"its options are: {', '.join(known)}" if known else "it has none"
            raise refuse(f"discipline_options.{key} is no option of {setting['discipline']}; {has}")
    return known | given


def _check_clients(setting: dict[str, Any], trial: dict[str, Any], pairs: list[str], refuse: Refuse) -> None:
    """Raise UserError if clients are told of that no pair has, or that start inside the steady window."""
    clients = setting.get("clients", [])
    for pair in pairs:
        if len(clients) > len(members(pair)):
            raise refuse(
                f"clients has {len(clients)} entries, but {pair} has only {len(members(pair))} clients; "
                "leave the others out, or name the pairs that have as many"
            )
    latest_s = max((client.get("start_s", 0) for client in clients), default=0)
    if latest_s + trial["start_jitter_s"] > first_window_s(trial):
        raise refuse(
            f"clients: the last starts at {latest_s} s and up to start_jitter_s {trial['start_jitter_s']} "
            f"later, inside the steady window, which begins at ignore_first_s {first_window_s(trial)}; "
            "ignore more or start it sooner"
        )


def _check_pages(setting: dict[str, Any], services: Services, refuse: Refuse) -> None:
    """Raise UserError if a client would start at a time of its own where web pages set the times."""
    late = any("start_s" in client for client in setting.get("clients", []))
    for name in setting.get("services", services):
        if late and is_web(services[name]):
            raise refuse(
                f"clients: start_s cannot be had with {name}, a web page that begins trial.web.lead_s after "
                "its contender; take one of the two out"
            )
