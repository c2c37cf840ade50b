"""The labels of a trial's flows: service, host name, and the source of the name."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from scripts.extract.host_names import HostNames
from scripts.extract.name_observation import KnownBy
from scripts.model.trial_record import ClientRecord

# Names from the flow itself, the preferred one first. They are preferred to names from DNS.
FLOW_SOURCES: tuple[KnownBy, ...] = ("sni", "http")


@dataclass(frozen=True)
class Flow:
    """The ends of a flow and the time of its first packet. The source is the service's end.

    `client` is the trial's client whose capture holds the flow; None outside a trial.
    """

    client: str | None
    protocol: int
    source: str
    source_port: int
    destination: str
    destination_port: int
    first_ns: int


@dataclass(frozen=True)
class Label:
    """The label of one flow. `known_by` is the source of its `name`; without a public name both are None."""

    service: str | None = None
    name: str | None = None
    known_by: KnownBy | None = None


class FlowLabels:
    """Finds the label of each of a trial's flows.

    A flow whose packets contain no name gets the name from DNS: the one in the last answer with the service's
    address that the client received before the flow's first packet.

    Args:
        clients: the clients of the trial.
        names: the names in the trial's handshakes, in the order of time.
    """

    def __init__(self, clients: Sequence[ClientRecord], names: HostNames) -> None:
        self.status = names.status
        self._services = {client.client: client.service for client in clients}
        self._flow_names: dict[tuple[object, ...], str | None] = {}
        self._answers: dict[tuple[str | None, str], list[tuple[int, str | None]]] = defaultdict(list)
        # An answer belongs to the client, not to its address: it may be sent over IPv4 and lead to IPv6.
        client_of = {client.address: client.client for client in clients}
        for observation in names.observations:
            if observation.known_by == "dns":
                answers = self._answers[client_of.get(observation.client), observation.server]
                answers.append((observation.time_ns, observation.name))
            else:
                ends = (
                    observation.client,
                    observation.client_port,
                    observation.server,
                    observation.server_port,
                )
                self._flow_names.setdefault(
                    (observation.known_by, observation.protocol, *ends), observation.name
                )

    def label(self, flow: Flow) -> Label:
        """The label of a flow of one of the clients."""
        service = self._services[str(flow.client)]
        ends = (flow.destination, flow.destination_port, flow.source, flow.source_port)
        for known_by in FLOW_SOURCES:
            key = (known_by, flow.protocol, *ends)
            if key in self._flow_names:
                return _label(service, self._flow_names[key], known_by)
        answers = self._answers.get((flow.client, flow.source), [])
        earlier = bisect_right(answers, flow.first_ns, key=lambda answer: answer[0])
        return _label(service, answers[earlier - 1][1], "dns") if earlier else Label(service)


def _label(service: str, name: str | None, known_by: KnownBy) -> Label:
    return Label(service) if name is None else Label(service, name, known_by)
