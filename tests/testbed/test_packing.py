"""The files of a trial are packed as they are, also while a program of a failed trial still writes one."""

from pathlib import Path

import pytest
import zstandard

from testbed.isolated_trial import _compress


class GrowingPath(type(Path())):
    """A file that grows as soon as its size was read."""

    def stat(self, **options):
        found = super().stat(**options)
        with self.open("ab") as file:
            file.write(b"more")
        return found


@pytest.mark.parametrize("content", [b"", b"packets" * 300_000])
@pytest.mark.parametrize("kind", [Path, GrowingPath])
def test_a_file_is_packed_as_long_as_it_was(tmp_path, kind, content):
    source, packed = kind(tmp_path / "queue.bin"), tmp_path / "queue.bin.zst"
    Path(source).write_bytes(content)
    _compress(source, packed)
    assert content == zstandard.ZstdDecompressor().decompress(packed.read_bytes())
