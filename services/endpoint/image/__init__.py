"""The image of an endpoint: a container image in the layout of quic-interop-runner, which arrives as files.

A confined program checks and unpacks it, once, into a folder of IMAGES (unpacked.py, unpack.py). Its programs
then run in a view whose root is that folder, inside the view of their driver (container.py).
"""

from dataclasses import dataclass

from scripts.base.files import ROOT

PROGRAMS = {"umoci": "umoci"}

IMAGES = ROOT / "build/images"
"""The folder of unpacked images. It may be removed while no trial runs."""

ROOTFS, START = "rootfs", "start.json"
"""In an unpacked image: the folder of its files, and the file that says how it starts (Start)."""

PORT = 443
"""The port of its server, by UDP."""

HOST = "server4"
"""The name of its server, in REQUESTS and in the certificate."""

LOGS, WWW, DOWNLOADS, CERTIFICATES = "logs", "www", "downloads", "certs"
OURS = "image"
"""The folder in that of the driver with what we put into the view: certificates, /etc/hosts, a script."""

FOLDERS = ("proc", "dev", "tmp", "run", LOGS, WWW, DOWNLOADS, CERTIFICATES)
"""The folders that its programs see in place of those of the image."""


@dataclass(frozen=True)
class Start:
    """How an image starts.

    Attributes:
        digest: the digest of its manifest, by which registries know it.
        command: its entry point, with arguments.
        environment: its environment.
        folder: the folder in which it starts.
    """

    digest: str
    command: tuple[str, ...]
    environment: dict[str, str]
    folder: str
