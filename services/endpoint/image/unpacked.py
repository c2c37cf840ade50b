"""Finds the unpacked image of an endpoint, and has it unpacked if it is not yet.

An unpacked image is known by its file: another size or time of it is another image. The program that unpacks
it (unpack.py) is confined as a user of its own, and sees the image and the folder that it makes.
"""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from scripts.base.confinement import (
    INSIDE,
    UNPACKER,
    Confinement,
    Limits,
    forget_keys,
    make_folder_of,
    require_confinement,
    unprivileged_uid,
)
from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.base.locks import locked
from scripts.base.own_folder import require_own_as_root
from scripts.base.records import from_json
from scripts.model.endpoint import FILE, Endpoint
from services.endpoint.image import IMAGES, PROGRAMS, ROOTFS, START, Start
from services.endpoint.image.layout import MOST_BYTES, Descriptor, blob_name

SECONDS = 600
LIMITS = Limits(processes=500, open_files=1000, file_bytes=MOST_BYTES, processor_s=SECONDS)
MADE = "made"
SHOWN = 500


def image_path(endpoint: Endpoint) -> Path:
    """The image of an endpoint, which must have one.

    Raises:
        UserError: it is missing, or outside the endpoint's folder.
    """
    path = (endpoint.folder / str(endpoint.image)).resolve()
    if not path.is_relative_to(endpoint.folder):
        raise UserError(f"{_key(endpoint)}: is not in the endpoint's folder; copy it there")
    if not path.exists():
        raise UserError(f"{_key(endpoint)}: there is no such file; correct it")
    return path


def unpacked_folder(endpoint: Endpoint) -> Path:
    """Where the unpacked image of an endpoint is, or will be.

    Raises:
        UserError: as `image_path`.
    """
    path = image_path(endpoint)
    index = path / "index.json"
    found = (index if index.is_file() else path).stat()
    known = f"{found.st_dev} {found.st_ino} {found.st_size} {found.st_mtime_ns}"
    return IMAGES / sha256(known.encode()).hexdigest()[:32]


def require_unpacked(endpoint: Endpoint) -> Path:
    """The folder of the unpacked image of an endpoint, which is unpacked if it was not yet.

    Raises:
        UserError: the image is wrong, umoci is missing, or somebody else could change what is unpacked.
    """
    folder = unpacked_folder(endpoint)
    require_own_as_root(IMAGES)
    IMAGES.mkdir(parents=True, exist_ok=True)
    with locked(IMAGES):
        for interrupted in IMAGES.glob(".*"):
            _remove(interrupted)
        if not folder.is_dir():
            _unpack(endpoint, folder)
    return folder


def read_start(folder: Path) -> Start:
    """How an unpacked image starts."""
    return from_json(Start, read_json(folder / START), START)


def image_digest(endpoint: Endpoint) -> str | None:
    """The digest of the unpacked image of an endpoint; None without an image.

    Raises:
        UserError: it is not a digest.
    """
    if endpoint.image is None:
        return None
    digest = read_start(unpacked_folder(endpoint)).digest
    blob_name(Descriptor(digest, 0))
    return digest


def _unpack(endpoint: Endpoint, folder: Path) -> None:
    for program, package in PROGRAMS.items():
        if shutil.which(program) is None:
            raise UserError(f"{program}: is not installed; run make setup, or install the package {package}")
    require_confinement()
    path = image_path(endpoint)
    with _own_folder(folder.with_name(f".{folder.name}")) as home:
        confined = Confinement(home, unprivileged_uid(UNPACKER), readable={path: path}, limits=LIMITS)
        command = [sys.executable, "-m", "services.endpoint.image.unpack", str(path), str(INSIDE / MADE)]
        forget_keys()
        try:
            done = subprocess.run(
                confined.command(*command), capture_output=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise UserError(
                f"{_key(endpoint)}: took more than {SECONDS} s to unpack; make it smaller"
            ) from None
        made = home / MADE
        kinds = ((made, stat.S_ISDIR), (made / ROOTFS, stat.S_ISDIR), (made / START, stat.S_ISREG))
        if done.returncode != 0 or not all(_is(path, kind) for path, kind in kinds):
            lines = done.stderr.decode(errors="replace").strip().splitlines() or [f"status {done.returncode}"]
            raise UserError(f"{_key(endpoint)}: {lines[-1].removeprefix('error: ')[:SHOWN]}")
        os.chown(made, os.geteuid(), os.getegid(), follow_symlinks=False)
        made.rename(folder)


@contextmanager
def _own_folder(path: Path) -> Iterator[Path]:
    """A folder that only the program that unpacks can use. It disappears in the end."""
    make_folder_of(UNPACKER, path)
    try:
        yield path
    finally:
        _remove(path)


def _remove(folder: Path) -> None:
    """Remove a folder with all its files, some of whose folders may be closed to their owner."""
    subprocess.run(["chmod", "-R", "u+rwX", folder], stderr=subprocess.DEVNULL, check=False)
    shutil.rmtree(folder)


def _is(path: Path, kind: Callable[[int], bool]) -> bool:
    """Whether it is a file of this kind, and no link to one."""
    try:
        return kind(path.lstat().st_mode)
    except OSError:
        return False


def _key(endpoint: Endpoint) -> str:
    """The beginning of an error: the file and the key, and the image."""
    return f"{endpoint.folder / FILE}: image: {endpoint.image}"
