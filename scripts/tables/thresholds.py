"""The thresholds of validity: `validity` of the campaign, and those that are the same in every campaign."""

from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.records import Number
from scripts.model.campaign import Campaign
from scripts.tables.table_schema import load_schema

RULES = load_schema("validity").rules
"""Every rule that validity.sql knows."""

YES_OR_NO = (
    "completed",
    "cca",
    "capture_status",
    "capture_cut_headers",
    "capture_time_jumps",
    "capture_zero_length",
    "host_set_aside",
    "unmet_services",
)
"""Rules without a tolerance: their threshold is 0. Every other rule has a key of its name in `validity`."""

LATER = (
    "client_wait_fraction",
    "sender_wait_fraction",
    "buffer_limited_fraction",
    "device_dropped_packets",
    "handshakes_lost_packets",
    "lateness_p99_fraction",
    "longest_stall_rtt",
    "render_limited_fraction",
    "uplink_conservation_packets",
    "window_limited_fraction",
)
"""Rules that were added later. They do not apply to a cycle whose configuration lacks their threshold."""

UPSTREAM_LOSS = "upstream_loss_min_packets"
"""The key of the fewest packets lost upstream that the rule upstream_loss_fraction counts."""


def thresholds(campaign: Campaign) -> list[dict[str, object]]:
    """Every rule that applies to the campaign, with its threshold and its classes."""
    known: dict[str, Number] = dict(campaign.validity) | dict.fromkeys(YES_OR_NO, 0)
    return [
        {
            "rule": rule.name,
            "threshold": known[rule.name],
            "class": rule.rule_class,
            "alone": rule.alone or rule.rule_class,
        }
        for rule in RULES
        if rule.name in known
    ]


def upstream_loss_min_packets(campaign: Campaign) -> Number:
    """The fewest packets lost upstream that the rule upstream_loss_fraction counts for a service."""
    return campaign.validity[UPSTREAM_LOSS]


def check_thresholds(campaign: Campaign, config: Path) -> None:
    """Check that the campaign, read from `config`, has every threshold.

    Raises:
        UserError: one is missing.
    """
    needed = {*(rule.name for rule in RULES), UPSTREAM_LOSS} - {*YES_OR_NO, *LATER}
    for name in sorted(needed - campaign.validity.keys()):
        raise UserError(f"{config}: validity.{name} must be a number; add it to the campaign")
