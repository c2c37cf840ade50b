"""A desk in a folder of the test: settings of operation, a data folder, codes, and files of submissions."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from scripts.base.files import ROOT
from scripts.model.submission import FOLDER, Submission, read_submissions
from scripts.operate.__main__ import main
from scripts.operate.settings import read_settings
from scripts.operate.submissions.codes import make_code, read_codes
from scripts.operate.submissions.desk import Desk, add

TODAY = datetime.now(UTC).date()
LATER = (TODAY + timedelta(days=30)).isoformat()


class Office:
    """Submissions below a folder, for a panel that is the campaign `demo`."""

    def __init__(self, folder: Path, **submissions: Any) -> None:
        self.folder, self.data, self.config = folder, folder / "data", folder / "operate.yaml"
        content = yaml.safe_load((ROOT / "config/operate.yaml").read_text()) | {"campaign": "demo"}
        content["submissions"] |= submissions
        self.config.write_text(yaml.safe_dump(content))
        self.code = self.new_code()

    @property
    def desk(self) -> Desk:
        """The desk now."""
        return Desk(self.data, read_settings(self.config), datetime.now(UTC))

    def new_code(self, tests: int = 3, expires: date | None = None) -> str:
        """A code."""
        return make_code(self.data, tests, expires or TODAY + timedelta(days=10), "a test")

    def content(self, **changes: Any) -> dict[str, Any]:
        """A valid submission, with these keys changed; None removes a key."""
        content = {
            "name": "Example Films",
            "address": "https://films.iana.org/watch?v=1",
            "kind": "video",
            "contact": "me@iana.org",
            "code": self.code,
            "release": LATER,
        } | changes
        return {key: value for key, value in content.items() if value is not None}

    def write(self, content: bytes | str | dict[str, Any], name: str = "submission.yaml") -> Path:
        """Write a file to be added."""
        path = self.folder / name
        text = yaml.safe_dump(content, allow_unicode=True) if isinstance(content, dict) else content
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def add(self, **changes: Any) -> Submission:
        """Add a valid submission, with these keys changed."""
        return add(self.write(self.content(**changes)), self.desk)

    def run(self, *words: str) -> int:
        """Run a command on the data folder."""
        config = ("--config", str(self.config)) if words[0] in ("add", "list", "watch") else ()
        return main(["submissions", *words, "--data", str(self.data), *config])

    def stored(self) -> list[Submission]:
        """The stored submissions."""
        return read_submissions(self.data)

    def tests_left(self) -> int:
        """The tests left of all codes."""
        return sum(code.tests_left(self.stored()) for code in read_codes(self.data))

    def folders(self) -> set[str]:
        """The folders of submissions, whole or not."""
        return {path.name for path in (self.data / FOLDER).iterdir() if path.is_dir()} - {"codes"}
