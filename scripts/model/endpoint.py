"""An endpoint: a folder with the server and the client of a transport, and endpoint.yaml.

The folder may be anywhere. Its endpoint.yaml says how its programs run, and which congestion controls it
offers. The programs are commands, or an image with both. services/endpoint/ runs them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from scripts.base.errors import UserError
from scripts.base.records import about, from_json
from scripts.model.schemas import check, read_checked

FILE = "endpoint.yaml"
"""The file that makes a folder an endpoint."""

BOTH = ("address", "port", "host", "cert", "logs", "cca")
PLACEHOLDERS = {
    "server": (*BOTH, "www", "key"),
    "client": (*BOTH, "seconds", "downloads"),
    "versions": ("cca",),
    "environment": ("cca",),
}
"""The words that stand in braces in each command, and in the values of `environment`."""

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")

Command = Annotated[tuple[Annotated[str, about(minLength=1)], ...], about(minItems=1)]
Controller = Annotated[str, about(pattern="^[a-z0-9][a-z0-9._-]{0,30}$")]
Told = Annotated[str, about(pattern="^[A-Za-z0-9][A-Za-z0-9._+~-]{0,39}$")]
"""A word that an endpoint says of itself. It is published, so it is short and has no other signs."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """How the programs of an endpoint run: `server` and `client`, or an `image` with both.

    Each command is a list of arguments. It runs in the endpoint's folder, without a shell. Words in braces
    stand for what a trial fills in.
    """

    server: Command = ()
    """The server, with `{address}`, `{port}`, `{host}` (the name in the certificate), `{cert}`, `{key}`,
    `{www}` (a folder with the sparse file `big`), `{logs}` and `{cca}`. It runs until SIGTERM."""
    client: Command = ()
    """The client, with `{address}`, `{port}`, `{host}`, `{cert}`, `{seconds}`, `{downloads}`, `{logs}` and
    `{cca}`. It downloads for its time, without an end or again and again, and stores nothing."""
    image: Annotated[str, about(pattern="^[^/]")] | None = None
    """A container image for quic-interop-runner instead of `server` and `client`: an OCI layout in the
    endpoint's folder, as a folder or as a tar file ([endpoints.md](endpoints.md#an-image))."""
    versions: Command
    """A command, with `{cca}`, that prints a JSON mapping: `stack`, `version`, `controllers` (what each of
    `controllers` is), `gso` and `pacing` (true, false, or null if unknown)."""
    controllers: Annotated[tuple[Controller, ...], about(minItems=1, uniqueItems=True)]
    """The congestion controls that it offers, as `{cca}` names them. The first is its default."""
    shipped: bool = False
    """Whether the server is a program that the stack itself publishes. If not, pages say `Our programs on`
    the stack: a program decides how it reads its socket, and often how it paces."""
    environment: Annotated[dict[str, str], about(propertyNames={"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})] = (
        field(default_factory=dict)
    )
    """Environment variables of its programs. `{cca}` stands for the congestion control."""
    reads: Annotated[tuple[Annotated[str, about(pattern="^/.")], ...], about(uniqueItems=True)] = ()
    """Files and folders beside its own that its programs read, by absolute path. Others need not be named if
    they are below /usr, or settings of fonts and certificates."""
    place: Annotated[str, about(in_file=False)] = ""
    """The endpoint's folder."""

    @property
    def folder(self) -> Path:
        """The endpoint's folder."""
        return Path(self.place)


@dataclass(frozen=True)
class Versions:
    """What an endpoint says of itself, as JSON."""

    stack: Told
    """The name of the transport, such as quinn."""
    version: Told
    """Its version."""
    controllers: Annotated[dict[str, Told], about(maxProperties=50)]
    """What each congestion control is: the name `bbr` may stand for BBRv2."""
    gso: bool | None
    """Whether it hands over several packets at once (UDP_SEGMENT); null if unknown."""
    pacing: bool | None
    """Whether it spaces its packets; null if unknown."""


def read_endpoint(folder: Path, cca: str = "") -> Endpoint:
    """The endpoint in a folder.

    Args:
        folder: the folder.
        cca: a congestion control that it must offer; empty: none.

    Raises:
        UserError: endpoint.yaml is missing or wrong, or does not offer it. The message names the file and the
            key.
    """
    file = folder / FILE
    endpoint = read_checked(Endpoint, file)
    _require_one_form(endpoint, file)
    for key, known in PLACEHOLDERS.items():
        given = getattr(endpoint, key)
        for place, text in given.items() if isinstance(given, dict) else enumerate(given):
            for word in PLACEHOLDER.findall(text):
                if word not in known:
                    raise UserError(
                        f"{file}: {key}.{place}: {{{word}}} has no meaning here; known: {', '.join(known)}"
                    )
    if cca and cca not in endpoint.controllers:
        offered = ", ".join(endpoint.controllers)
        raise UserError(f"{file}: controllers: {cca} is missing; it has {offered}")
    return replace(endpoint, place=str(folder.resolve()))


def _require_one_form(endpoint: Endpoint, file: Path) -> None:
    """Raise UserError if the endpoint has an image beside commands, or neither."""
    for key in ("server", "client", "reads"):
        if endpoint.image is not None and getattr(endpoint, key):
            raise UserError(f"{file}: {key}: an image has its own programs and files; remove {key}, or image")
    for key in ("server", "client"):
        if endpoint.image is None and not getattr(endpoint, key):
            raise UserError(f"{file}: {key}: is missing; add it, or name an image")


def filled(command: Sequence[str], words: Mapping[str, object]) -> list[str]:
    """A command with the value of every placeholder. Other text in braces stays."""

    def value(found: re.Match[str]) -> str:
        return str(words.get(found[1], found[0]))

    return [PLACEHOLDER.sub(value, argument) for argument in command]


def filled_values(texts: Mapping[str, str], words: Mapping[str, object]) -> dict[str, str]:
    """The same for the values of a mapping."""
    return dict(zip(texts, filled(list(texts.values()), words), strict=True))


def read_versions(content: object, origin: str) -> Versions:
    """What an endpoint says of itself, checked.

    Args:
        content: parsed JSON.
        origin: what the message names.

    Raises:
        SchemaError: a key is missing or wrong.
    """
    check(content, Versions, lambda _keys: origin)
    return from_json(Versions, content, origin)
