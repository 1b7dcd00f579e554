"""The pace of poses: fewer if answers come late."""

from __future__ import annotations

from collections.abc import Callable
from math import floor

import pytest

from platform_robot_sdk.realtime.pose_pace import PosePace


def sent_in(for_ms: int, answer_ms: Callable[[int], int | None]) -> list[int]:
    """Sends a pose every 20 ms if it may be sent. The connection answers each after the given time; None for never."""
    pace = PosePace()
    under_way: dict[int, int | None] = {}
    numbers: dict[int, int] = {}
    sent: list[int] = []
    for now_ms in range(for_ms):
        # An answer also counts for the previous poses.
        newest_ms = max([-1, *[sent_ms for sent_ms, due_ms in under_way.items() if due_ms == now_ms]])
        for sent_ms in [each for each in under_way if each <= newest_ms]:
            del under_way[sent_ms]
            pace.answered(numbers[sent_ms], now_ms / 1000)
        if now_ms % 20 != 0 or not pace.may_send(now_ms / 1000):
            continue
        sent.append(now_ms)
        takes = answer_ms(now_ms)
        numbers[now_ms] = pace.sent(now_ms / 1000)
        under_way[now_ms] = None if takes is None else now_ms + takes
    return sent


@pytest.mark.parametrize("after_ms", [10, 150, 300, 600])
def test_it_is_the_whole_one_on_a_line_that_answers_after_the_same_time(after_ms: int) -> None:
    assert len(sent_in(4_000, lambda _: after_ms)) == 200


def test_it_is_slower_where_answers_come_later_and_later_and_the_whole_one_again_when_they_do_not() -> None:
    sent = sent_in(6_000, lambda at_ms: 100 + (at_ms - 2_000) if 2_000 < at_ms < 4_000 else 100)
    in_second = [sum(1 for at_ms in sent if floor(at_ms / 1_000) == second) for second in range(6)]
    assert in_second[1] == 50
    assert in_second[3] < 15
    assert in_second[5] > 25


def test_it_is_a_few_then_one_now_and_then_where_nothing_is_answered() -> None:
    sent = [at_ms for at_ms in sent_in(10_000, lambda at_ms: 100 if at_ms < 2_000 else None) if at_ms >= 2_300]
    assert 10 < len(sent) < 30


def test_poses_of_the_same_moment_count_each() -> None:
    pace = PosePace()
    first, second = pace.sent(1.0), pace.sent(1.0)
    pace.answered(first, 1.05)
    pace.answered(second, 1.05)
    assert pace.may_send(60.0)
