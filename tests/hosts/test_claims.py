"""Claims on a folder and on an S3 server: one holder whoever comes, and dead claims are taken over."""

import multiprocessing
import os
import time
from dataclasses import replace

import pytest

from scripts.hosts.claims import NOBODY, ClaimRecord, Claims, HeldClaim, Holder, this_process
from scripts.hosts.stores import store_of
from tests.operate import seaweed as s3

NAME = "8mbps/iperf-bbr~iperf-cubic/01"
LEASE_S = 0.4
FOREIGN = Holder("elsewhere", "another boot/1", 7, 7)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with s3.running(tmp_path_factory.mktemp("seaweed")) as server:
        yield server


@pytest.fixture(params=["folder", pytest.param("bucket", marks=pytest.mark.soak(minutes=1))])
def place(request, tmp_path, monkeypatch):
    """The address of a store."""
    if request.param == "folder":
        return str(tmp_path / "claims")
    server = request.getfixturevalue("server")
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.ports['s3']}",
        "AWS_ACCESS_KEY_ID": s3.KEY,
        "AWS_SECRET_ACCESS_KEY": s3.SECRET,
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)
    return f"s3://{s3.BUCKET}/{tmp_path.name}"


def claims_on(place, job_known=lambda job: False):
    return Claims(store_of(place), LEASE_S, job_known)


def held_by(place, holder):
    """A claim of this holder, who does not renew it."""
    store_of(place).create(NAME, 1, ClaimRecord(holder, LEASE_S).text())


def take_and_stay(place, start, results):
    start.wait()
    taken = claims_on(place).take(NAME)
    results.put((os.getpid(), isinstance(taken, HeldClaim)))
    time.sleep(600)


def test_of_many_that_come_at_once_one_gets_the_claim_and_after_its_death_one_other(place):
    context = multiprocessing.get_context("fork" if "://" not in place else "spawn")
    start, results = context.Barrier(6), context.SimpleQueue()
    runners = [context.Process(target=take_and_stay, args=(place, start, results)) for _ in range(6)]
    for runner in runners:
        runner.start()
    outcomes = dict(results.get() for _ in runners)
    (winner,) = [runner for runner in runners if outcomes[runner.pid]]
    assert isinstance(claims_on(place).take(NAME), Holder)
    winner.kill()
    winner.join()
    assert isinstance(claims_on(place).take(NAME), HeldClaim), "the holder was a process of this machine"
    for runner in runners:
        runner.kill()
        runner.join()


def test_a_released_claim_leaves_nothing_behind(place):
    held_by(place, replace(this_process(), started=0))
    claim = claims_on(place).take(NAME)
    assert claim.renew()
    claim.release()
    assert store_of(place).generations(NAME) == []
    assert not claim.renew()
    assert not claims_on(place).is_live(NAME)


def assert_taken_over_after_a_lease(watching, holder):
    began = time.monotonic()
    while (taken := watching.take(NAME)) == holder:
        time.sleep(0.01)
    assert time.monotonic() - began > LEASE_S
    assert isinstance(taken, HeldClaim)


def test_a_claim_of_another_machine_is_dead_when_it_is_not_renewed_for_a_lease(place):
    held_by(place, FOREIGN)
    assert_taken_over_after_a_lease(claims_on(place), FOREIGN)


def test_a_record_that_a_power_cut_has_emptied_is_dead_after_a_lease(place):
    store_of(place).create(NAME, 1, b"")
    assert_taken_over_after_a_lease(claims_on(place), NOBODY)


def test_a_claim_that_is_renewed_stays_alive(place):
    held_by(place, FOREIGN)
    watching = claims_on(place)
    for count in range(1, 8):
        assert watching.take(NAME) == FOREIGN
        time.sleep(LEASE_S / 2)
        store_of(place).replace(NAME, 1, ClaimRecord(FOREIGN, LEASE_S, count).text())
    assert watching.is_live(NAME)


@pytest.mark.parametrize("known", [True, False, None])
def test_a_job_that_slurm_knows_keeps_its_claim_though_its_host_cannot_renew_it(place, known):
    held_by(place, replace(FOREIGN, job="17"))
    watching = claims_on(place, job_known=lambda job: {"17": known}[job])
    watching.take(NAME)
    time.sleep(2 * LEASE_S)
    assert isinstance(watching.take(NAME), Holder if known or known is None else HeldClaim)


def test_a_holder_that_comes_back_sees_that_another_one_took_over(place):
    held_by(place, FOREIGN)
    late = HeldClaim(store_of(place), NAME, 1, ClaimRecord(FOREIGN, LEASE_S))
    watching = claims_on(place)
    while not isinstance(taken := watching.take(NAME), HeldClaim):
        time.sleep(0.05)
    assert not late.renew()
    late.release()
    assert taken.renew(), "whoever lost a claim does not release that of another one"


def test_claims_for_a_result_are_void(place):
    held_by(place, FOREIGN)
    claims_on(place).void(NAME)
    assert store_of(place).generations(NAME) == []


def test_names_that_begin_alike_are_different_claims(place):
    assert isinstance(claims_on(place).take(NAME), HeldClaim)
    assert isinstance(claims_on(place).take(f"{NAME}.000001"), HeldClaim)
    assert isinstance(claims_on(place).take(NAME[:-1]), HeldClaim)


def test_a_folder_out_of_reach_is_no_lost_claim(tmp_path):
    (tmp_path / "cycle").mkdir()
    place = str(tmp_path / "cycle/claims")
    claim = claims_on(place).take(NAME)
    (tmp_path / "cycle").rename(tmp_path / "away")
    for action in (claim.renew, claim.release, lambda: claims_on(place).take(NAME)):
        with pytest.raises(OSError, match="cannot be reached"):
            action()
    assert not (tmp_path / "cycle").exists()
    (tmp_path / "away").rename(tmp_path / "cycle")
    assert claim.renew()


def test_a_bucket_out_of_reach_is_an_error(monkeypatch):
    monkeypatch.setattr("scripts.hosts.stores.ANSWER_S", 1)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
    monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)
    with pytest.raises(OSError, match="object storage"):
        claims_on("s3://bucket/prefix").take(NAME)
