"""The public form of a trial's addresses and host names, the same in its tables and its published files.

Of a host name that a client of a live service requested, only a part is published.

A name is reduced to the pattern of its service's workload that it matches, such as *.nflxvideo.net, else to
its registrable domain. Nothing is left of a name below no public suffix, such as nas.lan, and of the names of
the operator's own addresses.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

from scripts.base.errors import UserError
from scripts.base.records import read_record
from scripts.extract.name_observation import NameObservation
from scripts.extract.pseudonyms import Pseudonyms, read_or_make_key
from scripts.model.campaign import read_campaign
from scripts.model.services import Service
from scripts.model.trial_record import ClientRecord, PrivateRecord, TrialRecord
from scripts.model.trials import PRIVATE_JSON


class PublicNames:
    """Reduces the names that clients of one live service requested.

    Args:
        service: the service, with its workload.
        private: the host names of the operator's own addresses.
    """

    def __init__(self, service: Service, private: Iterable[str]) -> None:
        self._workload = service.workload
        live = service.live
        known = [service.probe.host, urlsplit(live.url).hostname if live and live.url else None]
        catalogue = {registrable_domain(name) for name in known if name}
        self._private = {registrable_domain(name) for name in private} - catalogue

    def of(self, name: str) -> str | None:
        """The published part of a name; None if there is none."""
        pattern = self._pattern(name)
        if pattern is not None:
            return pattern
        domain = registrable_domain(name)
        # A flow whose name is not of the workload must not become one whose name is.
        return None if domain is None or domain in self._private or self._pattern(domain) else domain

    def _pattern(self, name: str) -> str | None:
        return next((pattern for pattern in self._workload if fnmatchcase(name, pattern)), None)


def registrable_domain(name: str) -> str | None:
    """The domain that its owner registered, such as example.co.uk; None below no public suffix.

    Suffixes that are not those of a registry, such as duckdns.org, count as registered domains: the names
    below them often tell a person.
    """
    return None if _is_address(name) else _suffixes().privatesuffix(name)


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False, only_icann=True)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class PublicForm:
    """Replaces the addresses of a trial and cuts its host names.

    Args:
        pseudonyms: the pseudonyms of addresses; None if addresses stay.
        clients: the clients of the trial.
        live_names: what is published of the names that the clients of live services requested, by client.
    """

    def __init__(
        self,
        pseudonyms: Pseudonyms | None = None,
        clients: Mapping[str | None, str] | None = None,
        live_names: Mapping[str, PublicNames] | None = None,
    ) -> None:
        self.pseudonyms = pseudonyms
        self._clients = clients or {}
        self._live_names = live_names or {}

    def address(self, address: str) -> str:
        """An address in text, as it is published."""
        return address if self.pseudonyms is None else self.pseudonyms.text(address)

    def observation(self, observed: NameObservation) -> NameObservation:
        """An observation of a name, as it is published."""
        if self.pseudonyms is None:
            return observed
        client, server = self.address(observed.client), self.address(observed.server)
        return replace(observed, name=self._name(observed), client=client, server=server)

    def _name(self, observed: NameObservation) -> str | None:
        """The name, whole if the client's service is self-hosted; None if no client of the trial saw it."""
        client = self._clients.get(observed.client)
        if client is None or observed.name is None:
            return None
        return self._live_names[client].of(observed.name) if client in self._live_names else observed.name


UNCHANGED = PublicForm()
"""The form in which everything stays as it is."""


def public_form(
    trial: TrialRecord, directory: Path, key: Path | None = None, config: Path | None = None
) -> PublicForm:
    """The form of a trial. Only that of a trial with a live service differs from what was measured.

    Args:
        trial: its record.
        directory: its directory, with PRIVATE_JSON.
        key: the key of the cycle's pseudonyms, made if it is missing and needed.
        config: the campaign's merged configuration.

    Raises:
        UserError: the trial has a live service, and key or config is missing or damaged.
    """
    if not trial.needs_public_form:
        return UNCHANGED
    live = trial.live_clients
    if key is None or config is None:
        raise UserError(
            f"{directory}: {live[0].service} is a live service, whose addresses and host names are not "
            "published as they are; give --key and --config"
        )
    return PublicForm(
        Pseudonyms(read_or_make_key(key)),
        {client.address: client.client for client in trial.clients},
        _live_names(live, directory, config),
    )


def _live_names(live: list[ClientRecord], directory: Path, config: Path) -> dict[str, PublicNames]:
    services = read_campaign(config).services
    private = directory / PRIVATE_JSON
    names = read_record(PrivateRecord, private).names if private.is_file() else ()
    for client in live:
        if client.service not in services:
            raise UserError(f"{config}: has no service {client.service}, which {directory} measured")
    return {client.client: PublicNames(services[client.service], names) for client in live}
