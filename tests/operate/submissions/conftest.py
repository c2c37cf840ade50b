"""The desk of a test."""

import pytest

from tests.operate.submissions.desk import Office


@pytest.fixture
def office(tmp_path):
    return Office(tmp_path)
