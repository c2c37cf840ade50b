"""What the network carried for one load of a page, from the browser's own events of the network.

The events come from the browser and not from the page: unlike `performance`, they have no limit, and they
count what other sites, frames and workers fetched.
"""

import msgspec

from services.devtools import Event
from services.tab_records import Navigated


class _Request(msgspec.Struct, rename="camel"):
    url: str


class _Response(msgspec.Struct, rename="camel"):
    status: int
    encoded_data_length: float
    protocol: str = ""


class _Sent(msgspec.Struct, rename="camel"):
    request_id: str
    request: _Request
    timestamp: float
    wall_time: float
    type: str = ""
    frame_id: str = ""
    redirect_response: _Response | None = None


class _Received(msgspec.Struct, rename="camel"):
    request_id: str
    response: _Response
    type: str = ""
    frame_id: str = ""


class _Data(msgspec.Struct, rename="camel"):
    request_id: str
    encoded_data_length: float


class _Cached(msgspec.Struct, rename="camel"):
    request_id: str


class _Fired(msgspec.Struct, rename="camel"):
    timestamp: float


class PageTraffic:
    """The requests of a page since `begin`, of its frames and workers too.

    Attributes:
        requests: how many went to the network; each redirection is one.
        status: the HTTP status of the page itself. None before it answers.
        start_s: when the browser began to fetch the page (Unix time). None before.
        load_event_s: the time from then to the load event. None before.
        protocols: the protocols of the responses.
    """

    def __init__(self, main_frame: str) -> None:
        self._main_frame = main_frame
        self._sizes: dict[str, float] = {}
        self._redirected_bytes = 0.0
        self.requests = 0
        self.protocols: set[str] = set()
        self.begin()

    def begin(self) -> None:
        """The page is opened again from now on. What was fetched before still counts."""
        self._start_timestamp = 0.0
        self._is_shown = False
        self.status: int | None = None
        self.start_s: float | None = None
        self.load_event_s: float | None = None

    @property
    def received_bytes(self) -> int:
        """The bytes of all responses with their headers, as they were transferred."""
        return round(self._redirected_bytes + sum(self._sizes.values()))

    def hear(self, event: Event) -> None:
        """Count an event."""
        match event.method:
            case "Network.requestWillBeSent":
                self._send(event.read(_Sent))
            case "Network.requestServedFromCache":
                self.requests -= event.read(_Cached).request_id in self._sizes  # No data: address is.
            case "Network.responseReceived":
                self._receive(event.read(_Received))
            case "Network.dataReceived":
                data = event.read(_Data)
                self._count(data.request_id, data.encoded_data_length, is_total=False)
            case "Network.loadingFinished":
                data = event.read(_Data)
                self._count(data.request_id, data.encoded_data_length)
            case "Page.frameNavigated" if event.read(Navigated).frame.parent_id is None:
                self._is_shown = True
            case "Page.loadEventFired" if self.start_s is not None and self._is_shown:
                # The empty page of a new browser has a load event too, which may arrive late.
                self.load_event_s = event.read(_Fired).timestamp - self._start_timestamp

    def _send(self, sent: _Sent) -> None:
        if not sent.request.url.startswith("http"):
            return
        self.requests += 1
        self._sizes[sent.request_id] = 0
        if sent.redirect_response is not None:
            self._redirected_bytes += sent.redirect_response.encoded_data_length
        if self.start_s is None and sent.type == "Document" and sent.frame_id == self._main_frame:
            self.start_s, self._start_timestamp = sent.wall_time, sent.timestamp

    def _count(self, request: str, size_bytes: float, is_total: bool = True) -> None:
        """Count bytes of a request to the network: not of the browser's own pages, which it loads first."""
        if request in self._sizes:
            self._sizes[request] = size_bytes + (0 if is_total else self._sizes[request])

    def _receive(self, received: _Received) -> None:
        if received.request_id not in self._sizes:
            return
        self._count(received.request_id, received.response.encoded_data_length)
        self.protocols.add(received.response.protocol)
        if received.type == "Document" and received.frame_id == self._main_frame:
            self.status = received.response.status
