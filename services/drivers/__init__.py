"""One module a kind of client. Each names in PROGRAMS the programs it runs, with the Debian package of each,
and has two functions, run as commands in the trial's namespaces:

    serve(service, address, directory)
        runs the service's own side in its namespace, in the foreground, until it is stopped;
    use(service, address, seconds, directory)
        uses the service for `seconds` from the client's namespace, and returns what the driver saw: a mapping
        for qoe.json (config/schemas/qoe.yaml).

Of a live service, which is on the Internet, `serve` runs what of it is ours nevertheless (the far end of a
call), and waits where there is nothing.

`service` is the catalogue entry (config/schemas/service.yaml), `address` where the service's side listens, or
the name of a live service's host.
`directory` is the same for both sides: what is left in it is kept with the logs. Where the entry has `hosts`,
the service's side has an address for each, and its names can be resolved. Either function may start
processes; they end with it. A driver says that the service broke by raising ServiceError. The testbed calls
them by

    python -m services.drivers KIND serve|use SERVICE_JSON ADDRESS …

and knows nothing else of a service. Adding a kind is adding a module here.
"""

import importlib
from collections.abc import Iterable


class ServiceError(Exception):
    """The service, or the client using it, broke: the reason of a failed trial."""


def programs_of(kinds: Iterable[str]) -> dict[str, str]:
    """The programs these drivers run, each with the Debian package that has it."""
    programs: dict[str, str] = {}
    for kind in sorted(set(kinds)):
        programs |= importlib.import_module(f"services.drivers.{kind}").PROGRAMS
    return programs
