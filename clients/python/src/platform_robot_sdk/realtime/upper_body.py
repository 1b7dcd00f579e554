"""Poses the arms of a worker, packet by packet."""

from __future__ import annotations

import asyncio
import contextlib
import numbers
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from ..errors import CallTimeoutError, RcwRuntimeError
from ..models.actions import ActionResult
from .pose_pace import PosePace


class ArmPose(TypedDict):
    """Angles of both arms, radians, five each: shoulder pitch, shoulder roll, shoulder yaw, elbow, wrist yaw."""

    r_arm: Sequence[float]
    l_arm: Sequence[float]


STANDING_POSE: ArmPose = {"r_arm": (0.35, 0.18, 0.0, -0.87, 0.0), "l_arm": (-0.35, -0.18, 0.0, 0.87, 0.0)}
"""The pose of a standing robot's arms."""
# Below this rate, one late packet lets the arms go limp.
_MIN_RATE_HZ = 10.0
_MAX_RATE_HZ = 120.0
# Without a reply for this long, it is unknown whether the robot still listens.
_SILENCE_S = 5.0
# 0.0001 rad is invisible on an arm. Digits make up half of a packet, and a bad connection carries little.
_DECIMALS = 4
# A connection may deliver concurrent packets in any order, and some too late. The robot rejects those and follows the newer
# poses.
_LATE = ("ENVELOPE_OUT_OF_ORDER", "ENVELOPE_STALE")
# Longest wait for the source of poses to end.
_CLOSE_S = 1.0


@dataclass(frozen=True)
class ArmCalls:
    """The calls to a worker; a pose and a `surely` call return the end of the action."""

    begin: Callable[[], Awaitable[None]]
    """Called once, before the first pose."""
    pose: Callable[[Mapping[str, Any]], Awaitable[ActionResult]]
    """Sent once: the next pose makes up for a lost one."""
    surely: Callable[[str, Mapping[str, Any]], Awaitable[ActionResult]]
    """A skill, repeated until it is answered, because nothing makes up for a lost stop."""


@dataclass(frozen=True)
class UpperBodyStream:
    """The outcome of a stream."""

    packets: int
    """Poses sent, including the standing pose at the end."""


async def stream_upper_body(
    calls: ArmCalls, poses: AsyncIterable[ArmPose] | Iterable[ArmPose], rate_hz: float
) -> UpperBodyStream:
    """Streams poses: a stop first, then the current pose repeatedly, and at the end the standing pose and a zero velocity.

    The end also comes after a failure, and when the wait is cancelled. Each pose is sent at least once, and repeated until
    the next one is available.

    Raises:
        ValueError: `rate_hz` is out of range.
        RcwRuntimeError: the robot rejects a packet.
        CallTimeoutError: the robot has answered no packet for 5 s.
    """
    if not _MIN_RATE_HZ <= rate_hz <= _MAX_RATE_HZ:
        raise ValueError(
            f"rate_hz is {rate_hz:g}; take {_MIN_RATE_HZ:g} to {_MAX_RATE_HZ:g}: below, a late packet lets the arms go limp."
        )
    _done(await calls.surely("stop", {}))
    await calls.begin()
    source = _AsyncSource(poses) if isinstance(poses, AsyncIterable) else _Source(poses)
    sender = _PoseSender(calls)
    try:
        await _send_all(source, sender, rate_hz)
    except BaseException:
        # The arms come to rest first. Then the original error is raised; an error of the ending is not.
        await _finish(source, sender, calls, rate_hz, is_quiet=True)
        raise
    await _finish(source, sender, calls, rate_hz, is_quiet=False)
    return UpperBodyStream(packets=sender.packets)


async def _send_all(source: _Source | _AsyncSource, sender: _PoseSender, rate_hz: float) -> None:
    started = _now()
    tick = 0
    while True:
        if sender.may_take_more():
            pose = await source.current()
            if pose is None:
                return
            sender.send(pose)
        tick += 1
        # The timer runs on its own, so the time that a packet took is not added.
        await asyncio.sleep(max(0.0, started + tick / rate_hz - _now()))
        sender.check()


