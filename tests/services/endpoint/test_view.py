"""What an endpoint may name as files that its programs see."""

import pytest

from scripts.base.confinement import INSIDE
from scripts.base.errors import UserError
from services.endpoint.view import readable_of
from services.endpoint.www import BIG, BIG_BYTES, FOLDER
from tests.model.campaigns import service
from tests.services.endpoint.making import endpoint_service, make_endpoint


def test_a_service_without_an_endpoint_names_no_files():
    assert {} == readable_of(service())


def test_its_programs_see_its_folder_and_what_it_names(tmp_path):
    library = tmp_path / "library.so"
    library.touch(0o644)
    folder = make_endpoint(tmp_path / "tiny", reads=[str(library)])
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert {link: folder, library: library, FOLDER: FOLDER} == readable_of(endpoint_service(link))


def test_the_file_to_serve_takes_no_space_and_is_not_in_the_folder_of_the_driver(tmp_path):
    readable_of(endpoint_service(make_endpoint(tmp_path / "tiny")))
    big = FOLDER / BIG
    assert (BIG_BYTES, 0) == (big.stat().st_size, big.stat().st_blocks)
    assert not FOLDER.is_relative_to(INSIDE)


@pytest.mark.parametrize("path", ["/run", "/run/confined", "/proc"])
def test_no_file_takes_the_place_of_one_of_the_view(tmp_path, path):
    folder = make_endpoint(tmp_path / "tiny", reads=[path])
    with pytest.raises(UserError, match=f"^{folder}/endpoint.yaml: reads: {path} would cover "):
        readable_of(endpoint_service(folder))


def test_a_missing_file_is_an_error_of_its_key(tmp_path):
    folder = make_endpoint(tmp_path / "tiny", reads=["/opt/none"])
    with pytest.raises(UserError, match="reads: /opt/none: No such file or directory; correct it"):
        readable_of(endpoint_service(folder))


@pytest.mark.parametrize(
    ("key", "command"),
    [
        ("versions", ["./build/none", "versions"]),
        ("server", ["python3 server.py"]),
        ("client", ["no-such-program", "{port}"]),
    ],
)
def test_a_program_that_is_not_there_is_an_error_before_any_trial(key, command, tmp_path):
    folder = make_endpoint(tmp_path / "tiny", **{key: command})
    with pytest.raises(UserError, match=f"{key}: '{command[0]}': there is no such program; build it"):
        readable_of(endpoint_service(folder))


@pytest.mark.parametrize(("name", "key"), [("secret", "reads"), ("endpoint.yaml", "server"), (".", "server")])
def test_a_private_file_is_never_shown(tmp_path, name, key):
    secret = tmp_path / "tiny/secret"
    folder = make_endpoint(tmp_path / "tiny", reads=[str(secret)])
    secret.touch()
    (folder / name).chmod(0o700)
    with pytest.raises(UserError, match=f"endpoint.yaml: {key}: .*: other users cannot read it"):
        readable_of(endpoint_service(folder))
