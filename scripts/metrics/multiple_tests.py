"""The correction of p values for many tests."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """P values corrected for multiple tests: all tests together have the false alarm rate of a single one.

    Args:
        p_values: one for each test, each in [0, 1], in any order.

    Returns:
        The corrected values in the same order, each at least its original value and at most 1.

    Raises:
        ValueError: a value is not in [0, 1].

    Source: Holm 1979, A simple sequentially rejective multiple test procedure.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError(f"a p value must be in [0, 1]: {list(p_values)}")
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = highest
    return corrected


def benjamini_hochberg(p_values: Sequence[float], tests: int) -> list[float]:
    """P values adjusted for multiple tests: at most 5 % of what is found at 0.05 is expected to be false.

    Args:
        p_values: one for each test that was made, each in [0, 1], in any order.
        tests: the number of tests of the family. Those that were not made yet count as if they had p = 1.

    Returns:
        The adjusted values in the same order, each at least its original value and at most 1.

    Raises:
        ValueError: a value is not in [0, 1], or there are more values than tests.

    Source: Benjamini and Hochberg 1995, as scipy.stats.false_discovery_control computes it. Without any
    effect it finds something in at most 5 % of families.
    """
    from scipy.stats import false_discovery_control

    if len(p_values) > tests:
        raise ValueError(f"there are {len(p_values)} p values of {tests} tests")
    if not p_values:
        return []
    family = [*p_values, *[1.0] * (tests - len(p_values))]
    adjusted: list[float] = false_discovery_control(family)[: len(p_values)].tolist()
    return adjusted


def holm_of_groups(p_values: Sequence[float], groups: Sequence[str]) -> list[float]:
    """Holm's correction where some tests are of the same trials, as those of both services of a pair.

    Each group counts once, with the smallest p of its tests. The tests of a group are corrected by the same
    factor. All together have the false alarm rate of a single test if the tests of a group say the same, as
    where two services share a full link: what one gets, the other lacks. It is at most twice as high if they
    are independent and a group has two.

    Args:
        p_values: one for each test, each in [0, 1], in any order.
        groups: the group of each test.

    Returns:
        The corrected values in the same order, each at least its original value and at most 1.

    Raises:
        ValueError: a value is not in [0, 1], or the arguments differ in length.

    Source: Holm 1979, with a group in the place of a test.
    """
    smallest: dict[str, float] = {}
    for p, group in zip(p_values, groups, strict=True):
        smallest[group] = min(p, smallest.get(group, 1.0))
    corrected = dict(zip(smallest, holm(list(smallest.values())), strict=True))
    ordered = sorted(smallest, key=smallest.__getitem__)
    factors = {group: len(ordered) - rank for rank, group in enumerate(ordered)}
    return [
        max(corrected[group], min(1.0, factors[group] * p)) for p, group in zip(p_values, groups, strict=True)
    ]
