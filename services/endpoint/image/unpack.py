"""Unpack an image: `python -m services.endpoint.image.unpack IMAGE FOLDER`.

IMAGE is an OCI layout, as a folder or a tar file. FOLDER becomes the unpacked image: ROOTFS, whose files all
users can read, and START. The current folder has the files in between.

It runs confined, because IMAGE is a stranger's (unpacked.py). Exit status 2: the last line says why.
"""

import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError, reporting
from scripts.base.plain import plain, shown
from scripts.base.records import Json, write_record
from services.endpoint.image import FOLDERS, ROOTFS, START, Start
from services.endpoint.image.layers import LayerCheck
from services.endpoint.image.layout import (
    MANIFESTS,
    SAVE,
    Config,
    Descriptor,
    ImageLayout,
    Manifest,
    blob_name,
)

NAME = "image"
"""The name of the image in our own layout."""

MANIFEST = MANIFESTS[0]
SAID = 200
"""What is shown of the last line of umoci, in characters."""

MEMORY_BYTES, UMOCI_BYTES = 256 << 20, 1 << 30
"""The memory of this program, which reads headers that may claim any length, and that of umoci."""

MOST_LINKS = 40
USUAL = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
}
"""The environment of an image that does not set these."""


def unpack(image: Path, folder: Path) -> None:
    """Unpack an image into a new folder, which has ROOTFS and START then.

    Raises:
        UserError: the image is wrong.
    """
    layout = ImageLayout(image)
    found = layout.image()
    manifest = layout.checked_part(found, Manifest)
    start = start_of(found.digest, layout.config(manifest))
    ours = copied_layout(layout, manifest, Path("layout"))
    rootfs = unpacked(ours, Path("bundle"))
    shutil.rmtree(ours)
    subprocess.run(["chmod", "-R", "a+rX,u+w,ug-s", rootfs], check=True)
    require_program(rootfs, start)
    make_places(rootfs)
    folder.mkdir()
    rootfs.rename(folder / ROOTFS)
    write_record(folder / START, start)


def start_of(digest: str, config: Config) -> Start:
    """How an image starts, from its configuration.

    Raises:
        UserError: it has no entry point, or a variable without a name.
    """
    settings = config.config
    command = [] if settings is None else [*(settings.entrypoint or ()), *(settings.cmd or ())]
    if settings is None or not command:
        raise UserError("it has no entry point; build it with ENTRYPOINT, such as /run_endpoint.sh")
    environment = dict(word.partition("=")[::2] for word in settings.env or ())
    folder = str(PurePosixPath("/", settings.working_dir or ""))
    if "" in environment or "\0" in "".join([*command, *environment, *environment.values(), folder]):
        raise UserError("its environment or entry point has an empty name or a zero byte; build it without")
    return Start(digest, tuple(command), {**USUAL, **environment}, folder)


def copied_layout(layout: ImageLayout, manifest: Manifest, into: Path) -> Path:
    """A layout of our own with the checked files of one image, whose name is `image`.

    Raises:
        UserError: a file is not what its descriptor says, or a layer would harm.
    """
    (into / blob_name(manifest.config)).parent.mkdir(parents=True)
    for descriptor in (manifest.config, *manifest.layers):
        with (into / blob_name(descriptor)).open("wb") as file:
            file.writelines(layout.blobs(descriptor))
    check = LayerCheck()
    layers = [
        _described(layer, check.check(into / blob_name(layer), number))
        for number, layer in enumerate(manifest.layers, 1)
    ]
    config = _described(manifest.config, "application/vnd.oci.image.config.v1+json")
    content = json.dumps(
        {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers}
    ).encode()
    own = Descriptor(f"sha256:{hashlib.sha256(content).hexdigest()}", len(content))
    (into / blob_name(own)).write_bytes(content)
    named = {**_described(own, MANIFEST), "annotations": {"org.opencontainers.image.ref.name": NAME}}
    (into / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [named]}))
    (into / "oci-layout").write_text(json.dumps({"imageLayoutVersion": "1.0.0"}))
    return into


def _described(descriptor: Descriptor, media_type: str) -> dict[str, Json]:
    return {"mediaType": media_type, "digest": descriptor.digest, "size": descriptor.size}


def unpacked(layout: Path, bundle: Path) -> Path:
    """The folder of an image's files, which umoci unpacks without privileges: devices become empty files.

    Raises:
        UserError: umoci refuses the image.
    """
    limit = ["prlimit", f"--data={UMOCI_BYTES}", "--"]
    command = [*limit, "umoci", "unpack", "--rootless", "--image", f"{layout}:{NAME}", str(bundle)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        raise UserError(f"umoci cannot unpack it ({plain(said.strip(' ⨯')[:SAID])}); {SAVE}")
    return bundle / ROOTFS


def require_program(rootfs: Path, start: Start) -> None:
    """Check that the entry point is a program of the image, and that the folder is there in which it starts.

    Raises:
        UserError: one is not.
    """
    folder = inside(rootfs, PurePosixPath(start.folder))
    if folder is None or not folder.is_dir():
        raise UserError(f"its working folder {shown(start.folder)} is missing in it; correct WORKDIR")
    name = start.command[0]
    folders = [start.folder] if "/" in name else start.environment["PATH"].split(":")
    if not any(_is_program(rootfs, PurePosixPath("/", folder, name)) for folder in folders):
        raise UserError(
            f"the entry point {shown(name)} is not a program in it; correct ENTRYPOINT, or its mode"
        )


def _is_program(rootfs: Path, path: PurePosixPath) -> bool:
    """Whether a path in the image leads to a file that can be executed."""
    found = inside(rootfs, path)
    return found is not None and found.is_file() and os.access(found, os.X_OK)


def inside(rootfs: Path, path: PurePosixPath) -> Path | None:
    """Where an absolute path in an image leads: links are followed within it. None if they have no end."""
    waiting, place, links = list(reversed(path.parts[1:])), PurePosixPath("/"), 0
    while waiting:
        part = waiting.pop()
        if part == "..":
            place = place.parent
            continue
        found = rootfs / place.relative_to("/") / part
        if not found.is_symlink():
            place /= part
            continue
        links += 1
        if links > MOST_LINKS:
            return None
        target = PurePosixPath(os.readlink(found))
        if target.is_absolute():
            place = PurePosixPath("/")
        waiting += reversed([part for part in target.parts if part != "/"])
    return rootfs / place.relative_to("/")


def make_places(rootfs: Path) -> None:
    """Make what the view of its programs covers: the folders FOLDERS, and /etc/hosts.

    Raises:
        UserError: the image has a link or a file in place of a folder.
    """
    for name in (*FOLDERS, "etc"):
        folder = rootfs / name
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise UserError(f"/{name} is no folder in it; build the image with a folder there")
        folder.mkdir(exist_ok=True)
    hosts = rootfs / "etc/hosts"
    if hosts.is_dir() and not hosts.is_symlink():
        raise UserError("/etc/hosts is a folder in it; build the image without it")
    hosts.unlink(missing_ok=True)
    hosts.touch()


@reporting
def main(arguments: Sequence[str]) -> int:
    """Run the command; see the module's docstring."""
    image, folder = map(Path, arguments)
    os.umask(0o022)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, resource.RLIM_INFINITY))
    unpack(image, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
