"""The remote: the storage that has the published copy of everything.

It is a folder of this host, or a remote of rclone with a path in it, such as `s3:observatory`. Addresses are
relative to it. rclone puts a file at its address only when it is whole: an object store does so by itself, in
a folder it gets another name first.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.operate.context import Context
from scripts.operate.rclone import MissingFolderError, ProgressCallback, run_rclone

PARTIAL = ".partial"
"""The end of the names of files that are not whole yet."""

FEW = 500
"""So many files are looked up one by one. Of more, the folders are listed."""


@dataclass(frozen=True)
class Remote:
    """Where to publish, and rclone's configuration file (None: its own)."""

    place: str
    config: str | None = None

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of this host."""
        return ":" not in self.place.split("/", 1)[0]

    @property
    def root(self) -> str:
        """The remote as rclone names it."""
        return str(Path(self.place).absolute()) if self.is_folder else self.place

    def below(self, folder: str) -> "Remote":
        """A folder of the remote as a remote."""
        join = "" if self.place.endswith((":", "/")) else "/"
        return Remote(f"{self.place}{join}{folder.rstrip('/')}", self.config)

    def listing(self) -> dict[str, int]:
        """Every file with its size in bytes; none if there is no such folder."""
        words = ["lsjson", "--recursive", "--files-only", "--no-modtime", "--no-mimetype"]
        try:
            listing = json.loads(self._run([*words, self.root]))
        except MissingFolderError:
            return {}
        return {file["Path"]: int(file["Size"]) for file in listing}

    def look(self) -> None:
        """List the first level of folders, which may be missing.

        Raises:
            UserError: there is no such remote, or it does not answer.
        """
        with suppress(MissingFolderError):
            self._run(["lsf", "--dirs-only", "--max-depth", "1", self.root])

    def send(
        self,
        source: Path,
        addresses: Sequence[str],
        headers: Mapping[str, str],
        watch: ProgressCallback | None = None,
    ) -> None:
        """Send files of a folder to the same addresses, with these headers. Equal ones are not sent again."""
        options = [
            word for name, value in headers.items() for word in ("--header-upload", f"{name}: {value}")
        ]
        words = ["copy", "--copy-links", "--no-traverse", "--checksum", *options, str(source), self.root]
        self._run(words, addresses, watch)

    def fetch(self, addresses: Sequence[str], target: Path, watch: ProgressCallback | None = None) -> None:
        """Fetch files into a folder. Files that are there and equal are not fetched again."""
        words = ["copy", "--checksum", *_lookup(addresses), self.root, str(target)]
        self._run(words, addresses, watch)

    def delete(self, addresses: Sequence[str]) -> None:
        """Delete files; missing ones are no error."""
        if addresses:
            self._run(["delete", self.root], addresses)

    def delete_empty_folders(self) -> None:
        """Delete the folders in which no file is; an object store has none."""
        self._run(["rmdirs", "--leave-root", self.root])

    def differences(self, source: Path, addresses: Sequence[str]) -> list[str]:
        """Those of these files that are missing or differ, here or there, by hash (`rclone check`).

        Raises:
            UserError: a file could not be compared.
        """
        if not addresses:
            return []
        words = ["check", "--copy-links", "--one-way", "--combined", "-", *_lookup(addresses)]
        try:
            output = self._run([*words, str(source), self.root], addresses, fine=(0, 1))
        except MissingFolderError:
            return list(addresses)
        marks = {line[2:]: line[0] for line in output.splitlines()}
        if "!" in marks.values() or not marks:
            raise UserError(f"{self.place}: files could not be compared; the next run tries again")
        return [address for address in addresses if marks.get(address) != "="]

    def digests(self, addresses: Sequence[str], watch: ProgressCallback | None = None) -> dict[str, str]:
        """The SHA-256 of every file, of the bytes as they are read back; missing ones are left out."""
        if not addresses:
            return {}
        try:
            output = self._run(["hashsum", "sha256", "--download", self.root], addresses, watch)
        except MissingFolderError:
            return {}
        pairs = (line.split("  ", 1) for line in output.splitlines())
        return {address: digest for digest, address in pairs}

    def _run(
        self,
        words: Sequence[str],
        addresses: Sequence[str] | None = None,
        watch: ProgressCallback | None = None,
        fine: Sequence[int] = (0,),
    ) -> str:
        return run_rclone(words, self.place, self.config, addresses, watch, fine)


def remote_of(context: Context) -> Remote:
    """The remote of the settings.

    Raises:
        UserError: it is a folder that overlaps with the site or with data/.
    """
    remote = Remote(context.settings.publish.remote, context.settings.publish.rclone_config)
    if remote.is_folder:
        folder = Path(remote.place).resolve()
        for other in (context.public.resolve(), context.data.resolve()):
            if folder.is_relative_to(other) or other.is_relative_to(folder):
                problem = f"{remote.place}: overlaps with {other}"
                raise UserError(f"{problem}; name another folder in publish.remote of config/operate.yaml")
    return remote


def _lookup(addresses: Sequence[str]) -> list[str]:
    """How rclone finds these files."""
    return ["--no-traverse"] if len(addresses) <= FEW else []
