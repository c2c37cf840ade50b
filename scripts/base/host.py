"""The name of the host that a trial is measured on, which trial.json and the tables publish."""

import hashlib
import os
import platform
import re
from pathlib import Path

from scripts.base.errors import UserError

VARIABLES = ("OBSERVATORY_HOST", "SLURMD_NODENAME")
"""Environment variables with the name: the operator's, and that of Slurm for its node."""

MACHINE_ID = Path("/etc/machine-id")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")


def host_name() -> str:
    """The name that the operator or Slurm gives this host, else one that says nothing about the machine.

    Without a given name it is `host-` and six digits of a hash of /etc/machine-id, which stays the same and
    cannot be turned back (machine-id(5)). A machine without such a file has a hash of its own name.

    Raises:
        UserError: the given name is not a short word of letters, digits, hyphens, dots and underscores.
    """
    for variable in VARIABLES:
        given = os.environ.get(variable)
        if given:
            if not NAME.fullmatch(given):
                raise UserError(f"{variable}={given}: name the host by at most 32 letters, digits and -._")
            return given
    machine = MACHINE_ID.read_text().strip() if MACHINE_ID.is_file() else ""
    text = f"internet-fairness-observatory {machine or platform.node()}"
    return f"host-{hashlib.sha256(text.encode()).hexdigest()[:6]}"
