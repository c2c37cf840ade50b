"""One module a kind of client. Each has two functions, run as commands in the trial's namespaces:

    serve(service, address)
        runs the service's own side in its namespace, in the foreground, until it is stopped;
    use(service, address, seconds, directory)
        uses the service for `seconds` from the client's namespace, may leave files in `directory`, and
        returns what the driver saw: a mapping for qoe.json.

`service` is the catalogue entry (config/schemas/service.yaml), `address` where the service's side listens.
A driver says that the service broke by raising ServiceError. The testbed calls them by

    python -m services.drivers KIND serve|use SERVICE_JSON ADDRESS …

and knows nothing else of a service. Adding a kind is adding a module here.
"""


class ServiceError(Exception):
    """The service, or the client using it, broke: the reason of a failed trial."""
