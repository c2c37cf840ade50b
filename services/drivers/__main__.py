"""Run one side of a service: the command that runs every driver.

    python -m services.drivers KIND serve SERVICE ADDRESS --directory DIRECTORY
    python -m services.drivers KIND use SERVICE ADDRESS --directory DIRECTORY --seconds N --result FILE

SERVICE is a JSON file with the service's catalogue entry. `use` writes what the driver observed to FILE as
JSON. services/drivers/__init__.py describes both functions.

Exit status: 0; 1 the service is broken (the last line on standard error is the reason of the failed trial);
2 an error that the user can fix.
"""

import json
import sys
import traceback
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.records import read_record
from scripts.model.drivers import check_observation
from scripts.model.services import Service
from services.drivers import ServiceError, driver_of


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run `serve` or `use` of a driver; see the module's docstring."""
    parser = parser_of("services.drivers", __doc__)
    parser.add_argument("kind", help="a module of services/drivers/")
    parser.add_argument("side", choices=["serve", "use"])
    parser.add_argument("service", type=Path, help="the JSON file of the catalogue entry")
    parser.add_argument("address", help="the address of the service's side")
    parser.add_argument("--seconds", type=int, help="use: the duration")
    parser.add_argument("--directory", type=Path, help="the driver's folder")
    parser.add_argument("--result", type=Path, help="use: the JSON file to write")
    arguments = parser.parse_args(argv)
    service = read_record(Service, arguments.service)
    driver = driver_of(arguments.kind)
    try:
        if arguments.side == "serve":
            driver.serve(service, arguments.address, arguments.directory)
        else:
            observation = driver.use(service, arguments.address, arguments.seconds, arguments.directory)
            check_observation(observation, f"services/drivers/{arguments.kind}.py")
            arguments.result.write_text(json.dumps(observation), encoding="utf-8")
    except ServiceError as error:
        if error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
        print(error, file=sys.stderr)  # The last line is the reason of the failed trial.
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
