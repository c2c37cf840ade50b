"""A submission that is withdrawn before its pages were sent is never published; afterwards it is too late."""

import shutil
from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.model.submission import PREFIX, read_submission
from scripts.operate.publishing import publish
from scripts.operate.remote import Remote
from scripts.operate.submissions.steps import archive, forget_withdrawn
from scripts.site.archive import build_archive
from tests.operate.host import copied, stored
from tests.operate.submissions.submission_host import SubmissionHost
from tests.site.archives import SETTINGS
from tests.site.submitted import CAMPAIGN, CYCLE, write_submitted

pytestmark = pytest.mark.processes

ID = CAMPAIGN.removeprefix(PREFIX)
MOMENT = "2027-01-01T00:00:00Z"


def rebuilt(context):
    """Build the site as a run does."""
    build_archive(context.snapshots, context.public, SETTINGS, submissions=context.data)


def mentions(folder):
    """The files of a folder that name the submission, or have its name."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if CAMPAIGN in str(path) or CAMPAIGN.encode() in path.read_bytes()]


@pytest.fixture(scope="module")
def first_built(first_host, tmp_path_factory):
    """A host whose site has the pages of a submission. Copy it."""
    folder = tmp_path_factory.mktemp("built")
    context = copied(first_host, folder, str(folder / "remote"))
    write_submitted(context.snapshots)
    rebuilt(context)
    return context


@pytest.fixture
def machine(first_built, tmp_path):
    """A copy of this host, with the record of the submission."""
    made = SubmissionHost(tmp_path)
    made.context = copied(first_built, tmp_path, str(tmp_path / "remote"))
    made.submit(ID, begun=MOMENT, measured=MOMENT, cycle=CYCLE)
    return made


def test_one_that_is_withdrawn_after_its_pages_were_built_is_not_published(machine):
    context = machine.context
    assert mentions(context.public)
    machine.change(ID, withdrawn=MOMENT)
    with pytest.raises(UserError, match=f"cycles/{CAMPAIGN}.*: is of a submission that was withdrawn"):
        publish(context)
    assert {} == stored(machine.folder / "remote")
    rebuilt(context)
    publish(context)
    assert [] == mentions(context.public) == mentions(machine.folder / "remote")
    assert (machine.folder / "remote/index.html").exists()


def test_what_is_forgotten_leaves_the_archive_the_pages_and_the_records(machine):
    context, submission = machine.context, machine.submission(ID)
    machine.own(ID).snapshots.mkdir(parents=True)
    shutil.move(context.snapshots / f"{CAMPAIGN}-{CYCLE}", machine.own(ID).snapshots / f"{CAMPAIGN}-{CYCLE}")
    archive(context, submission)
    machine.change(ID, withdrawn=MOMENT)
    forget_withdrawn(context, submission, replace(machine.actions, build=rebuilt))
    assert [] == [path for path in mentions(context.data) if "definition" not in path.parts]
    assert [] == mentions(context.public)


def test_a_submission_is_published_from_the_moment_at_which_files_are_sent(machine, monkeypatch):
    def away(self):
        raise UserError("the storage cannot be reached")

    with monkeypatch.context() as patch:
        patch.setattr(Remote, "listing", away)
        with pytest.raises(UserError, match="cannot be reached"):
            publish(machine.context)
    assert read_submission(machine.context.data, ID).published is None
    send = Remote.send

    def checked(self, *arguments):
        assert read_submission(machine.context.data, ID).published
        send(self, *arguments)

    monkeypatch.setattr(Remote, "send", checked)
    publish(machine.context)
    first = read_submission(machine.context.data, ID).published
    machine.clock.wait(days=1)
    publish(machine.context)
    assert first == read_submission(machine.context.data, ID).published
