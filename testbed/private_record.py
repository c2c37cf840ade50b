"""What a trial records about its operator and never publishes: the host names of the operator's addresses."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from scripts.model.services import Service
from scripts.model.trial_record import PrivateRecord
from services.browser_settings import load_settings


def private_record(services: Iterable[Service]) -> PrivateRecord:
    """The record of a trial of these services. config/browser.yaml has the addresses of the live ones."""
    own = load_settings().addresses
    addresses = [own[service.name] for service in services if service.live and service.name in own]
    names = {urlsplit(address).hostname for address in addresses}
    return PrivateRecord(tuple(sorted(name for name in names if name)))
