"""Container images for tests, as OCI layouts: one of Debian's ngtcp2, and others that may be wrong."""

import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from services.endpoint.image.layout import MANIFESTS, our_architecture
from tests.services.endpoint.making import make_endpoint

LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
PROGRAMS = ("dash", "gtlsserver", "gtlsclient")
RUN = """\
#!/bin/sh
exec >/logs/log.txt 2>&1
/setup.sh || exit 3
[ "$TESTCASE" = transfer ] || exit 127
case $CCA in cubic|reno|bbr) ;; *) exit 127 ;; esac
if [ "$ROLE" = client ]; then
    /wait-for-it.sh sim:57832 -s -t 30 || exit 4
    gtlsclient -q --exit-on-all-streams-close --download=/downloads server4 443 $REQUESTS $CLIENT_PARAMS
else
    gtlsserver -q -d /www '*' 443 /certs/priv.key /certs/cert.pem --cc="$CCA" $SERVER_PARAMS
fi
"""
ROUTES = "#!/bin/sh\necho routes cannot be set here\nexit 1\n"
"""In place of the scripts of quic-network-simulator, which fail without its network."""

TOLD = {"stack": "ngtcp2", "version": "0.12.1", "gso": True, "pacing": True}


def make_debian_image(folder: Path) -> Path:
    """An OCI layout with Debian's ngtcp2 and an entry point as in quic-interop-runner, in a new folder."""
    rootfs, layout = folder / "rootfs", folder / "layout"
    programs = [str(shutil.which(program)) for program in PROGRAMS]
    linked = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=True).stdout
    for file in (*programs, *set(re.findall(r"(/\S+\.so\S*)", linked))):
        copy = rootfs / file.removeprefix("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    (rootfs / "bin").mkdir(exist_ok=True)
    (rootfs / "bin/sh").symlink_to(programs[0])
    for name, text in (("run_endpoint.sh", RUN), ("setup.sh", ROUTES), ("wait-for-it.sh", ROUTES)):
        (rootfs / name).write_text(text)
        (rootfs / name).chmod(0o755)
    image = ["--image", f"{layout}:latest"]
    for command in (
        ["init", "--layout", str(layout)],
        ["new", *image],
        ["insert", "--rootless", *image, str(rootfs), "/"],
        ["config", *image, "--config.entrypoint", "/run_endpoint.sh"],
    ):
        subprocess.run(["umoci", *command], check=True)
    subprocess.run(["chmod", "-R", "a+rX", layout], check=True)
    return layout


def make_image_endpoint(folder: Path, image: str, **keys: Any) -> Path:
    """An endpoint with an image of this name, which is to be put into its folder."""
    controllers = ["cubic", "reno", "bbr"]
    told = {**TOLD, "controllers": {name: name.title() for name in controllers}}
    given = {
        "server": None,
        "client": None,
        "controllers": controllers,
        "versions": ["cat", "told.json"],
        **keys,
    }
    made = make_endpoint(folder, image=image, **given)
    (made / "told.json").write_text(json.dumps(told))
    return made


def entry(name: str, content: bytes = b"", **fields: Any) -> tuple[tarfile.TarInfo, bytes]:
    """A file of a layer; `fields` are those of TarInfo."""
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), 0o755
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def make_layer(entries: Sequence[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    """A compressed layer with these files. They may say of themselves what they like."""
    raw = io.BytesIO()
    for info, content in entries:
        raw.write(info.tobuf(tarfile.PAX_FORMAT) + content + bytes(-len(content) % 512))
    raw.write(bytes(1024))
    return gzip.compress(raw.getvalue(), mtime=0)


def endless_header() -> bytes:
    """The head of a tar file whose extended header claims more bytes than a C program can count."""
    record = b"99999999999999999999 path=x\n"
    info, content = entry("pax", record, type=tarfile.XHDTYPE)
    return info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % 512)


def run_script(**fields: Any) -> tuple[tarfile.TarInfo, bytes]:
    """The entry point of an image."""
    return entry("run_endpoint.sh", b"#!/bin/sh\n", **fields)


class Image:
    """An OCI layout in a new folder: a layer, a configuration, a manifest and an index, in this order.

    Each is changed before the next one describes it. `changes` are those of a descriptor.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "blobs/sha256").mkdir(parents=True)
        self.layers: list[dict[str, Any]] = []
        self._diffs: list[str] = []

    def path(self, descriptor: Mapping[str, Any]) -> Path:
        """The file that a descriptor names."""
        return self.folder / "blobs/sha256" / descriptor["digest"].removeprefix("sha256:")

    def add(self, content: bytes, media_type: str, **changes: Any) -> dict[str, Any]:
        """Add a file; return its descriptor."""
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        described = {"mediaType": media_type, "digest": digest, "size": len(content)}
        self.path(described).write_bytes(content)
        return described | changes

    def add_layer(self, layer: bytes, **changes: Any) -> None:
        """Add a layer."""
        self.layers.append(self.add(layer, LAYER, **changes))
        with suppress(OSError, EOFError):
            self._diffs.append(f"sha256:{hashlib.sha256(gzip.decompress(layer)).hexdigest()}")

    def add_config(self, **keys: Any) -> dict[str, Any]:
        """Add a configuration with these keys; return its descriptor."""
        config = {
            "architecture": our_architecture(),
            "os": "linux",
            "config": {"Entrypoint": ["/run_endpoint.sh"]},
            "rootfs": {"type": "layers", "diff_ids": self._diffs},
        }
        return self.add(json.dumps(config | keys).encode(), "application/vnd.oci.image.config.v1+json")

    def add_manifest(self, config: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
        """Add a manifest; return its descriptor."""
        manifest = {"schemaVersion": 2, "mediaType": MANIFESTS[0], "config": config, "layers": self.layers}
        return self.add(json.dumps(manifest).encode(), MANIFESTS[0], **changes)

    def finish(self, *manifests: Mapping[str, Any]) -> Path:
        """Write the index; return the layout."""
        index = {"schemaVersion": 2, "manifests": manifests}
        (self.folder / "index.json").write_text(json.dumps(index))
        return self.folder


def make_image(folder: Path, *entries: tuple[tarfile.TarInfo, bytes], **config: Any) -> Image:
    """A whole image with one layer and these keys of its configuration."""
    image = Image(folder)
    image.add_layer(make_layer(entries))
    image.finish(image.add_manifest(image.add_config(**config)))
    return image
