"""The families of congestion controllers, and which controller belongs to which.

Controllers of a family differ in details that the queue of one flow does not show reliably.
"""

from scripts.model.services import Service

UNKNOWN = "unknown"
FAMILIES = {
    "Reno-like": ("reno", "newreno"),
    "Cubic-like": ("cubic",),
    "BBRv1-like": ("bbr", "bbrv1"),
    "BBRv2/3-like": ("bbr2", "bbr3", "bbrv2", "bbrv3"),
    "Copa-like": ("copa",),
}
"""Every family, with the names of its controllers in the kernel, in stacks and in the catalogue."""


def family_of(controller: str) -> str | None:
    """The family of a controller such as `cubic`, `NewReno` or `BBRv1.1`; None if it is not one of them."""
    name = controller.lower().split(".")[0]
    return next((family for family, names in FAMILIES.items() if name in names), None)


def known_family(service: Service) -> str | None:
    """The family that the catalogue says; None if it says none, or one that is not in FAMILIES.

    An endpoint's `bbr` may be BBRv2. Its trials tell that (`controller` of trial_services).
    """
    told = [service.cca, service.origin.quic_cca if service.origin else None]
    told.append(service.live.cca if service.live else None)
    return next((family_of(name) for name in told if name), None)
