"""What a service is taken for: the answer of most of its trials alone."""

from dataclasses import replace

import numpy as np
import pytest

from scripts.model.trials import TrialKey
from scripts.plan.campaign_file import load_service
from scripts.recognition.answers import TOO_FAR
from scripts.recognition.families import UNKNOWN
from scripts.recognition.services import DISAGREE, LIMITS_ITSELF, NO_TRACE, recognise
from scripts.recognition.solos import Solo
from scripts.recognition.traces import LinkKey, trace_of
from tests.recognition.hand_cycle import hand_series
from tests.recognition.hand_library import hand_library
from tests.recognition.hand_traces import LINK

LIBRARY = hand_library()
NAMES = ["iperf-bbr", "iperf-cubic", "iperf-reno", "ref-call-1500kbps", "ref-file-cubic"]
SERVICES = {name: load_service(name, "test") for name in NAMES}


def solo(service, number, like="iperf-cubic", **changes):
    trace = trace_of(hand_series(like, 50 + number), LINK)
    made = Solo(TrialKey("8mbps", service, number), LINK, trace, 0, "kernel", None)
    return replace(made, **changes)


def only(*solos):
    (found,) = recognise(solos, LIBRARY, SERVICES)
    return found


def test_a_service_is_what_its_trials_are_and_names_the_nearest_traces():
    found = only(*(solo("ref-file-cubic", number) for number in (1, 2, 3)))
    assert ("8mbps", "ref-file-cubic", 3, 3) == (found.setting, found.service, found.trials, found.named)
    assert ("Cubic-like", None) == (found.answer.family, found.answer.reason)
    assert found.trial in (1, 2, 3)
    assert 3 == len(found.nearest)
    assert all(address.startswith("hand/2026-01-0") and "-cubic/" in address for address in found.nearest)


def test_the_typical_trial_has_the_median_distance():
    each = [only(solo("ref-file-cubic", number)).answer.distance for number in (1, 2, 3)]
    found = only(*(solo("ref-file-cubic", number) for number in (1, 2, 3)))
    assert pytest.approx(sorted(each)[1]) == found.answer.distance


def test_one_trial_of_three_does_not_change_the_answer():
    found = only(solo("ref-file-cubic", 1), solo("ref-file-cubic", 2, "iperf-bbr"), solo("ref-file-cubic", 3))
    assert ("Cubic-like", 2, 3) == (found.answer.family, found.named, found.trials)


def test_trials_that_disagree_leave_it_unknown():
    found = only(solo("ref-file-cubic", 1), solo("ref-file-cubic", 2, "iperf-bbr"))
    assert (UNKNOWN, DISAGREE, 0) == (found.answer.family, found.answer.reason, found.named)


def test_a_queue_like_none_of_the_library_is_unknown():
    flat = np.full((600, 2), 0.5)
    found = only(solo("ref-file-cubic", 1, trace=flat))
    assert (UNKNOWN, TOO_FAR, 1) == (found.answer.family, found.answer.reason, found.trial)


def test_a_service_with_a_cap_below_the_link_is_unknown_by_rule():
    found = only(solo("ref-call-1500kbps", 1))
    assert (UNKNOWN, LIMITS_ITSELF) == (found.answer.family, found.answer.reason)


def test_so_is_one_that_leaves_the_link_idle_in_most_trials():
    idle = [solo("ref-file-cubic", number, idle_fraction=0.3) for number in (1, 2)]
    assert LIMITS_ITSELF == only(*idle, solo("ref-file-cubic", 3)).answer.reason
    assert "Cubic-like" == only(idle[0], solo("ref-file-cubic", 2), solo("ref-file-cubic", 3)).answer.family


def test_trials_without_a_trace_leave_it_unknown():
    found = only(solo("ref-file-cubic", 1, trace=None))
    assert (UNKNOWN, NO_TRACE, 1) == (found.answer.family, found.answer.reason, found.trials)


@pytest.mark.parametrize("link", [None, LinkKey(50, 50, 1024)])
def test_a_link_without_labelled_traces_has_no_answer(link):
    assert [] == list(recognise([solo("ref-file-cubic", 1, link=link)], LIBRARY, SERVICES))


def test_every_setting_and_service_has_its_own_answer():
    given = [solo("iperf-cubic", 1), solo("iperf-cubic", 2), solo("iperf-reno", 1, "iperf-reno")]
    found = list(recognise(given, LIBRARY, SERVICES))
    assert ["Cubic-like", "Reno-like"] == [one.answer.family for one in found]
