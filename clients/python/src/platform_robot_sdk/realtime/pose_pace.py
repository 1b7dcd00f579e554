"""The times at which a stream may send its next pose."""

from __future__ import annotations

import math

# The arms go limp after this long without a pose.
_TRAJECTORY_TIMEOUT_S = 0.2
# An answer that takes this much longer than the fastest one has waited in a queue.
_QUEUE_MAX_S = 0.06
_FASTEST_OF_S = 10.0
_FASTEST_MAX_S = 1.0
# Interval of the first poses while no answer comes: one of two may get lost before the arms go limp.
_UNHEARD_EVERY_S = _TRAJECTORY_TIMEOUT_S * 0.4
_UNHEARD_FEW = 4
# Interval of the further ones: often enough to notice that the connection is back, and few that arrive late then.
_UNHEARD_SELDOM_S = 2 * _TRAJECTORY_TIMEOUT_S


class PosePace:
    """Limits the poses on a slow connection. If it is overloaded, each pose arrives later than the previous one, so fewer
    are sent.
    """

    def __init__(self) -> None:
        # Send times of the poses under way, oldest first.
        self._under_way: dict[int, float] = {}
        self._count = 0
        self._last_s = -math.inf
        # Poses sent since the last answer that came in time.
        self._unheard = 0
        self._fastest_since_s = -math.inf
        self._fastest_s = math.inf
        self._fastest_before_s = math.inf

    def may_send(self, now_s: float) -> bool:
        """Whether a pose may be sent now."""
        if now_s - self._oldest(now_s) <= self._in_time_s():
            return True
        every_s = _UNHEARD_EVERY_S if self._unheard < _UNHEARD_FEW else _UNHEARD_SELDOM_S
        return now_s - self._last_s >= every_s

    def sent(self, now_s: float) -> int:
        """Notes that a pose is sent. Returns its number, for `answered`."""
        if now_s - self._oldest(now_s) > self._in_time_s():
            self._unheard += 1
        self._last_s = now_s
        self._count += 1
        self._under_way[self._count] = now_s
        return self._count

    def answered(self, number: int, now_s: float) -> None:
        """Notes that the pose is answered, or given up."""
        took_s = now_s - self._under_way.pop(number)
        if now_s - self._fastest_since_s > _FASTEST_OF_S:
            self._fastest_since_s = now_s
            self._fastest_before_s, self._fastest_s = self._fastest_s, math.inf
        self._fastest_s = min(self._fastest_s, took_s)
        self._unheard = 0 if took_s <= self._in_time_s() else max(0, self._unheard - 1)

    def _oldest(self, now_s: float) -> float:
        return next(iter(self._under_way.values()), now_s)

    def _in_time_s(self) -> float:
        return 1.5 * min(self._fastest_s, self._fastest_before_s, _FASTEST_MAX_S) + _QUEUE_MAX_S
