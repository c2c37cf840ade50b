"""The samples of the senders' TCP state (senders.jsonl.zst) as senders.parquet, one row for each line."""

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.json as pj
import zstandard

from scripts.base.errors import UserError

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
    ]
)


def senders_table(path: Path) -> pa.Table:
    """The rows of a trial's samples; none if the file is missing, as in a failed trial or one without TCP.

    A counter that an older trial did not sample is null.

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
    return table.select(SENDERS_SCHEMA.names).combine_chunks()
