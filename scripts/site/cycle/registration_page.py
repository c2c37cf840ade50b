"""The registration of a cycle for its data page: when what decides its verdicts changed."""

from collections.abc import Iterator, Mapping

from scripts.plan.registration import Content, read_registration
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs


def registration_page(inputs: Inputs) -> list[Row]:
    """The lines of the registration; none if the cycle has none.

    Returns:
        For each line its number, `time`, `trials` so far, `sha256`, and `changed`: the dotted keys of the
        configuration and the files of code that differ from the line before.

    Raises:
        UserError: the registration is damaged.
    """
    lines = read_registration(inputs.config_path.parent)
    before: list[dict[str, object]] = [{}, *(dict(_parts(line.content)) for line in lines)]
    return [
        {
            "line": line.line,
            "time": f"{line.time[:10]} {line.time[11:16]} UTC",
            "trials": line.trials,
            "sha256": line.sha256,
            "changed": _differences(before[place], before[place + 1]) if place else [],
        }
        for place, line in enumerate(lines)
    ]


def _parts(content: Content) -> Iterator[tuple[str, object]]:
    """Every part of a content by its name: values of the configuration by two keys, and files of code."""
    for key, value in content["campaign"].items():
        if isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", held) for inner, held in value.items())
        elif key == "expectations":
            yield from ((f"{key}.{one['name']}", one) for one in value)
        else:
            yield key, value
    yield "specification", content["specification"]
    yield from content["code"].items()


def _differences(before: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    return [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
