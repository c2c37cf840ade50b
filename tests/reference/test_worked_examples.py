"""What the guides show works: their blocks of code, added to a checkout, pass their own tests."""

import subprocess
import sys

import pytest

from tests.reference.guides import blocks, write_checkout

pytestmark = pytest.mark.processes
PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider")
OWN_TESTS = (
    "tests/charts/test_chart_solo_loss.py",
    "tests/services/drivers/test_desktop.py",
    "tests/services/test_catalogue.py",
    "tests/tables/test_cases.py",
)
OWN_CASES = "solo_loss or desktop or short_title or samples"
QUEUE_TESTS = ("tests/testbed/queues", "tests/testbed/test_switch_parts.py")
QUEUE_CASES = "headdrop or HeadDrop or same_disciplines or second_implementation"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    root = tmp_path_factory.mktemp("checkout")
    write_checkout(root)
    return root


def run(checkout, *words):
    """The output of a command there, which must succeed."""
    done = subprocess.run(words, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_guides_have_an_example_of_each_kind():
    written = {block.path for block in blocks() if not block.place}
    assert {
        "config/campaigns/deep-red.yaml",
        "scripts/charts/solo_loss.py",
        "scripts/tables/solo_loss.sql",
        "services/catalogue/file-reno.yaml",
        "services/drivers/desktop.py",
        "testbed/queues/headdrop.h",
    } <= written


def test_the_examples_in_python_pass_their_tests(checkout):
    assert "7 passed" in run(checkout, *PYTEST, *OWN_TESTS, "-k", OWN_CASES)


def test_the_campaign_and_its_service_are_valid(checkout):
    assert "" == run(checkout, sys.executable, "-m", "scripts.plan.campaign_file", "deep-red")


def test_the_columns_of_the_table_join_the_contract(checkout):
    run(checkout, sys.executable, "-m", "scripts.site.data.contract")
    contract = (checkout / "scripts/site/data/v1.yaml").read_text(encoding="utf-8")
    assert "solo_loss:\n" in contract


def test_the_examples_keep_the_style(checkout):
    names = [block.path for block in blocks() if block.path.endswith(".py")]
    run(checkout, "ruff", "check", "--no-cache", *names)
    run(checkout, "ruff", "format", "--no-cache", "--check", *names)


def test_the_queue_drops_what_the_guide_says(checkout):
    words = ("-O0", "-I", "testbed", "-I", "tests/testbed/queues", "tests/testbed/queues/headdrop_test.cc")
    run(checkout, "g++", "-std=c++20", *words, "-lgtest", "-lgtest_main", "-o", "headdrop_test")
    run(checkout, "./headdrop_test")


@pytest.mark.soak(minutes=4)
def test_the_whole_checkout_with_the_examples_is_consistent(checkout):
    """The switch with the queue, both implementations of it, all types, and the written pages."""
    passed = run(checkout, *PYTEST, "-v", *QUEUE_TESTS, "-k", QUEUE_CASES)
    for test in (
        "test_cpp[HeadDrop.DropsTheOldestPacketOfAFullQueue]",
        "bring_about_every_verdict[headdrop]",
    ):
        assert f"{test} PASSED" in passed
    run(checkout, "mypy", "--cache-dir=/dev/null")
    run(checkout, sys.executable, "-m", "scripts.reference")
    assert "solo_loss" in (checkout / "docs/tables.md").read_text(encoding="utf-8")
