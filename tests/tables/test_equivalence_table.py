"""The command that compares a cycle over BESS with one over the embedded switch."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.tables.equivalence_table import main
from scripts.tables.table_schema import load_schema
from tests.tables.campaigns import REFERENCE, write_campaign

TRIALS = 6


@pytest.fixture
def options(tmp_path):
    """Options for two cycles of a service alone: 7.6 Mbps over BESS, 7.9 Mbps over the embedded switch."""
    words = ["-o", str(tmp_path / "tables")]
    for backend, throughput_mbps in (("bess", 7.6), ("embedded", 7.9)):
        rows = [
            {
                "setting": "8mbps",
                "pair": "iperf-bbr",
                "trial": trial,
                "service": "iperf-bbr",
                "contender": "",
                "clients": 1,
                "valid": True,
                "instance": "first",
                "throughput_mbps": throughput_mbps,
            }
            for trial in range(TRIALS)
        ]
        path = tmp_path / f"{backend}.parquet"
        pq.write_table(pa.Table.from_pylist(rows, schema=load_schema("trial_services").arrow), path)
        words += [f"--{backend}", str(path)]
    return words


@pytest.mark.parametrize(("margin_mbps", "verdict"), [(0.5, "equivalent"), (0.1, "different")])
def test_the_margin_is_the_precision_of_the_setting(options, tmp_path, margin_mbps, verdict):
    settings = {"8mbps": replace(REFERENCE.settings["8mbps"], precision_mbps=margin_mbps)}
    config = write_campaign(tmp_path / "config.json", replace(REFERENCE, settings=settings))
    assert main([*options, "--config", str(config)]) == 0
    (row,) = pq.read_table(tmp_path / "tables/equivalence.parquet").to_pylist()
    assert (row["margin_mbps"], row["verdict"]) == (margin_mbps, verdict)
    assert (tmp_path / "tables/equivalence.csv").is_file()


def test_the_configuration_is_needed(options, capsys):
    with pytest.raises(SystemExit):
        main(options)
    assert "--config" in capsys.readouterr().err
