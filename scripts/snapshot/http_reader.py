"""Reads files over HTTP, whole or from some byte on. After a lost connection it goes on where it was.

Requests go through the proxy that the environment names. A redirect to another host is refused. What comes
from there would be checked like every file, but a stranger's redirect could send requests into the network of
the reader.
"""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.exceptions import HTTPError, NameResolutionError, ProtocolError, ReadTimeoutError, SSLError

from scripts.base.errors import UserError
from scripts.base.plain import plain

CONNECTIONS = 8
TIMEOUT = urllib3.Timeout(connect=15, read=60)
HEADERS = {"Accept-Encoding": "identity", "User-Agent": "internet-fairness-observatory"}
MOVED = {301, 302, 303, 307, 308}
MOST_REDIRECTS = 5

CHUNK_BYTES = 1 << 18
MEASURED_BYTES = 1 << 16
"""The rate of fewer bytes says nothing."""

WAITS_S = (0.5, 1.0, 2.0, 4.0, 8.0)
"""The waits before a request is sent again. After the last one in a row without any byte, reading fails."""

PATIENCE_S, LEAST_BYTES = 300.0, 300_000
"""Reading fails if a server sends fewer bytes in so much time."""

PASSING = {408, 425, 429, 500, 502, 503, 504}
"""The statuses of answers that another request may not get."""

RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


class PassingError(Exception):
    """A problem that may be gone when the request is sent again."""


def _followed(url: str, target: str) -> str:
    """The target of a redirect.

    Raises:
        UserError: it is on another host, or no longer protected by TLS.
    """
    before, after = urlsplit(url), urlsplit(target)
    secured = before.scheme == "http" and after.scheme == "https" and before.hostname == after.hostname
    if not secured and (before.scheme, before.netloc) != (after.scheme, after.netloc):
        advice = "give that address (or --captures, for captures) if you trust it"
        raise UserError(f"{url}: leads to another host, {after.scheme}://{after.netloc}; {advice}")
    return target


def words_of(error: HTTPError) -> str:
    """What went wrong, without the names of Python objects."""
    if isinstance(error, ProtocolError):
        return "the connection was lost, or the answer is not HTTP"
    if isinstance(error, ReadTimeoutError):
        return "the server does not answer in time"
    text = re.sub(r"<[^>]*>|\w+\(host=[^)]*\)", "", str(error)).strip(" :")
    return plain(text) or type(error).__name__


