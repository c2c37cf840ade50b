"""Publishing to a real S3 server: what readers get from it, and what they may not do."""

import json
import re
import urllib.error
import urllib.request
from urllib.parse import quote

import pytest

from scripts.base.errors import UserError
from scripts.operate.layout import headers_at
from scripts.operate.publishing import publish
from scripts.operate.remote import Remote
from scripts.operate.verifying import read_back, verify
from scripts.snapshot.__main__ import main as snapshot_command
from scripts.snapshot.checksums import read_checksums
from tests.operate.host import add_cycle, complete, copied, expected
from tests.operate.seaweed import rclone
from tests.site.archives import contents
from tests.site.generated_archive import cycle_name

pytestmark = pytest.mark.soak(minutes=2)

CAPTURE = f"captures/demo/{cycle_name(0)}/8mbps/iperf-bbr~iperf-cubic/01/client-c1.pcapng.zst"
TABLE = f"data/v1/pairs/campaign=demo/cycle={cycle_name(0)}/part.parquet"


@pytest.fixture(scope="module")
def published(first_host, seaweed, tmp_path_factory):
    """A host with one cycle, which is published to the server."""
    context = copied(first_host, tmp_path_factory.mktemp("host"), seaweed.remote, seaweed.config)
    publish(context)
    return context


def ask(seaweed, address: str, method: str = "GET", body: bytes | None = None, **headers: str):
    """Status, headers and content of an answer to a reader without a key."""
    url = seaweed.address + quote(address, safe="/?=&")
    request = urllib.request.Request(url, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def stored(seaweed) -> dict[str, str]:
    """The SHA-256 of every file, as it is read back."""
    lines = rclone(seaweed, "hashsum", "sha256", "--download", seaweed.remote).splitlines()
    found = {address: digest for digest, address in (line.split("  ", 1) for line in lines)}
    return {
        address: digest for address, digest in sorted(found.items()) if not address.startswith("operate/")
    }


def test_the_bucket_has_every_file_and_no_other(published, seaweed):
    assert expected(published) == stored(seaweed)
    assert (0, 0) == (publish(published).files, publish(published).bytes)
    assert re.fullmatch(r"\d+ files equal, 20 read back", verify(published, cycle_name(0)))


@pytest.mark.parametrize(
    "address",
    [
        *("index.html", "feed.xml", "robots.txt", "data/v1/index.json", CAPTURE, TABLE),
        TABLE.replace(".parquet", ".csv"),
        CAPTURE.replace("client-c1.pcapng.zst", "trial.json"),
        f"cycles/demo/{cycle_name(0)}/index.html",
        f"snapshots/demo-{cycle_name(0)}/SHA256SUMS",
    ],
)
def test_readers_get_every_kind_of_file_with_its_headers_and_by_ranges(published, seaweed, address):
    status, headers, body = ask(seaweed, address)
    assert 200 == status
    assert headers_at(address) == {name: headers[name] for name in headers_at(address)}
    assert headers["Content-Encoding"] is None
    for asked, part in (("bytes=0-3", body[:4]), ("bytes=-8", body[-8:])):
        assert (206, part) == ask(seaweed, address, Range=asked)[::2]


def test_charts_styles_and_scripts_are_kept_for_a_year(published, seaweed):
    frozen = [address for address in expected(published) if re.search(r"charts/.*svg$|\.css$|\.js$", address)]
    some = {address.rpartition(".")[2]: address for address in frozen if address.startswith("cycles/")}
    assert {"svg", "css", "js"} == some.keys()
    for address in some.values():
        _, headers, _ = ask(seaweed, address)
        assert headers_at(address) == {name: headers[name] for name in headers_at(address)}
        assert "immutable" in headers["Cache-Control"]


def test_readers_can_neither_write_nor_list(published, seaweed):
    assert 403 == ask(seaweed, "new.txt", "PUT", b"x")[0]
    assert 403 == ask(seaweed, "index.html", "PUT", b"x")[0]
    assert 403 == ask(seaweed, "index.html", "DELETE")[0]
    assert 403 == ask(seaweed, "?list-type=2")[0]
    assert 404 == ask(seaweed, "no-such-file")[0]


def test_pages_of_other_sites_may_read_tables(published, seaweed):
    origin = "https://reader.example.org"
    status, headers, _ = ask(seaweed, TABLE, Origin=origin, Range="bytes=-8")
    assert 206 == status and headers["Access-Control-Allow-Origin"] in ("*", origin)
    asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "range"}
    status, headers, _ = ask(seaweed, TABLE, "OPTIONS", Origin=origin, **asked)
    assert 200 == status and "range" in headers["Access-Control-Allow-Headers"].lower()


