"""Which service a flow belongs to, which name it has, and how that is known."""

from bisect import bisect_right
from collections import defaultdict
from typing import Any

from scripts.extract.host_names import Names

# What the client itself told the server it wants goes before what it asked a resolver.
FROM_THE_FLOW = ("sni", "http")


class Labels:
    """The labels of a trial's flows.

    A flow without a name of its own has the one under which its client last got the address from DNS, before
    the flow's first packet.

    Args:
        clients: `client`, `address` and `service` of each, as in trial.json.
        names: what the handshakes say, in time's order.
    """

    def __init__(self, clients: list[dict[str, Any]], names: Names) -> None:
        self.status = names.status
        self._services = {str(client.get("client")): client.get("service") for client in clients}
        self._own: dict[tuple[Any, ...], str] = {}
        self._answers: dict[tuple[Any, str], list[tuple[int, str]]] = defaultdict(list)
        # A client may ask by IPv4 for what it reaches by IPv6.
        client_of = {client.get("address"): client.get("client") for client in clients}
        for each in names.said:
            if each.known_by in FROM_THE_FLOW:
                ends = (each.client, each.client_port, each.server, each.server_port)
                self._own.setdefault((each.known_by, each.protocol, *ends), each.name)
            else:
                self._answers[client_of.get(each.client), each.server].append((each.time_ns, each.name))

    def of(self, flow: dict[str, Any]) -> dict[str, Any]:
        """`service`, `name` and `known_by` of a row of flows.parquet, the service's end first."""
        name, known_by = self._name(flow)
        return {"service": self._services[flow["client"]], "name": name, "known_by": known_by}

    def _name(self, flow: dict[str, Any]) -> tuple[str | None, str | None]:
        ends = tuple(flow[end] for end in ("destination", "destination_port", "source", "source_port"))
        for known_by in FROM_THE_FLOW:
            name = self._own.get((known_by, flow["protocol"], *ends))
            if name is not None:
                return name, known_by
        known = self._answers.get((flow["client"], flow["source"]), [])
        before = bisect_right(known, flow["first_ns"], key=lambda answer: answer[0])
        return (known[before - 1][1], "dns") if before else (None, None)