class HttpReader:
    """A few connections, which several threads may use.

    Args:
        waits_s: the waits before a request is sent again.
    """

    def __init__(self, waits_s: Sequence[float] = WAITS_S) -> None:
        self._waits_s = waits_s
        self._answered = set[str]()  # the hosts that sent a file before
        self._pools: dict[str | None, urllib3.PoolManager] = {}
        self._received_bytes, self._received_s = 0, 0.0

    def rate(self) -> float | None:
        """The bytes a second of one connection so far; None if there were too few to measure."""
        return self._received_bytes / self._received_s if self._received_bytes >= MEASURED_BYTES else None

    def size(self, url: str) -> int | None:
        """The bytes of a file; None if the server does not say.

        Raises:
            FileNotFoundError: there is no such file.
            UserError: the server refuses, or cannot be reached.
        """
        waits = iter(self._waits_s)
        while True:
            try:
                with self._answer("HEAD", url, 0) as answer:
                    length = answer.headers.get("Content-Length", "")
                    return int(length) if length.isdecimal() else None
            except PassingError as problem:
                _wait(waits, url, problem)

    def stream(self, url: str, first: int = 0, size: int | None = None) -> Iterator[bytes]:
        """The content of a file from its byte `first` on, in parts.

        Args:
            url: its address.
            first: how many bytes to leave out.
            size: how many bytes the whole file should have; None if that is not known.

        Raises:
            FileNotFoundError: there is no such file; nothing was returned before.
            UserError: the server refuses, cannot be reached, or sends another number of bytes.
        """
        at, waits, pace = first, iter(self._waits_s), _Pace(url)
        while True:
            try:
                for part in self._rest(url, at, size, pace):
                    at, waits = at + len(part), iter(self._waits_s)
                    yield part
                return
            except PassingError as problem:
                pace.add(_wait(waits, url, problem), 0)
            except FileNotFoundError:
                if at == first:
                    raise
                raise UserError(f"{url}: was removed while it was read; start again") from None

    def _rest(self, url: str, at: int, size: int | None, pace: "_Pace") -> Iterator[bytes]:
        """One answer's content from byte `at` on."""
        with self._answer("GET", url, at) as answer:
            skipped, left = (at if answer.status == HTTPStatus.OK else 0), at
            for part in self._timed(answer, pace):
                new, skipped = part[skipped:], max(0, skipped - len(part))
                left += len(new)
                if size is not None and left > size:
                    raise PassingError(f"is larger than the {size} bytes that it should have")
                if new:
                    yield new
            if skipped or (size is not None and left != size):
                raise PassingError(
                    f"has {left - skipped} bytes and should have {'more' if size is None else size}"
                )

    def _timed(self, answer: urllib3.BaseHTTPResponse, pace: "_Pace") -> Iterator[bytes]:
        """The parts of an answer; the time that they take counts for the rate."""
        while True:
            began_s = time.monotonic()
            try:
                part = answer.read1(CHUNK_BYTES, decode_content=False)
            except HTTPError as error:
                pace.add(time.monotonic() - began_s, 0)
                raise PassingError(words_of(error)) from error
            took_s = time.monotonic() - began_s
            self._received_s += took_s
            self._received_bytes += len(part)
            if not part:
                return
            pace.add(took_s, len(part))
            yield part

    @contextmanager
    def _answer(self, method: str, url: str, at: int) -> Iterator[urllib3.BaseHTTPResponse]:
        """The answer to a request for a file, from byte `at` on; the server may also send the whole file."""
        answer = self._request(method, url, {"Range": f"bytes={at}-"} if at else {})
        whole = False
        try:
            self._check(answer, url, at)
            yield answer
            whole = True
        finally:
            if whole:
                answer.drain_conn()
                answer.release_conn()
            else:
                answer.close()

    def _request(self, method: str, url: str, headers: dict[str, str]) -> urllib3.BaseHTTPResponse:
        """Send a request; follow redirects to the same host."""
        there = url
        for _ in range(MOST_REDIRECTS):
            answer = self._send(method, there, headers)
            location = answer.headers.get("Location")
            if answer.status not in MOVED or location is None:
                return answer
            answer.close()
            there = _followed(url, urljoin(there, location))
        raise UserError(f"{url}: leads to itself by redirects; check the address")

    def _send(self, method: str, url: str, headers: dict[str, str]) -> urllib3.BaseHTTPResponse:
        try:
            return self._pool(url).request(
                method, url, headers=HEADERS | headers, preload_content=False, redirect=False
            )
        except SSLError as error:
            problem = "its certificate is not accepted, or it does not speak TLS"
            raise UserError(f"{url}: {problem}: {words_of(error)}; check the address") from error
        except NameResolutionError as error:
            problem = "the name of the host cannot be resolved"
            if urlsplit(url).netloc in self._answered:
                raise PassingError(problem) from error
            raise UserError(f"{url}: {problem}; check the address and the network") from error
        except HTTPError as error:
            raise PassingError(words_of(error)) from error

    def _pool(self, url: str) -> urllib3.PoolManager:
        """The connections to a host, through the proxy that the environment names for it."""
        parts = urlsplit(url)
        proxy = None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
        if proxy not in self._pools:
            self._pools[proxy] = (
                urllib3.ProxyManager(proxy, retries=False, timeout=TIMEOUT, maxsize=CONNECTIONS)
                if proxy
                else urllib3.PoolManager(retries=False, timeout=TIMEOUT, maxsize=CONNECTIONS)
            )
        return self._pools[proxy]

    def _check(self, answer: urllib3.BaseHTTPResponse, url: str, at: int) -> None:
        """Raise an error unless the answer is the file, or the part of it that was asked for."""
        host = urlsplit(url).netloc
        if answer.status in PASSING:
            raise PassingError(f"the server answers {answer.status}")
        if answer.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise PassingError(f"has fewer than {at + 1} bytes")
        # Object storage that lets nobody list files answers 403 for a missing one.
        if answer.status in (404, 410) or (answer.status == HTTPStatus.FORBIDDEN and host in self._answered):
            raise FileNotFoundError(url)
        if answer.status == HTTPStatus.PARTIAL_CONTENT:
            content_range = RANGE.fullmatch(answer.headers.get("Content-Range", ""))
            if content_range is None or int(content_range[1]) != at:
                raise PassingError("the server sends another range than the one asked for")
        elif answer.status != HTTPStatus.OK:
            raise UserError(f"{url}: the server answers {answer.status}; check the address, or ask its owner")
        self._answered.add(host)


class _Pace:
    """Gives up a server that sends a byte now and then."""

    def __init__(self, url: str) -> None:
        self._url, self._waited_s, self._bytes = url, 0.0, 0

    def add(self, waited_s: float, count: int) -> None:
        """Add the time that was waited for so many bytes.

        Raises:
            UserError: the server is too slow.
        """
        self._waited_s, self._bytes = self._waited_s + waited_s, self._bytes + count
        if self._waited_s < PATIENCE_S:
            return
        if self._bytes < LEAST_BYTES:
            least = f"{LEAST_BYTES / 1e3:.0f} kB in {PATIENCE_S:.0f} s"
            raise UserError(f"{self._url}: the server sends less than {least}; try again later")
        self._waited_s, self._bytes = 0.0, 0


def _wait(waits: Iterator[float], url: str, problem: PassingError) -> float:
    """Wait before the next request; how long.

    Raises:
        UserError: there were enough.
    """
    wait_s = next(waits, None)
    if wait_s is None:
        raise UserError(f"{url}: {problem}; try again later, or check the address") from problem
    time.sleep(wait_s)
    return wait_s