def test_large_files_are_sent_in_parts_and_verified(published, seaweed, snapshots, tmp_path):
    """Rclone keeps the hash of such a file beside it, because its ETag is none."""
    config = tmp_path / "rclone.conf"
    config.write_text(f"{seaweed.config.read_text()}upload_cutoff = 5M\nchunk_size = 5M\n")
    remote = Remote(f"{seaweed.remote}/large", str(config))
    (tmp_path / "large.bin").write_bytes(bytes(range(256)) * 50_000)
    remote.send(tmp_path, ["large.bin"], headers_at("large.bin"))
    assert re.search(r'-\d+"$', ask(seaweed, "large/large.bin")[1]["ETag"])
    assert [] == remote.differences(tmp_path, ["large.bin"])
    (tmp_path / "large.bin").write_bytes(bytes(range(255, -1, -1)) * 50_000)
    assert ["large.bin"] == remote.differences(tmp_path, ["large.bin"])
    remote.delete(["large.bin"])


def test_all_files_of_a_snapshot_are_read_back(published):
    snapshot = published.snapshots / f"demo-{cycle_name(0)}"
    read_back(published, {snapshot / path: digest for path, digest in read_checksums(snapshot).items()})


@pytest.mark.parametrize(
    ("remote", "change", "message"),
    [
        ("nothing:observatory", "", "rclone knows no such remote; make it by `rclone config`"),
        ("s3:observatory", "secret_access_key = wrong", "the storage refused the key"),
        ("s3:observatory", "endpoint = http://127.0.0.1:1", "the storage cannot be reached; the next run"),
    ],
)
def test_what_an_operator_can_mend_is_one_line(first_host, seaweed, tmp_path, remote, change, message):
    key = change.partition(" = ")[0]
    lines = [line for line in seaweed.config.read_text().splitlines() if not (key and line.startswith(key))]
    (tmp_path / "rclone.conf").write_text("\n".join([*lines, change, ""]))
    context = copied(first_host, tmp_path, remote, tmp_path / "rclone.conf")
    with pytest.raises(UserError, match=re.escape(f"{remote}: {message}")) as raised:
        publish(context)
    assert "\n" not in str(raised.value)


def test_a_missing_configuration_is_a_user_error(first_host, tmp_path):
    context = copied(first_host, tmp_path, "s3:observatory", tmp_path / "none.conf")
    with pytest.raises(UserError, match=r"none.conf: no such file; correct publish.rclone_config"):
        publish(context)


def test_the_environment_changes_nothing(published, monkeypatch):
    for name, value in {"AWS_CA_BUNDLE": "/no/such", "RCLONE_DRY_RUN": "1", "RCLONE_S3_REGION": "x"}.items():
        monkeypatch.setenv(name, value)
    (published.public / "robots.txt").unlink()
    (published.public / "robots.txt").write_text("User-agent: *\n")
    assert 1 == publish(published).files


def test_a_snapshot_is_fetched_from_its_address(published, seaweed, tmp_path, capsys):
    name = f"demo-{cycle_name(0)}"
    fetching = ["fetch", "--allow", "unsigned"]
    url, own = f"{seaweed.address}snapshots/{name}", published.snapshots / name
    assert 0 == snapshot_command(
        [*fetching, url, "trials/8mbps/iperf-bbr~iperf-cubic", "-o", str(tmp_path / "part")]
    )
    assert (own / "trials/8mbps/iperf-bbr~iperf-cubic").is_dir()
    assert contents(own / "trials/8mbps/iperf-bbr~iperf-cubic") == contents(
        tmp_path / "part/trials/8mbps/iperf-bbr~iperf-cubic"
    )
    assert 0 == snapshot_command([*fetching, url, "-o", str(tmp_path / "part")]), capsys.readouterr().err
    assert contents(own) == contents(tmp_path / "part")


def test_a_later_cycle_and_an_outage(published, seaweed, snapshots):
    """While the storage is away nothing is published, and the next publication sends what is missing."""
    complete(published, cycle_name(0))
    add_cycle(published, snapshots[1])
    seaweed.kill()
    with pytest.raises(UserError, match="cannot be reached; the next run goes on"):
        publish(published)
    seaweed.start()
    publish(published)
    assert expected(published) == stored(seaweed)
    verify(published, cycle_name(1))
    assert json.loads(rclone(seaweed, "cat", f"{seaweed.remote}/operate/cycles/demo-{cycle_name(0)}.json"))
