"""The site is browsed from object storage, behind a front with the rules of docs/serving.md."""

import shutil

import pytest

from scripts.operate.publishing import publish
from tests.operate.front import front_of
from tests.operate.host import copied
from tests.services.local_site import local_browser
from tests.site.generated_archive import cycle_name
from tests.site.reader import Reader

pytestmark = pytest.mark.soak(minutes=1)


def test_the_site_is_browsed_from_object_storage(first_host, seaweed, tmp_path):
    if shutil.which("chromium") is None:
        pytest.skip("needs Chromium")
    context = copied(first_host, tmp_path, seaweed.remote, seaweed.config)
    publish(context)
    with front_of(seaweed.address) as front, local_browser(tmp_path / "browser") as page:
        reader = Reader(page, f"http://127.0.0.1:{front.port}/")
        for address in ("", f"cycles/demo/{cycle_name(0)}/", "data/", "explore/"):
            reader.open(address)
            assert [] == reader.foreign
            assert [] == [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
        reader.open(f"cycles/demo/{cycle_name(0)}/pairs/8mbps/iperf-bbr~iperf-cubic/")
        assert reader.all("h1") and "404" not in page.title
    assert {200, 206} >= {status for address, status in front.answers if address != "favicon.ico"}
    assert [address for address, _ in front.answers if address.endswith("part.parquet")]
