"""The samples of the senders' TCP state (senders.jsonl.zst) as senders.parquet, one row for each line."""

import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.json as pj
import zstandard

from scripts.base.errors import UserError
from scripts.extract.public_form import UNCHANGED, PublicForm

ADDRESSES = ("source", "destination")

SENDERS_SCHEMA = pa.schema(
    [
        ("time_ns", pa.int64()),
        ("client", pa.string()),
        ("source", pa.string()),
        ("source_port", pa.int32()),
        ("destination", pa.string()),
        ("destination_port", pa.int32()),
        ("cca", pa.string()),
        ("snd_mss_bytes", pa.int64()),
        ("srtt_us", pa.int64()),
        ("ssthresh_packets", pa.int64()),
        ("cwnd_packets", pa.int64()),
        ("pacing_rate_bytes_per_s", pa.int64()),
        ("bytes_acked", pa.int64()),
        ("min_rtt_us", pa.int64()),
        ("delivery_rate_bytes_per_s", pa.int64()),
        ("busy_us", pa.int64()),
        ("rwnd_limited_us", pa.int64()),
        ("sndbuf_limited_us", pa.int64()),
        ("bytes_sent", pa.int64()),
        ("bytes_retransmitted", pa.int64()),
        ("snd_wnd_bytes", pa.int64()),
        ("bbr_bandwidth_bytes_per_s", pa.int64()),
        ("bbr_min_rtt_us", pa.int64()),
        ("bbr_pacing_gain", pa.float64()),
        ("bbr_cwnd_gain", pa.float64()),
    ]
)


def senders_table(path: Path, form: PublicForm = UNCHANGED) -> pa.Table:
    """The rows of a trial's samples; none if the file is missing, as in a failed trial or one without TCP.

    Addresses are in their public form. A counter that an older trial did not sample is null, and so is the
    state of BBR of a connection under another congestion control.

    Raises:
        UserError: the file is damaged.
    """
    if not path.is_file():
        return SENDERS_SCHEMA.empty_table()
    options = pj.ParseOptions(explicit_schema=SENDERS_SCHEMA, unexpected_field_behavior="error")
    try:
        with zstandard.open(path, "rb") as stream:
            lines = stream.read()
        table = (
            pj.read_json(io.BytesIO(lines), parse_options=options) if lines else SENDERS_SCHEMA.empty_table()
        )
    except (zstandard.ZstdError, pa.ArrowInvalid) as error:
        raise UserError(f"{path}: is not a list of samples: {error}; the file is damaged") from error
    return _published(table.select(SENDERS_SCHEMA.names).combine_chunks(), form)


def published_samples(lines: Iterable[str], form: PublicForm) -> Iterator[str]:
    """The lines of a trial's samples with addresses in their public form."""
    for line in lines:
        sample = json.loads(line)
        ends = {name: form.address(sample[name]) for name in ADDRESSES}
        yield json.dumps(sample | ends, separators=(",", ":")) + "\n"


def _published(table: pa.Table, form: PublicForm) -> pa.Table:
    for name in ADDRESSES:
        values = [form.address(address) for address in table[name].to_pylist()]
        table = table.set_column(table.schema.get_field_index(name), name, pa.array(values, pa.string()))
    return table
