"""The thresholds of validity: `validity` of the campaign, and those that are the same in every campaign."""

from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.records import Number
from scripts.model.campaign import Campaign
from scripts.tables.table_schema import load_schema

YES_OR_NO = (
    "completed",
    "cca",
    "capture_status",
    "capture_cut_headers",
    "capture_time_jumps",
    "capture_zero_length",
)
"""Rules without a tolerance: their threshold is 0. Every other rule has a key of its name in `validity`."""

LATER = ("sender_limited_fraction", "render_limited_fraction")
"""Rules that were added later. They do not apply to a cycle whose configuration lacks their threshold."""

UPSTREAM_LOSS = "upstream_loss_min_packets"
"""The key of the fewest packets lost upstream that the rule upstream_loss_fraction counts."""


def thresholds(campaign: Campaign) -> list[dict[str, object]]:
    """Every rule that applies to the campaign, with its threshold."""
    known: dict[str, Number] = dict(campaign.validity) | dict.fromkeys(YES_OR_NO, 0)
    return [{"rule": rule, "threshold": known[rule]} for rule in _rules() if rule in known]


def upstream_loss_min_packets(campaign: Campaign) -> Number:
    """The fewest packets lost upstream that the rule upstream_loss_fraction counts for a service."""
    return campaign.validity[UPSTREAM_LOSS]


def check_thresholds(campaign: Campaign, config: Path) -> None:
    """Check that the campaign, read from `config`, has every threshold.

    Raises:
        UserError: one is missing.
    """
    needed = {*_rules(), UPSTREAM_LOSS} - {*YES_OR_NO, *LATER}
    for name in sorted(needed - campaign.validity.keys()):
        raise UserError(f"{config}: validity.{name} must be a number; add it to the campaign")


def _rules() -> tuple[str, ...]:
    """Every rule that validity.sql knows."""
    (rule,) = (column for column in load_schema("validity").columns if column.name == "rule")
    return rule.values or ()
