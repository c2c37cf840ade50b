"""The key and the certificate of an endpoint's server in one trial."""

import shutil
from pathlib import Path

from scripts.model.services import Service
from services.endpoint import CERTIFICATE, HOST, KEYS, image, own_folder
from services.origin.certificate import make_certificate
from services.use_time import SHARED


def host_of(service: Service) -> str:
    """The name of the server: its first host, or HOST."""
    return service.hosts[0] if service.hosts else HOST


def make_keys(service: Service, server: Path, directory: Path) -> Path:
    """Make the server's key and certificate, and give the client the certificate.

    Args:
        service: the service.
        server: the folder of the server's driver.
        directory: the folder with SHARED.

    Returns:
        The folder KEYS in that of the server's driver.
    """
    keys = own_folder(server, KEYS)
    make_certificate([host_of(service), image.HOST], keys, directory)
    shutil.copyfile(keys / CERTIFICATE, directory / SHARED / CERTIFICATE)
    return keys
