"""Chromium's DevTools protocol: commands to a browser and its events, with a limit for every wait.

The browser answers whatever its pages do. A page answers nothing while it is busy or shows a dialog.
Source: https://chromedevtools.github.io/devtools-protocol/
"""

import json
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from typing import TypeVar

import msgspec
import websocket

from scripts.base.records import Json
from scripts.model.problems import Code, problem
from services.drivers import ServiceError

ANSWER_S = 20
"""How long the browser may take for one answer before it counts as hung."""

NOTHING = msgspec.Raw(b"null")
Result = TypeVar("Result")


class Event(msgspec.Struct, frozen=True):
    """What happened in a session: the browser itself (None), a page, a frame of another site or a worker."""

    method: str
    params: msgspec.Raw
    session: str | None

    def read(self, kind: type[Result]) -> Result:
        """The parameters as the record `kind`. Others than its fields are ignored."""
        return msgspec.json.decode(self.params, type=kind)


class _Message(msgspec.Struct, frozen=True, rename="camel"):
    id: int | None = None
    method: str = ""
    params: msgspec.Raw = NOTHING
    result: msgspec.Raw = NOTHING
    session_id: str | None = None


class DevTools:
    """A connection to the browser whose DevTools listen on this port of the host.

    `handle` gets every event, in their order. It may send commands and must not wait for their results.
    """

    def __init__(self, port: int, handle: Callable[[Event], None]) -> None:
        self._handle = handle
        self._sent = 0
        try:
            self._socket = websocket.create_connection(
                _address(port), timeout=ANSWER_S, suppress_origin=True, skip_utf8_validation=True
            )
        except (websocket.WebSocketException, HTTPException, OSError) as error:
            raise ServiceError(problem(Code.BROWSER_FAILED)) from error

    def send(self, method: str, session: str | None = None, **parameters: Json) -> int:
        """Send a command; return its number."""
        self._sent += 1
        command: dict[str, Json] = {"id": self._sent, "method": method, "params": parameters}
        try:
            self._socket.settimeout(ANSWER_S)
            self._socket.send(json.dumps(command | ({"sessionId": session} if session else {})))
        except (websocket.WebSocketException, OSError) as error:
            raise ServiceError(problem(Code.BROWSER_FAILED)) from error
        return self._sent

    def ask(
        self,
        kind: type[Result],
        seconds: float,
        method: str,
        session: str | None = None,
        **parameters: Json,
    ) -> Result | None:
        """The result of a command as the record `kind`; None if there is none within `seconds`."""
        number = self.send(method, session, **parameters)
        deadline = time.monotonic() + seconds
        while (left_s := deadline - time.monotonic()) > 0:
            message = self._receive(left_s)
            if message is not None and message.id == number:
                return _read(message.result, kind)
        return None

    def follow(self, seconds: float) -> None:
        """Handle the events of the next `seconds`."""
        deadline = time.monotonic() + seconds
        while (left_s := deadline - time.monotonic()) > 0:
            self._receive(left_s)

    def close(self) -> None:
        """End the connection."""
        self._socket.close(timeout=0)

    def _receive(self, seconds: float) -> _Message | None:
        """Wait for a message, and handle it if it is an event."""
        try:
            self._socket.settimeout(seconds)
            text = self._socket.recv()
        except websocket.WebSocketTimeoutException:
            return None
        except (websocket.WebSocketException, OSError) as error:
            raise ServiceError(problem(Code.BROWSER_FAILED)) from error
        message = msgspec.json.decode(text, type=_Message)
        if message.method:
            self._handle(Event(message.method, message.params, message.session_id))
        return message


def _read(result: msgspec.Raw, kind: type[Result]) -> Result | None:
    """The result as the record `kind`; None if it is something else, such as an error."""
    try:
        return msgspec.json.decode(result, type=kind)
    except msgspec.ValidationError:
        return None


def _address(port: int) -> str:
    """The address of the browser's own DevTools target."""
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    connection.request("GET", "/json/version")
    address = json.loads(connection.getresponse().read())["webSocketDebuggerUrl"]
    connection.close()
    return str(address)
