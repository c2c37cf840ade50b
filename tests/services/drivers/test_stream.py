"""The driver of streams on loopback."""

import threading

from scripts.model.drivers import check_observation
from scripts.model.services import Probe, Service
from services.drivers import stream
from tests.environment import own_loopback

SERVICE = Service("stream-cubic", "Stream (Cubic)", "Baseline", "stream", "cubic", Probe(5203), flows=1)


def test_a_stream_is_received_until_its_time_is_over(tmp_path):
    address = own_loopback(1)
    server = threading.Thread(target=stream.serve, args=(SERVICE, address, tmp_path), daemon=True)
    server.start()
    found = stream.use(SERVICE, address, 1, tmp_path)
    check_observation(found, "stream")
    assert found["received_bytes"] > 1_000_000 and 0 <= found["first_s"] < 1 and "unmet" not in found
