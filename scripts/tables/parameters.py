"""What the tables ask of the campaign's merged configuration, as bind parameters of their SQL."""

from typing import Any

# The category of services that do not change by themselves (services/catalogue/).
CONTROL = "Baseline"

# What a self-hosted call has: Chromium's WebRTC brings it along (Prudentia, Table 1).
CALL_CCA = "gcc"


def of_summaries(config: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The bind parameters of every table over the trials that asks the configuration, by the table's name."""
    settings = config["settings"]
    beyond = {"beyond": beyond_throughput(config["services"])}
    return {
        **dict.fromkeys(("pairs", "services", "transitivity", "findings"), beyond),
        "stability": beyond
        | {
            "settings": list(settings),
            "tolerances": [float(setting["precision_mbps"]) for setting in settings.values()],
        },
        "changes": beyond
        | {
            "controls": [
                name for name, service in config["services"].items() if service["category"] == CONTROL
            ]
        },
        "workloads": _catalogue(config["services"]),
    }


def beyond_throughput(services: dict[str, Any]) -> list[str]:
    """The services that are judged by what their users see, and are no cells of the throughput matrix."""
    return [name for name, service in services.items() if service.get("metric", "throughput") != "throughput"]


def _catalogue(services: dict[str, Any]) -> dict[str, Any]:
    """What the catalogue says of every service, a list a column of Prudentia's Table 1."""
    every = services.values()
    return {
        "services": list(services),
        "categories": [service["category"] for service in every],
        "drivers": [service["driver"] for service in every],
        "ccas": [_cca(service) for service in every],
        "kernel_ccas": [service["cca"] is not None for service in every],
        "flows": [service.get("flows") for service in every],
        "caps_mbps": [_cap_mbps(service) for service in every],
    }


def _cca(service: dict[str, Any]) -> str | None:
    """The congestion control that a service is to have; None where the catalogue does not know."""
    if service["driver"] == "call" and "origin" in service:
        return CALL_CCA
    elsewhere = (service.get("origin", {}).get("quic_cca"), service.get("live", {}).get("cca"))
    return next((str(cca) for cca in (service["cca"], *elsewhere) if cca), None)


def _cap_mbps(service: dict[str, Any]) -> float | None:
    """A service's own limit of its throughput; None without one."""
    if "video" in service:
        return float(service["video"]["ladder_kbps"][-1] / 1e3)
    if "call" in service:
        return float(service["call"]["cap_kbps"] / 1e3)
    caps = (service.get(side, {}).get("cap_mbps") for side in ("origin", "live"))
    return next((float(cap) for cap in caps if cap), None)
