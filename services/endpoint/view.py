"""The files that the confined programs of an endpoint see, besides those of every driver."""

import stat
from pathlib import Path
from shutil import which

from scripts.base.confinement import INSIDE
from scripts.base.errors import UserError
from scripts.model.endpoint import FILE, Endpoint, read_endpoint
from scripts.model.services import Service
from services.endpoint.image.unpacked import require_unpacked
from services.endpoint.program import PATH
from services.endpoint.www import made_folder

COVERED = (INSIDE, Path("/proc"), Path("/dev"))
"""What no file of an endpoint may take the place of in the view."""


def readable_of(service: Service) -> dict[Path, Path]:
    """The files that a service's endpoint names, by their place in the view; none without an endpoint.

    Raises:
        UserError: endpoint.yaml is wrong, a file cannot be read, or the image is wrong.
    """
    if service.endpoint is None:
        return {}
    endpoint = read_endpoint(service.endpoint_folder)
    return {service.endpoint_folder: endpoint.folder, **other_files(endpoint)}


def other_files(endpoint: Endpoint) -> dict[Path, Path]:
    """The files beside its folder that an endpoint needs, by their place in the view. An image is unpacked.

    Raises:
        UserError: a file cannot be read, or the image is wrong.
    """
    require_readable(endpoint)
    image = [] if endpoint.image is None else [require_unpacked(endpoint)]
    return {path: path for path in (*map(Path, endpoint.reads), made_folder(), *image)}


def require_readable(endpoint: Endpoint) -> None:
    """Check the files that an endpoint names.

    Raises:
        UserError: one is missing, is private, or would take the place of a file of the view.
    """
    file = endpoint.folder / FILE
    for key in ("versions", "server", "client"):
        for program in getattr(endpoint, key)[:1]:
            is_file = (endpoint.folder / program).is_file()
            if not (is_file if "/" in program else which(program, path=PATH)):
                todo = "build it, or correct the first word of the list"
                raise UserError(f"{file}: {key}: {program!r}: there is no such program; {todo}")
    own = (("server", endpoint.folder), ("server", file))
    for key, path in (*own, *(("reads", Path(name)) for name in endpoint.reads)):
        if any(covered.is_relative_to(path.resolve()) for covered in COVERED):
            raise UserError(f"{file}: {key}: {path} would cover {INSIDE}; name the files that are needed")
        try:
            found = path.stat()
        except OSError as error:
            raise UserError(f"{file}: {key}: {path}: {error.strerror}; correct it, or remove it") from error
        needed = 0o005 if stat.S_ISDIR(found.st_mode) else 0o004
        if found.st_mode & needed != needed:
            raise UserError(
                f"{file}: {key}: {path}: other users cannot read it, and endpoints run as such; "
                f"run chmod -R o+rX {path}"
            )
