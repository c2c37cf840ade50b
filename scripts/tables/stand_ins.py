"""What a self-hosted service cannot show of the one that it stands for."""

from scripts.metrics.batch_pauses import lowest_utilization
from scripts.model.campaign import Campaign
from scripts.model.caps import cap_mbps
from scripts.model.expectations import Check
from scripts.model.link import PACKET_BYTES
from scripts.model.pairs import members
from scripts.model.services import Service
from scripts.model.settings import Setting

LOSS_BASED = ("cubic", "reno")
"""The congestion controls that fill a drop-tail queue, whatever its length."""


def cannot_show(check: Check, campaign: Campaign) -> str | None:
    """Why no trial of a check's figure could be what is expected of it; None if trials decide.

    A utilization cannot fall below what a download in batches leaves of the link in its pauses. This is known
    of a drop-tail queue that a loss-based client fills, and that all clients reach in the same way.

    Args:
        check: a check of one of the campaign's expectations.
        campaign: the merged configuration.
    """
    setting = campaign.settings.get(check.figure.setting)
    if check.figure.metric != "utilization" or check.relation == "above" or not check.numbers:
        return None
    if setting is None or setting.discipline != "droptail" or setting.random_loss or setting.binds_clients:
        return None
    services = [campaign.services[name] for name in members(check.figure.pair)]
    if not any(service.kernel_cca in LOSS_BASED and service.batch is None for service in services):
        return None
    for service in services:
        lowest = _lowest_utilization(service, setting)
        if lowest is not None and lowest >= check.numbers[1]:
            return f"the pauses of {service.name} leave no less than {100 * lowest:.0f} % of the link in use"
    return None


def _lowest_utilization(service: Service, setting: Setting) -> float | None:
    """As in scripts/metrics/batch_pauses.py; None of a service that has no batches, or a limit of its own."""
    if service.batch is None or cap_mbps(service) is not None:
        return None
    return lowest_utilization(
        batch_bytes=service.batch.chunk_bytes * (service.flows or 1),
        pause_s=service.batch.pause_s,
        queue_bytes=setting.queue_bytes or (setting.queue_packets or 0) * PACKET_BYTES,
        rate_bps=setting.rate_mbps * 1e6,
        rtt_s=setting.rtt_ms / 1e3,
    )