async def _finish(
    source: _Source | _AsyncSource, sender: _PoseSender, calls: ArmCalls, rate_hz: float, *, is_quiet: bool
) -> None:
    async def finish() -> None:
        last = sender.send(STANDING_POSE)
        # Waits one period, not for the reply: a reply may take longer than the arms hold without a packet.
        await asyncio.wait({last}, timeout=1 / rate_hz)
        _done(await calls.surely("set_velocity", {"vx": 0, "vy": 0, "vyaw": 0}))

    async def finish_and_close() -> None:
        try:
            await finish()
        finally:
            # An error at the end of the poses' source must not keep the arms from coming to rest.
            with contextlib.suppress(Exception):
                await source.close()

    finishing = asyncio.ensure_future(finish_and_close())
    try:
        # The arms come to rest even if this wait is cancelled, also repeatedly.
        await asyncio.shield(finishing)
    except Exception:
        if not is_quiet:
            raise
    finally:
        finishing.add_done_callback(lambda task: task.cancelled() or task.exception())


class _PoseSender:
    """The packets under way. No packet waits for the reply to the previous one."""

    def __init__(self, calls: ArmCalls) -> None:
        self._calls = calls
        self._under_way: set[asyncio.Task[None]] = set()
        self._pace = PosePace()
        self._answered = _now()
        self._failure: Exception | None = None
        self.packets = 0

    def may_take_more(self) -> bool:
        return self._pace.may_send(_now())

    def send(self, pose: ArmPose) -> asyncio.Task[None]:
        self.packets += 1
        number = self._pace.sent(_now())
        packet = asyncio.ensure_future(self._send(pose))
        packet.add_done_callback(lambda _: self._pace.answered(number, _now()))
        self._under_way.add(packet)
        packet.add_done_callback(self._under_way.discard)
        return packet

    def check(self) -> None:
        if self._failure is not None:
            raise self._failure
        if _now() - self._answered > _SILENCE_S:
            raise CallTimeoutError(f"The robot has not answered a pose for {_SILENCE_S:g} s. Its arms may be limp.")

    async def _send(self, pose: ArmPose) -> None:
        try:
            result = await self._calls.pose({"r_arm": _rounded(pose["r_arm"]), "l_arm": _rounded(pose["l_arm"])})
            self._answered = _now()
            _done(result)
        except TimeoutError:
            # The next packet makes up for a lost one.
            pass
        except Exception as error:
            # The same applies to a packet that was overtaken on its way.
            is_late = isinstance(error, RcwRuntimeError) and error.code in _LATE
            if not is_late and self._failure is None:
                self._failure = error


def _rounded(angles: Sequence[float]) -> list[Any]:
    """Rounds numbers. Other values are sent unchanged: the robot, or the call itself, reports them."""
    return [round(float(rad), _DECIMALS) if _has_decimals(rad) else rad for rad in angles]


def _has_decimals(rad: object) -> bool:
    return isinstance(rad, numbers.Real) and not isinstance(rad, int)


class _Source:
    """Poses from a source that never waits."""

    def __init__(self, poses: Iterable[ArmPose]) -> None:
        self._poses: Iterator[ArmPose] = iter(poses)

    async def current(self) -> ArmPose | None:
        """Returns the pose of the next packet; None when the poses have ended."""
        return next(self._poses, None)

    async def close(self) -> None:
        """Closes the source, so that a generator runs its `finally`."""
        close = getattr(self._poses, "close", None)
        if callable(close):
            close()


class _AsyncSource:
    """Poses from a source that may wait. Until the next pose is available, the previous one is repeated."""

    def __init__(self, poses: AsyncIterable[ArmPose]) -> None:
        self._poses: AsyncIterator[ArmPose] = aiter(poses)
        self._held: ArmPose | None = None
        self._next: asyncio.Task[ArmPose | None] | None = None

    async def current(self) -> ArmPose | None:
        """Returns the pose of the next packet; None when the poses have ended. Called after the previous one was sent."""
        if self._next is None:
            self._next = asyncio.ensure_future(self._pull())
        if self._held is None:
            await asyncio.wait({self._next})
        else:
            # A pose that is available immediately is used immediately.
            await asyncio.wait({self._next}, timeout=0)
        if self._next.done():
            self._held = self._next.result()
            self._next = None if self._held is None else asyncio.ensure_future(self._pull())
        return self._held

    async def _pull(self) -> ArmPose | None:
        try:
            return await anext(self._poses)
        except StopAsyncIteration:
            return None

    async def close(self) -> None:
        """Closes the source, so that a generator runs its `finally`."""
        if self._next is not None:
            self._next.cancel()
            await asyncio.wait({self._next}, timeout=_CLOSE_S)
            if self._next.done() and not self._next.cancelled():
                self._next.exception()
        close = getattr(self._poses, "aclose", None)
        if callable(close):
            await close()


def _done(result: ActionResult) -> None:
    if result.error is not None:
        raise RcwRuntimeError(result.error.code, result.error.message, result.error.details or {})


def _now() -> float:
    return asyncio.get_running_loop().time()
