"""The time of a driver ends by itself, or when the testbed says so."""

import threading
import time

from services.use_time import FINISH, SHARED, UseTime


def test_the_time_ends_by_itself(tmp_path):
    use_time = UseTime(0.3, tmp_path)
    assert 0 < use_time.left_s <= 0.3
    start = time.monotonic()
    use_time.wait()
    assert 0 == use_time.left_s
    assert time.monotonic() - start >= 0.29
    assert not use_time.finish_asked


def test_a_pause_is_no_longer_than_the_time(tmp_path):
    use_time = UseTime(3600, tmp_path)
    use_time.wait(0.01)
    assert use_time.left_s > 3000
    (tmp_path / SHARED).mkdir()
    threading.Timer(0.1, (tmp_path / SHARED / FINISH).touch).start()
    use_time.wait(3600)
    assert (0, True) == (use_time.left_s, use_time.finish_asked)
