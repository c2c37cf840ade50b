"""The files that the confined programs of an endpoint see, besides those of every driver."""

import stat
from pathlib import Path

from scripts.base.confinement import INSIDE
from scripts.base.errors import UserError
from scripts.model.endpoint import FILE, Endpoint, read_endpoint
from scripts.model.services import Service

COVERED = (INSIDE, Path("/proc"), Path("/dev"))
"""What no file of an endpoint may take the place of in the view."""


def readable_of(service: Service) -> dict[Path, Path]:
    """The files that a service's endpoint names, by their place in the view; none without an endpoint.

    Raises:
        UserError: endpoint.yaml is wrong, or a file cannot be read.
    """
    if service.endpoint is None:
        return {}
    endpoint = read_endpoint(service.endpoint_folder)
    require_readable(endpoint)
    return {service.endpoint_folder: endpoint.folder, **{Path(path): Path(path) for path in endpoint.reads}}


def require_readable(endpoint: Endpoint) -> None:
    """Check the files that an endpoint names.

    Raises:
        UserError: one is missing, is private, or would take the place of a file of the view.
    """
    file = endpoint.folder / FILE
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
