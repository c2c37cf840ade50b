"""Sends requests for files over HTTP, through the proxy that the environment names.

A redirect to another host is refused. What comes from there would be checked like every file, but the answer
of a stranger could send requests into the network of whoever reads it.
"""

import re
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


class PassingError(Exception):
    """A problem that may be gone when the request is sent again."""


class HttpRequests:
    """The connections to servers.

    Attributes:
        answered: the hosts that sent a file before.
    """

    def __init__(self) -> None:
        self.answered: set[str] = set()
        self._pools: dict[str | None, urllib3.PoolManager] = {}

    def request(self, method: str, url: str, headers: dict[str, str]) -> urllib3.BaseHTTPResponse:
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
            if urlsplit(url).netloc in self.answered:
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
