"""The Python packages of requirements.lock, and those that are installed."""

import importlib.metadata
import re
from collections import defaultdict
from dataclasses import dataclass

LOCKED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+) *(?P<marker>;)?", re.MULTILINE)


@dataclass(frozen=True)
class OtherPackage:
    """A package that is not installed in a version of the lock. `here` is None if it is not installed."""

    name: str
    locked: tuple[str, ...]
    here: str | None


def other_packages(lock: str) -> list[OtherPackage]:
    """The packages that are not installed as a lock has them, in its order.

    A package with a marker is for some systems only, and may be absent.

    Args:
        lock: the text of requirements.lock.
    """
    versions, needed = defaultdict[str, set[str]](set), set()
    for found in LOCKED.finditer(lock):
        versions[found["name"]].add(found["version"])
        if not found["marker"]:
            needed.add(found["name"])
    others = (
        OtherPackage(name, tuple(sorted(locked)), installed_version(name))
        for name, locked in versions.items()
    )
    return [
        one for one in others if one.here not in one.locked and (one.here is not None or one.name in needed)
    ]


def installed_version(package: str) -> str | None:
    """The version of an installed package; None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
