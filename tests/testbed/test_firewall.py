"""What a client of a live service may use the Internet for."""

import time

from testbed.firewall import AROUND_TRIAL_S, allowance


def test_a_client_may_move_four_times_what_the_link_carries():
    """8 Mbps are 1 MB a second, over the duration and the time around it."""
    assert allowance([], 8, 600).quota_bytes == 4 * 1_000_000 * (600 + AROUND_TRIAL_S)


def test_it_ends_a_while_after_the_trial():
    before = time.time()
    assert -1 <= allowance([], 8, 600).until_s - before - 600 - AROUND_TRIAL_S <= time.time() - before + 1


def test_without_ports_in_the_catalogue_it_is_the_webs():
    assert allowance([], 8, 600).ports == (80, 443)
    assert allowance([19305], 8, 600).ports == (19305,)
