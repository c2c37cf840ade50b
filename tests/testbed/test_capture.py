"""The buffer of a capture holds one second of headers, and no more than the link's rate needs."""

import pytest

from testbed.capture import capture_headers
from testbed.hosts import Host
from tests.extract.synthetic import CLIENT


class Asked(Host):
    """A host that starts nothing, and knows what it was asked to start."""

    argv = ()

    def command(self, *argv):
        Asked.argv = argv
        return ["true"]


@pytest.mark.parametrize(("rate_mbps", "mib"), [(0.1, "2"), (10, "2"), (200, "4"), (1000, "16")])
def test_the_buffer_follows_the_rate(rate_mbps, mib, tmp_path):
    host = Asked("client-c1", CLIENT, "02:00:00:00:01:02")
    capture_headers(host, tmp_path / "client-c1.pcapng", tmp_path / "dumpcap.log", rate_mbps)._process.wait()
    assert mib == Asked.argv[Asked.argv.index("-B") + 1]
