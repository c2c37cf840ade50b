"""Settings: which pairs they measure."""

from tests.model.campaigns import setting


def test_a_pair_is_measured_where_all_its_services_are():
    two = setting(services=["a", "b"])
    assert [True, True, False, False] == [two.measures(pair) for pair in ("a", "a~b_3", "a~c", "c")]
    assert setting().measures("a~c")


def test_the_link_of_a_setting_has_no_key_of_its_measurement():
    assert not hasattr(setting(queue_packets=128).link, "precision_mbps")
    assert (8, 128) == (setting().link.rate_mbps, setting(queue_packets=128).link.queue_packets)
