"""Unlisted sites: how they are built and sent; publishing and restoring the site leave them alone."""

import sys
from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.operate import children, rclone
from scripts.operate.layout import PAGES
from scripts.operate.publishing import publish
from scripts.operate.remote import Remote
from scripts.operate.restoring import restore
from scripts.operate.submissions import unlisted
from scripts.operate.submissions.unlisted import build_unlisted, publish_unlisted
from scripts.snapshot.signatures import SIGNERS, read_signers
from scripts.snapshot.trust import Policy
from tests.operate.host import NOW, build, copied, host
from tests.operate.operation import context_of
from tests.operate.submissions.submission_host import TOKEN, SubmissionHost

pytestmark = pytest.mark.processes

OTHER = "f" * 32


@pytest.fixture
def context(tmp_path):
    """A context whose remote is a folder."""
    plain = context_of(tmp_path)
    publication = replace(plain.settings.publish, remote=str(tmp_path / "remote"), rclone_config=None)
    return replace(plain, settings=replace(plain.settings, publish=publication))


def write_site(folder):
    (folder / "captures/demo").mkdir(parents=True)
    for name in ("index.html", "bundle.tar", "captures/demo/c1.pcapng.zst"):
        (folder / name).write_text(name)
    return folder


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_sites_are_sent_whole_with_pages_last_and_no_shared_cache_keeps_them(context, tmp_path, monkeypatch):
    sent, send = [], Remote.send

    def recorded(remote, source, addresses, headers, watch=None):
        sent.append((sorted(addresses), dict(headers)))
        send(remote, source, addresses, headers, watch)

    monkeypatch.setattr(Remote, "send", recorded)
    site = write_site(tmp_path / "site")
    assert "3 files sent, 0 sites deleted" == publish_unlisted(context, {TOKEN: site})
    assert files(site) == files(tmp_path / f"remote/unlisted/{TOKEN}")
    assert [f"{TOKEN}/index.html"] == sent[-1][0] and 3 == len(sent)
    assert {"private, max-age=300"} == {headers["Cache-Control"] for _, headers in sent}
    assert {"text/html; charset=utf-8", "application/zstd", "application/octet-stream"} == {
        headers["Content-Type"] for _, headers in sent
    }
    assert "0 files sent, 0 sites deleted" == publish_unlisted(context, {TOKEN: site})


def test_a_site_that_nobody_wants_goes_whole_and_others_stay(context, tmp_path):
    sites = {token: write_site(tmp_path / token) for token in (TOKEN, OTHER)}
    publish_unlisted(context, sites)
    assert "0 files sent, 1 sites deleted" == publish_unlisted(context, {OTHER: sites[OTHER]})
    assert [OTHER] == [path.name for path in (tmp_path / "remote/unlisted").iterdir()]


def test_no_command_line_has_a_token(context, tmp_path, monkeypatch):
    """Every user of the host may read the command lines of all processes."""
    started, start = [], rclone.running

    def recorded(words, **options):
        started.append(words)
        return start(words, **options)

    monkeypatch.setattr(rclone, "running", recorded)
    publish_unlisted(context, {TOKEN: write_site(tmp_path / "site")})
    publish_unlisted(context, {})
    assert {"lsjson", "copy", "delete"} <= {words[1] for words in started}
    assert not [words for words in started if TOKEN in " ".join(words)]
    assert [] == list((tmp_path / "remote/unlisted").iterdir())


def test_a_remote_without_unlisted_sites_needs_nothing(context, tmp_path):
    assert "0 files sent, 0 sites deleted" == publish_unlisted(context, {})
    assert not (tmp_path / "remote").exists()


@pytest.mark.parametrize(
    ("place", "below"),
    [
        ("s3:observatory", "s3:observatory/unlisted"),
        ("s3:", "s3:unlisted"),
        ("published", "published/unlisted"),
        ("published/", "published/unlisted"),
    ],
)
def test_a_folder_of_a_remote_is_a_remote(place, below):
    assert Remote(below, "rclone.conf") == Remote(place, "rclone.conf").below("unlisted/")


