"""The search for planted markers finds each one in every form and in every format."""

import base64
import json
from urllib.parse import quote_from_bytes

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from tests.end_to_end.markers import Marker, ethernet_marker, find, ipv4_marker
from tests.extract.synthetic import capture

TEXT = Marker("name", "host-3f9>a.jane??.example")
ADDRESS = ipv4_marker("address", "198.51.100.80")
ETHERNET = ethernet_marker("ethernet", "02:de:ad:be:ef:01")
TOKEN = TEXT.text.encode()


@pytest.mark.parametrize(
    "content",
    [
        TOKEN,
        TOKEN.upper(),
        quote_from_bytes(TOKEN, safe="").encode(),
        "".join(f"%{byte:02X}" for byte in TOKEN).encode(),
        TOKEN.hex().encode(),
        TOKEN.hex().upper().encode(),
        b"example.jane??.host-3f9>a",
        *[
            base64.b64encode(b"x" * before + TOKEN + b"y" * after)
            for before in range(4)
            for after in range(4)
        ],
        *[base64.urlsafe_b64encode(b"x" * before + TOKEN) for before in range(3)],
    ],
)
def test_every_form_of_a_text_is_found(tmp_path, content):
    (tmp_path / "file.txt").write_bytes(b"before " + content + b" after")
    assert [] != find([TEXT], tmp_path)
    (tmp_path / "file.txt").write_bytes(b"before " + content[7:-7] + b" after")
    assert [] == find([TEXT], tmp_path)


@pytest.mark.parametrize("marker", [ADDRESS, ETHERNET])
def test_an_address_is_found_as_bytes_of_captures_as_text_and_as_a_number(tmp_path, marker):
    packed = marker.packed
    for name in ("client-c1.pcapng.zst", "queue.bin.zst"):
        (tmp_path / name).write_bytes(zstandard.compress(capture([(0, bytes(20) + packed + bytes(9))])))
    files = {line.split(":")[0] for line in find([marker], tmp_path)}
    assert {"client-c1.pcapng.zst", "queue.bin.zst"} == files
    for content in (marker.text, packed.hex(), packed.hex().upper()):
        (tmp_path / "other").mkdir(exist_ok=True)
        (tmp_path / "other/page.html").write_text(content)
        assert [] != find([marker], tmp_path / "other")
    (tmp_path / "other/page.html").write_text("3325256784")
    assert (marker is ADDRESS) == bool(find([marker], tmp_path / "other"))


def test_every_format_is_read(tmp_path):
    table = pa.table({"n": [1], "nested": [[{"deep": TEXT.text}]]})
    pq.write_table(table, tmp_path / "values.parquet", compression="zstd")
    pq.write_table(pa.table({TEXT.text: [1]}), tmp_path / "column.parquet", compression="zstd")
    described = pa.table({"n": [1]}).replace_schema_metadata({"key": TEXT.text})
    pq.write_table(described, tmp_path / "metadata.parquet", compression="zstd")
    (tmp_path / "x.json").write_text(json.dumps({"a": TEXT.text}))
    (tmp_path / "y.jsonl.zst").write_bytes(zstandard.compress(TOKEN * 9))
    (tmp_path / f"{TEXT.text}.svg").write_text("")
    found = {line.split(":")[0] for line in find([TEXT], tmp_path)}
    files = {"values.parquet", "column.parquet", "metadata.parquet", "x.json", "y.jsonl.zst"}
    assert files | {f"name of {TEXT.text}.svg"} == found
    assert [] == find([Marker("absent", "nowhere-in-these-files")], tmp_path)
