"""What goes wrong with a service, as codes with numbers.

Everything that a driver says about it consists of these sentences: `unmet` of qoe.json and the reason of a
failed trial. So no text of a page, a browser or another program can get into what is published.
"""

import re
from dataclasses import dataclass
from enum import Enum

from scripts.base.records import Json, Number


class Code(Enum):
    """A kind of problem. Its value is its sentence, in which each `{}` stands for a number."""

    PAGE_SILENT = "the page did not answer within {} s"
    PAGE_UNREACHABLE = "the page cannot be reached"
    PAGE_NOT_LOADED = "the page was not loaded within {} s"
    PAGE_CRASHED = "the page crashed"
    HTTP_STATUS = "the page answered with HTTP status {}"
    PICTURES_MISSING = "{} pictures of the page did not load"
    NOTHING_SHOWN = "the page showed nothing"
    NOTHING_RECEIVED = "nothing was received"
    SILENCE = "nothing was received for {} s"
    DIALOG = "the page opened a dialog"
    WINDOW = "the page opened a window"
    DOWNLOAD = "the page started a download"
    LEFT_SITE = "the page left its site"
    FULL_SCREEN = "the page went full screen"
    TRANSFER_FAILED = "a transfer of the page failed"
    PLAYER_FAILED = "the player failed with its error {}"
    CONNECTION_FAILED = "the connection of the call failed"
    LOADS_NOT_ENDED = "{} of {} loads had not ended after {} s"
    LOADS_MISSING = "{} of {} loads ended within the time of the trial"
    VIDEO_NOT_STARTED = "the video did not start within {} s"
    NO_PICTURE = "no picture arrived within {} s"
    IPERF_UNCONNECTED = "iperf3 could not connect"
    IPERF_BUSY = "the server of iperf3 was busy"
    IPERF_BROKEN = "the connection of iperf3 broke"
    IPERF_LATE = "iperf3 did not end in time"
    IPERF_MISUSED = "iperf3 refused its options"
    IPERF_CONGESTION_CONTROL = "iperf3 could not set the congestion control"
    IPERF_UNREPORTED = "iperf3 ended without a report"
    FLOWS_BROKEN = "the connections of {} of {} flows broke"
    FLOWS_FAILED = "the generator of flows failed"
    ENDPOINT_UNTOLD = "the endpoint does not say its stack, version and controllers"
    VERSIONS_MISSING = "`versions` of endpoint.yaml cannot be started"
    VERSIONS_ENDED = "`versions` of endpoint.yaml ended with status {}"
    VERSIONS_LATE = "`versions` of endpoint.yaml did not end within {} s"
    VERSIONS_UNREADABLE = "`versions` of endpoint.yaml printed no JSON mapping"
    VERSIONS_STACK = "`versions` of endpoint.yaml has no `stack` that is a plain word"
    VERSIONS_VERSION = "`versions` of endpoint.yaml has no `version` that is a plain word"
    VERSIONS_CONTROLLERS = "`versions` of endpoint.yaml has no `controllers` that map names to plain words"
    VERSIONS_CONTROLLER = "`versions` of endpoint.yaml does not have the controller of this service"
    VERSIONS_GSO = "`versions` of endpoint.yaml has no `gso` that is true, false or null"
    VERSIONS_PACING = "`versions` of endpoint.yaml has no `pacing` that is true, false or null"
    VERSIONS_UNKNOWN = (
        "`versions` of endpoint.yaml has another key than `stack`, `version`, `controllers`, `gso`, `pacing`"
    )
    ENDPOINT_UNSUPPORTED = "the endpoint does not support this: status {}"
    ENDPOINT_SERVER_MISSING = "the server of the endpoint cannot be started"
    ENDPOINT_SERVER_ENDED = "the server of the endpoint ended with status {}"
    ENDPOINT_SERVER_DEAF = "the server of the endpoint did not listen within {} s"
    ENDPOINT_CLIENT_MISSING = "the client of the endpoint cannot be started"
    ENDPOINT_CLIENT_ENDED = "the client of the endpoint ended with status {}"
    BROWSER_NOT_STARTED = "the browser did not start within {} s"
    BROWSER_SILENT = "the browser did not answer within {} s"
    BROWSER_FAILED = "the browser failed"
    FAR_END = "the far end of the call failed"
    CALL_SERVER_ENDED = "the server of the call ended"
    NGINX_ENDED = "nginx ended with status {}"
    GTLSSERVER_ENDED = "gtlsserver ended with status {}"
    GTLSSERVER_DEAF = "gtlsserver did not listen within {} s"
    NOT_BUILT = "the files of the service are not built; run `make setup`"
    CALIBRATION_FAILED = "the sender of the calibration failed"


@dataclass(frozen=True)
class Problem:
    """One problem: its code, and a number for each `{}` of the code's sentence."""

    code: Code
    numbers: tuple[Number, ...] = ()

    def __str__(self) -> str:
        return self.code.value.format(*(_digits(number) for number in self.numbers))


def problem(code: Code, *numbers: Number) -> Problem:
    """The problem with this code and these numbers."""
    return Problem(code, numbers)


def reason_of(effect: Problem, cause: Problem | None = None) -> str:
    """The sentence of a problem, and that of its cause."""
    return f"{effect}: {cause}" if cause else str(effect)


def is_reason(text: str) -> bool:
    """Whether a text is a result of `reason_of`."""
    return re.fullmatch(PATTERN, text) is not None and not text.endswith("\n")


def _digits(number: Number) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")


def _pattern() -> str:
    sentences = [re.sub(r"[.`]", r"[\g<0>]", code.value).replace("{}", NUMBER) for code in Code]
    either = "|".join(sentences)
    return f"^({either})(: ({either}))?$"


NUMBER = "-?[0-9]+([.][0-9]+)?"
PATTERN = _pattern()
"""The regular expression of all results of `reason_of`."""


def schema() -> dict[str, Json]:
    """The JSON Schema of a result of `reason_of`."""
    return {"type": "string", "pattern": PATTERN}