def test_publishing_the_site_leaves_unlisted_sites_alone_and_lists_them_nowhere(first_host, tmp_path):
    context = copied(first_host, tmp_path, str(tmp_path / "remote"))
    publish(context)
    publish_unlisted(context, {TOKEN: write_site(tmp_path / "site")})
    (context.public / "404.html").unlink()
    publish(context)
    publish(context)
    assert files(tmp_path / "site") == files(tmp_path / f"remote/unlisted/{TOKEN}")
    assert not (tmp_path / "remote/404.html").exists()
    assert "unlisted" not in (tmp_path / "remote" / PAGES).read_text()
    texts = [
        path for path in (tmp_path / "remote").rglob("*") if path.is_file() and "unlisted" not in path.parts
    ]
    assert len(texts) > 100 and not [path for path in texts if TOKEN.encode() in path.read_bytes()]


def test_a_restored_host_has_no_unlisted_site_and_its_remote_neither(first_host, tmp_path):
    context = copied(first_host, tmp_path / "dead", str(tmp_path / "remote"))
    publish(context)
    publish_unlisted(context, {TOKEN: write_site(tmp_path / "site")})
    other = host(tmp_path / "other", str(tmp_path / "another remote"))
    policy = Policy(read_signers(SIGNERS), NOW, frozenset({"unsigned"}))
    restore(other, str(tmp_path / "remote"), policy, build)
    assert files(tmp_path / "site") == files(tmp_path / f"remote/unlisted/{TOKEN}"), "it is not its remote"
    new = host(tmp_path / "new", str(tmp_path / "remote"))
    restore(new, str(tmp_path / "remote"), policy, build)
    assert (new.public / "index.html").is_file() and not (new.public / "unlisted").exists()
    assert [] == files(tmp_path / "remote/unlisted"), "nobody could release or withdraw them"


def commands_of(monkeypatch, module, act=lambda words: None):
    """Record the commands that a module runs, and do something else in their place."""
    commands = []

    def run(context, words, *others):
        commands.append(list(words))
        act(words)

    monkeypatch.setattr(module, "run_child", run)
    return commands


def test_the_unlisted_site_is_made_beside_its_place_and_is_there_whole_or_not_at_all(tmp_path, monkeypatch):
    machine = SubmissionHost(tmp_path)
    machine.submit("aaaa1111", release="2027-02-01")
    own, folder = machine.own("aaaa1111"), machine.place("aaaa1111") / "unlisted"

    def half(words):
        write_site(machine.place("aaaa1111") / ".unlisted")
        raise UserError("the disk is full")

    commands_of(monkeypatch, unlisted, half)
    with pytest.raises(UserError, match="the disk is full"):
        build_unlisted(own, folder)
    assert not folder.exists()
    commands = commands_of(
        monkeypatch, unlisted, lambda words: write_site(machine.place("aaaa1111") / ".unlisted")
    )
    build_unlisted(own, folder)
    assert 3 == len(files(folder)) and not folder.with_name(".unlisted").exists()
    words = [sys.executable, "-m", "scripts.site", "unlisted", str(own.snapshots)]
    record = machine.place("aaaa1111") / "submission.json"
    assert [[*words, str(record), "-o", str(folder.with_name(".unlisted"))]] == commands
    assert TOKEN in record.read_text()


def test_the_site_gets_the_submissions_only_where_there_are_some(tmp_path, monkeypatch):
    commands = commands_of(monkeypatch, children)
    machine = SubmissionHost(tmp_path)
    children.build_site(machine.context)
    machine.submit("aaaa1111", "waiting")
    children.build_site(machine.context)
    plain, more = commands
    assert "--submissions" not in plain
    assert ["--submissions", str(machine.context.data)] == more[more.index("--submissions") :][:2]
