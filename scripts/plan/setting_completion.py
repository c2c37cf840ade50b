"""Completes the settings of a campaign, and refuses those that no trial could have."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from scripts.base.errors import UserError
from scripts.base.records import Scalar
from scripts.model.campaign import TrialTimes
from scripts.model.disciplines import DISCIPLINES, RFC, VARIANT
from scripts.model.durations import first_window_s, window_fault
from scripts.model.link import FULL_FRAME_BYTES, queue_packets
from scripts.model.pairs import members
from scripts.model.services import Service
from scripts.model.settings import Setting, SettingTimes
from scripts.plan.settling import NAMES, settled_times

Refuse = Callable[[str], UserError]
"""Makes the error that names the setting and its file."""


def completed(
    setting: Setting,
    trial: TrialTimes,
    pairs: Sequence[str],
    services: Mapping[str, Service],
    refuse: Refuse,
) -> Setting:
    """A setting with its queue in the switch's unit, all options of its discipline, and times in seconds.

    Args:
        setting: one setting of a campaign.
        trial: the campaign's times.
        pairs: the campaign's pairs.
        services: the campaign's services by name.
        refuse: makes an error from a reason.

    Raises:
        UserError: no trial could have this setting.
    """
    for name in setting.services:
        if name not in services:
            raise refuse(
                f"services: {name} is not one of this campaign's services; "
                f"add it there ({', '.join(services)})"
            )
    measured = [pair for pair in pairs if setting.measures(pair)]
    _check_pages(setting, services, refuse)
    queued = _with_queue(setting, refuse)
    times = _own_times(queued, trial, measured, services, refuse)
    _check_clients(setting, trial.changed_by(times), measured, refuse)
    return replace(queued, discipline_options=_options(queued, refuse), trial=times)


def _own_times(
    setting: Setting,
    trial: TrialTimes,
    pairs: Sequence[str],
    services: Mapping[str, Service],
    refuse: Refuse,
) -> SettingTimes | None:
    """The setting's own times: as they are written, or those in which its pairs settle."""
    own = setting.trial
    if own and own.settle:
        last_s = trial.ignore_last_s if own.ignore_last_s is None else own.ignore_last_s
        own = settled_times(setting, last_s, pairs, lambda pair: [services[name] for name in members(pair)])
        if own is None:
            raise refuse(
                "trial.settle: no long flows of known congestion controls meet here "
                f"({', '.join(NAMES)}), so no times follow; write duration_s and ignore_first_s"
            )
    if own and (fault := window_fault(trial.changed_by(own))):
        raise refuse(fault)
    return own


def _with_queue(setting: Setting, refuse: Refuse) -> Setting:
    """The setting with its queue in packets of 1500 bytes, or in bytes if it is given in bytes."""
    for unit, given in (("queue_packets", setting.queue_packets), ("queue_bytes", setting.queue_bytes)):
        if given is not None and setting.queue_rounding is not None:
            raise refuse(f"queue_rounding goes with queue_bdp and queue_ms, not with {unit}; set it to null")
    if setting.queue_packets is not None:
        return setting
    if setting.queue_bytes is not None:
        if setting.queue_bytes < FULL_FRAME_BYTES:
            raise refuse(
                f"queue_bytes {setting.queue_bytes} is less than one full frame, which would never pass; "
                f"give at least {FULL_FRAME_BYTES}"
            )
        return setting
    return replace(setting, queue_packets=_rounded_queue(setting, refuse))


def _rounded_queue(setting: Setting, refuse: Refuse) -> int:
    """The packets of a queue that is given in bandwidth-delay products or in milliseconds."""
    if setting.queue_bdp is not None:
        buffer, products, product_ms = f"queue_bdp {setting.queue_bdp}", setting.queue_bdp, setting.rtt_ms
    else:
        buffer, products, product_ms = f"queue_ms {setting.queue_ms}", 1, setting.queue_ms or 0
    packets = queue_packets(setting.rate_mbps, product_ms, products, setting.queue_rounding or "none")
    if packets < 1:
        raise refuse(
            f"{buffer} is less than one packet of 1500 bytes at this rate and RTT; give queue_packets instead"
        )
    return packets


def _options(setting: Setting, refuse: Refuse) -> dict[str, Scalar]:
    """All options of the setting's discipline: the given values, else the defaults in this link.

    The variant of the RFC is left out, so that a link equals that of a cycle from before there were variants.
    """
    discipline = DISCIPLINES[setting.discipline]
    known = discipline.defaults()
    for key in setting.discipline_options:
        if key not in known:
            options = f"its options are: {', '.join(known)}" if known else "it has none"
            raise refuse(f"discipline_options.{key} is not an option of {setting.discipline}; {options}")
    limit_bytes = setting.queue_bytes or (setting.queue_packets or 0) * FULL_FRAME_BYTES
    of_link = discipline.in_link(setting.discipline_options, limit_bytes, setting.rate_mbps)
    chosen = known | of_link | setting.discipline_options
    if fault := discipline.fault(chosen):
        raise refuse(f"discipline_options.{fault}")
    return {key: value for key, value in chosen.items() if (key, value) != (VARIANT, RFC)}


def _check_clients(setting: Setting, trial: TrialTimes, pairs: Sequence[str], refuse: Refuse) -> None:
    """Raise UserError if a pair lacks one of the clients, or if a client starts inside the steady window."""
    for pair in pairs:
        if len(setting.clients) > len(members(pair)):
            raise refuse(
                f"clients has {len(setting.clients)} entries, but {pair} has only {len(members(pair))} "
                "clients; remove the surplus entries, or name pairs with that many clients"
            )
    latest_s = max((client.start_s for client in setting.clients), default=0)
    if latest_s + trial.start_jitter_s > first_window_s(trial):
        raise refuse(
            f"clients: the last one starts up to {latest_s} s + start_jitter_s {trial.start_jitter_s} after "
            f"the trial, inside the steady window, which begins at ignore_first_s {first_window_s(trial)}; "
            "ignore more or lower start_s"
        )


def _check_pages(setting: Setting, services: Mapping[str, Service], refuse: Refuse) -> None:
    """Raise UserError if a client has a start of its own although a web page decides when clients start."""
    delayed = any(client.start_s > 0 for client in setting.clients)
    for name in setting.services or services:
        if delayed and services[name].is_web:
            raise refuse(
                f"clients: start_s cannot be combined with {name}, a web page, which starts "
                "trial.web.lead_s after its contender; remove one of the two"
            )
