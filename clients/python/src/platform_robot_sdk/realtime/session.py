"""A robot's session: skills, state and pictures of the robot in its room."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from .._redact import REDACTED
from .._short_errors import short_errors
from ..control_lease import ControlLease
from ..emergency_stop import EmergencyStopped
from ..errors import CallTimeoutError, PlatformNotAvailableError, PlatformSDKError, RcwRuntimeError
from ..models.actions import ActionEvent, ActionResult, SkillDescriptor
from ..models.driver import CancelsRepeated, ControlAsked, Driver, DriverChanged, DriverKind
from ..models.http import RoomMetadata
from ..models.runtime import SceneLayout, SceneState
from .abandon import cancel_abandoned
from .action import Action, ActionReporter, EventFeed
from .callbacks import ConnectCallbacks, Notifier
from .cancel_active import CANCEL_ACTIVE, cancel_active
from .driver_lease import DriverLease, OrderSelf
from .ending import SessionEnd
from .identity import missing_participants
from .invoke import SkillCall, SkillRequest, invoke_surely
from .press import PRESS_TIMEOUT_S, PressOverHttp, press_everywhere
from .progress import WaitProgress
from .room_link import RoomLink
from .shortcuts import SkillShortcuts
from .signing import ControlSigner
from .states import States
from .transport import Json
from .upper_body import ArmCalls, ArmPose, UpperBodyStream, stream_upper_body
from .vision import Vision, VisionOptions, VisionReceiver
from .waiting import random_id, within
from .wire import (
    CANCEL,
    EMERGENCY_STOP,
    TOOLS_CALL,
    failed_by,
    invalid_input,
    is_action_result,
    read_action_result,
    read_as,
    refuse_json_text,
)

# A worker answers a pose immediately, and a stop when the robot stands.
_ARM_REPLY_S = 5.0
# For the stop before the poses and the standstill after them: long enough to repeat the calls several times.
_REST_REPLY_S = 20.0
# After this time, one warning is logged about what the program waits for.
_TELL_WAITING_AFTER_S = 5.0

_log = logging.getLogger("platform_robot_sdk")


@dataclass(frozen=True, kw_only=True)
class SessionParts:
    """The parts from which `connect` and `join_room` build a session."""

    robot_id: str
    room_name: str
    identity: str | None
    """Identity of the session in the room."""
    livekit_url: str
    room_metadata: RoomMetadata
    link: RoomLink | None
    """None if the caller chose not to join the room."""
    signer: ControlSigner | None
    call_timeout_s: float
    keep_session: bool
    return_refusals: bool
    """Whether `invoke` returns a refusal as a failed result."""
    callbacks: ConnectCallbacks
    notifier: Notifier
    end_session: Callable[[], Awaitable[None]]
    press_over_http: PressOverHttp
    order_self: OrderSelf
    close: Callable[[], Awaitable[None]]
    """Frees what `connect` created only for this session."""


class PlatformSession(SkillShortcuts):
    """A robot's session, created by `connect` or `join_room`. An `async with` block disconnects at the end.

    Calls accept `timeout_s`, the longest wait in seconds, instead of `runtime_call_timeout_s` of `connect`.
    """

    def __init__(self, parts: SessionParts) -> None:
        self.robot_id = parts.robot_id
        self.room_name = parts.room_name
        self.room_metadata = parts.room_metadata
        self.livekit_url = parts.livekit_url
        self.state = States(self._read)
        self._parts = parts
        # The action that the last cancel without an id ended.
        self._cancelled_last: str | None = None
        self._driving = None if parts.link is None else DriverLease(parts.link, parts.notifier)
        self._vision = None if parts.link is None else VisionReceiver(parts.link)
        self._end = SessionEnd(self._leave, parts.notifier.drain, parts.end_session, parts.close)

    @property
    def identity(self) -> str | None:
        """Identity of this session in the room, by which others know it; None if the session has not joined the room."""
        return self._parts.identity

    @property
    def runtime_identity(self) -> str | None:
        """Identity of the runtime in the room, None while there is none."""
        return None if self._parts.link is None else self._parts.link.runtime

    @short_errors
    async def wait_until_ready(self, timeout_s: float | None = None) -> None:
        """Waits until a runtime is in the room and takes calls; without `timeout_s` there is no limit.

        Raises:
            TimeoutError: the message names what was missing.
        """
        await self._ready(timeout_s)

    async def _ready(self, timeout_s: float | None) -> list[Json]:
        """Returns the skills of the runtime once it takes calls, as it lists them."""
        link = self._link
        waited_for = "the room has not reported its participants."
        async with WaitProgress() as progress:

            def on_loading(what: str, fraction: float | None) -> None:
                nonlocal waited_for
                waited_for = what
                progress.show(f"Waiting: {what}", fraction)

            def awaited() -> str:
                # The participants may have changed since that report.
                return link.who_is_there() if link.runtime is None else waited_for

            def report_once() -> None:
                if not progress.is_shown:
                    _log.warning("waiting for the robot: %s", awaited())

            telling = asyncio.get_running_loop().call_later(_TELL_WAITING_AFTER_S, report_once)
            ready = link.ready(on_loading)
            try:
                return await (ready if timeout_s is None else within(ready, timeout_s, ""))
            except CallTimeoutError:
                pass
            finally:
                telling.cancel()
        required = {name: wanted.min_count for name, wanted in self.room_metadata.required_participants.items()}
        missing = ", ".join(missing_participants(required, link.participants()))
        needs = f" The session needs {missing}." if missing else ""
        raise CallTimeoutError(f"The robot is not ready after {timeout_s:g} s: {awaited()}{needs}")

    @short_errors
    async def discover_skills(self, timeout_s: float | None = None) -> list[SkillDescriptor]:
        """Returns the skills of the runtime in the room, with the schemas of their inputs. Waits until a runtime has joined
        and loaded.

        Raises:
            TimeoutError: the message names what was missing, as for `wait_until_ready`.
        """
        skills = await self._ready(self._timeout(timeout_s))
        return [read_as(SkillDescriptor, skill, "a list of skills") for skill in skills]

    @short_errors
    async def invoke(
        self,
        skill: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        action_id: str | None = None,
        deadline_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
    ) -> ActionResult:
        """Runs a skill and returns the end of the action, `done` or `failed`.

        The call always carries an action id. If the reply gets lost, the session asks for it by this id, and the skill runs
        only once. With `deadline_s` the runtime stops the action itself. `on_event`, sync or async, receives the action's
        events. If the wait ends before the action, by `timeout_s` or because this task is cancelled, the action continues.
        With `cancel_on_abandon` it is cancelled on the robot instead.

        Raises:
            RcwRuntimeError: the call did not become an action (`INVALID_INPUT`, `BUSY`, `NOT_READY` …), unless `connect`
                was given `return_refusals`.
            TimeoutError: the action has not ended in time; it may still run, and `action_id` names it.
        """
        call = SkillCall(skill, lambda: params, action_id, deadline_s)
        returns_refusals = self._parts.return_refusals
        return await self._run(call, timeout_s, on_event, cancel_on_abandon, returns_refusals=returns_refusals)

    @short_errors
    async def try_invoke(
        self,
        skill: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        action_id: str | None = None,
        deadline_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
    ) -> ActionResult:
        """Runs a skill as `invoke` does, and also returns a refusal as a failed result.

        `error` has the code, message and details that the `RcwRuntimeError` would have, and `on_action_result` receives the
        result. An invalid argument, such as an `action_id` that is not a string, is rejected with `INVALID_INPUT`.

        Raises:
            TimeoutError: the action has not ended in time; it may still run, and `action_id` names it.
        """
        call = SkillCall(skill, lambda: params, action_id, deadline_s)
        return await self._run(call, timeout_s, on_event, cancel_on_abandon, returns_refusals=True)

    async def _shortcut(
        self,
        name: str,
        skill: str,
        params: Callable[[], Mapping[str, Any]],
        /,
        **options: Any,  # noqa: ANN401
    ) -> ActionResult:
        if self.runtime_identity is not None and self._link.holds(self.runtime_identity):
            # A call that names a duration must not become a velocity without an end.
            raise PlatformSDKError(
                f"This robot keeps the physical robot's contract, and {name} is a method for the simulator's. Call invoke with "
                "a skill of discover_skills; its set_velocity holds until stop."
            )

        def given() -> dict[str, Any]:
            return {key: value for key, value in params().items() if value is not None}

        call = SkillCall(skill, given, options.pop("action_id", None), options.pop("deadline_s", None))
        return await self._run(call, **options, returns_refusals=self._parts.return_refusals)

    async def _run(
        self,
        call: SkillCall,
        timeout_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
        *,
        returns_refusals: bool,
    ) -> ActionResult:
        link, callbacks, notifier = self._link, self._parts.callbacks, self._parts.notifier
        action_id = call.id_of_action()

        def emit(event: ActionEvent) -> None:
            notifier.notify("on_action_event", callbacks.on_action_event, event)
            notifier.notify("on_event", on_event, event)

        reporter = ActionReporter(action_id, emit)
        is_followed = callbacks.on_action_event is not None or on_event is not None
        on_active = reporter.active if is_followed else None
        try:
            try:
                request, longest_s = call.request(action_id), self._timeout(timeout_s)
            except (TypeError, ValueError) as wrong:
                raise invalid_input(str(wrong)) from None
            result = await invoke_surely(link, request, longest_s, on_active)
            reporter.ended(result)
        except (asyncio.CancelledError, CallTimeoutError) as abandoned:
            if cancel_on_abandon:
                await cancel_abandoned(link, action_id, abandoned)
            raise
        except RcwRuntimeError as refusal:
            if not returns_refusals:
                raise
            result = failed_by(refusal, action_id)
            reporter.refused(result)
        notifier.notify("on_action_result", callbacks.on_action_result, result)
        return result

    def start(
        self,
        skill: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        action_id: str | None = None,
        deadline_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
    ) -> Action:
        """Starts a skill without waiting for its end: iterate the action for its events, await it, or `cancel()` it."""
        self._link.require_own_loop()
        action_id = random_id("act") if action_id is None else action_id
        events = EventFeed()

        def follow(event: ActionEvent) -> None:
            events.push(event)
            self._parts.notifier.notify("on_event", on_event, event)

        running = self.invoke(
            skill,
            params,
            timeout_s=timeout_s,
            action_id=action_id,
            deadline_s=deadline_s,
            on_event=follow,
            cancel_on_abandon=cancel_on_abandon,
        )
        return Action(action_id, asyncio.ensure_future(running), events, lambda: self._cancel_or_report(action_id))

    async def _cancel_or_report(self, action_id: str) -> ActionResult:
        try:
            return await self.cancel_action(action_id)
        except RcwRuntimeError as error:
            if error.code != "ACTION_NOT_FOUND":
                raise
            ended = await self.get_action(action_id)
            if ended is None:
                raise
            return ended

    @short_errors
    async def get_action(self, action_id: str, *, timeout_s: float | None = None) -> ActionResult | None:
        """Returns the runtime's knowledge of an action, by its id: its end, or None while it runs. Use it after an `invoke`
        that timed out.

        Raises:
            RcwRuntimeError: `ACTION_NOT_FOUND` when the runtime does not know the action, or has forgotten it (after 10
                minutes and 256 actions).
        """
        reply = await self._read("runtime.action", {"action_id": action_id}, timeout_s)
        if not isinstance(reply, dict):
            raise RcwRuntimeError(
                "INTERNAL", "The reply of the runtime is not what runtime.action answers. Check what is in the room."
            )
        return read_action_result(reply) if is_action_result(reply, action_id) else None

    @short_errors
    async def cancel_action(self, action_id: str = CANCEL_ACTIVE, *, timeout_s: float | None = None) -> ActionResult:
        """Cancels an action and returns its end once the robot stands (`failed`, `CANCELLED`); `cancel-active` means the
        active action.

        Raises:
            RcwRuntimeError: `ACTION_NOT_FOUND` when no such action is active.
        """
        timeout = self._timeout(timeout_s)
        if action_id == CANCEL_ACTIVE:
            ended = read_action_result(await cancel_active(self._link, self._cancelled_last, timeout))
            self._cancelled_last = ended.action_id
            return ended
        # A cancel that names its action may be repeated without risk.
        return read_action_result(await self._link.read(CANCEL, {"options": {"action_id": action_id}}, timeout))

    @short_errors
    async def stream_upper_body(
        self, poses: AsyncIterable[ArmPose] | Iterable[ArmPose], *, rate_hz: float = 50.0
    ) -> UpperBodyStream:
        """Poses the arms of a worker for as long as there are poses.

        Stops the drive, sends the current pose on a timer, and ends with the standing pose and a zero velocity, also after
        a failure or if this task is cancelled. `poses` is a list, a generator, or an async generator that waits for its
        source.

        Raises:
            RcwRuntimeError: the robot rejects a pose.
            TimeoutError: the robot has answered no pose for 5 s.
            ValueError: `rate_hz` is below 10 or above 120.
        """

        async def pose(params: Mapping[str, Any]) -> ActionResult:
            payload = {"name": "set_upper_body", "input": params, "options": {"action_id": random_id("arm")}}
            return read_action_result(await self._link.ask_once(TOOLS_CALL, payload, _ARM_REPLY_S))

        def surely(skill: str, params: Mapping[str, Any]) -> Awaitable[ActionResult]:
            return invoke_surely(self._link, SkillRequest(skill, params, random_id("arm")), _REST_REPLY_S)

        async def takes_packets() -> bool:
            control = (await self.state.get("robot_status")).robot.extra.get("control")
            return isinstance(control, Mapping) and control.get("pose_packets") is True

        def begin() -> Awaitable[None]:
            return self._link.choose_pose_way(takes_packets)

        return await stream_upper_body(ArmCalls(begin, pose, surely), poses, rate_hz)

    @short_errors
    async def emergency_stop(self, reason: str | None = None, *, timeout_s: float | None = None) -> EmergencyStopped:
        """Presses the robot's emergency stop over all paths in parallel: over the room, signed if control is signed, and
        over HTTP.

        Returns when the first path confirms that the robot stands. The robot then rejects every command until a person at
        its page releases the stop; a program cannot release it. A press is safe to repeat, and is repeated for `timeout_s`,
        10 s by default.

        Raises:
            EmergencyStopError: no path confirms that the robot stands: look at the robot, and stop it in another way.
        """
        within_s = self._timeout_of_stop(timeout_s, PRESS_TIMEOUT_S)
        return await press_everywhere(self._parts.link, self._parts.press_over_http, reason, within_s)

    @short_errors
    async def driver(self, *, timeout_s: float | None = None) -> Driver | None:
        """Returns the current driver; None if no one drives, so that any participant may command the robot."""
        state = await self.state.get("robot_status", timeout_s=timeout_s)
        driver = state.robot.extra.get("driver")
        return None if driver is None else read_as(Driver, driver, "a driver")

    @short_errors
    async def take_control(
        self,
        name: str | None = None,
        *,
        kind: DriverKind | None = None,
        over: bool = False,
        timeout_s: float | None = None,
    ) -> ControlLease:
        """Takes the robot: commands of others are rejected from then on, and their actions end.

        The lease is renewed automatically until it is released, given away, lost, or the session ends. `name` is shown to
        others. With `over`, also takes the robot from another driver, by an order of the owner over HTTP.

        Raises:
            NotControllerError: another participant drives.
            PlatformAPIError: with `over`, as `client.robots.take_control`.
        """
        order = self._parts.order_self if over else None
        return await self._lease.take(name, kind, self._timeout(timeout_s), order)

    @short_errors
    async def ask_for_control(
        self, name: str | None = None, *, kind: DriverKind | None = None, timeout_s: float | None = None
    ) -> ControlLease:
        """Asks the current driver for the robot, and returns when the driver gives it or no one drives.

        Raises:
            TimeoutError: that did not happen in time. The request is then withdrawn, also if this task is cancelled.
        """
        return await self._lease.ask(name, kind, self._timeout(timeout_s))

    def on_driver_changed(self, listener: Callable[[DriverChanged], Any]) -> Callable[[], None]:
        """Calls a listener, sync or async, at each change of the driver. Returns a function that removes the listener."""
        return self._lease.on("on_driver_changed", listener)

    def on_control_asked(self, listener: Callable[[ControlAsked], Any]) -> Callable[[], None]:
        """Calls a listener, sync or async, when a participant asks the driver for the robot. Returns a function that
        removes the listener.
        """
        return self._lease.on("on_control_asked", listener)

    def on_cancels_repeated(self, listener: Callable[[CancelsRepeated], Any]) -> Callable[[], None]:
        """Calls a listener, sync or async, when a participant stops the actions of others repeatedly: eight times in 10 s.
        Returns a function that removes the listener.
        """
        return self._lease.on("on_cancels_repeated", listener)

    @short_errors
    async def scene(
        self,
        *,
        entity_ids: Sequence[str] | None = None,
        visible: bool | None = None,
        kinds: Sequence[str] | None = None,
        timeout_s: float | None = None,
    ) -> SceneState:
        """Returns the entities in the scene and their poses; the kinds are `robot`, `cube`, `object` (any other thing) and
        `pad`.
        """
        return await self.state.get("scene_state", timeout_s=timeout_s, entity_ids=entity_ids, visible=visible, kinds=kinds)

    @short_errors
    async def layout(self, *, timeout_s: float | None = None) -> SceneLayout:
        """Returns the fixed parts of the scene: bounds, obstacles, pads, slots."""
        return await self.state.get("scene_layout", timeout_s=timeout_s)

    @short_errors
    async def get_capabilities(self, *, timeout_s: float | None = None) -> dict[str, Any]:
        """Returns what the runtime can do: cameras, captures, limits, simulation controls, promises kept."""
        reply = await self._read("runtime.capabilities", {}, timeout_s)
        if not isinstance(reply, dict):
            raise RcwRuntimeError("INTERNAL", "The reply of the runtime is not an object. Check what is in the room.")
        return reply

    @short_errors
    async def get_vision(
        self,
        camera: str = "pov",
        *,
        width: int = 1280,
        height: int = 720,
        quality: float = 0.7,
        annotations: Sequence[str] | None = None,
        timeout_s: float | None = None,
    ) -> Vision:
        """Takes a picture with a robot's camera, and returns the bytes of a JPEG, checked by length and hash.

        `annotations=["boxes"]` adds the visible entities with their boxes and depths.

        Raises:
            RcwRuntimeError: the capture failed.
            TimeoutError: the picture has not arrived in time.
        """
        if self._vision is None:
            raise _not_joined()
        options = VisionOptions(width, height, quality, annotations)
        return await self._vision.capture(camera, options, self._timeout(timeout_s))

    async def visions(
        self,
        camera: str = "pov",
        *,
        interval_s: float = 0.0,
        width: int = 1280,
        height: int = 720,
        quality: float = 0.7,
        annotations: Sequence[str] | None = None,
        timeout_s: float | None = None,
    ) -> AsyncGenerator[Vision]:
        """Takes pictures one after another while the caller reads them. Leave the loop to end it.

        `interval_s` is the least time from the start of one capture to the start of the next.
        """
        clock = asyncio.get_running_loop().time
        while True:
            next_at = clock() + interval_s
            yield await self.get_vision(
                camera, width=width, height=height, quality=quality, annotations=annotations, timeout_s=timeout_s
            )
            await asyncio.sleep(max(0.0, next_at - clock()))

    @short_errors
    async def call(self, method: str, payload: object = None, *, timeout_s: float | None = None) -> Json:
        """Calls any method of the runtime once, such as `runtime.manifest`, and returns its reply as data.

        Raises:
            RcwRuntimeError: the reply is a guard, or the method does not exist.
            TimeoutError: no reply came in time.
        """
        payload = {} if payload is None else payload
        if method == EMERGENCY_STOP:
            longest_s = self._timeout_of_stop(timeout_s, self._parts.call_timeout_s)
            return await self._link.ask_once(method, payload, longest_s)
        refuse_json_text(payload, f"The payload of {method}")
        return await self._link.ask_once(method, payload, self._timeout(timeout_s))

    async def get_logs(self) -> None:
        """Not available. Always raises PlatformNotAvailableError."""
        raise PlatformNotAvailableError(
            "get_logs", "the platform keeps no logs of a robot yet; the state robot_status has the last action"
        )

    @short_errors
    async def disconnect(self, *, delete_session: bool | None = None, keep_session: bool | None = None) -> None:
        """Leaves the room. A session that `connect` opened is deleted, which closes the room and disconnects everyone in
        it.

        A session that was already open stays, with all its participants. `keep_session`, here or in `connect`, overrides
        this: True leaves the session open, False ends it. `delete_session` is its opposite. A second call does nothing.

        Raises:
            PlatformSDKError: the call comes from another event loop than that of `connect`.
        """
        if self._parts.link is not None and not self._end.is_reached:
            self._parts.link.require_own_loop()
        if delete_session is not None and keep_session is not None and delete_session == keep_session:
            raise ValueError("delete_session and keep_session contradict each other. Pass one of them.")
        keeps = self._parts.keep_session if keep_session is None else keep_session
        if delete_session is not None:
            keeps = not delete_session
        await self._end.reach(keeps=keeps)

    async def _leave(self) -> None:
        if self._driving is not None:
            await self._driving.leave()
        if self._parts.link is not None:
            await self._parts.link.leave()
        if self._parts.signer is not None:
            await self._parts.signer.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.disconnect()
        except Exception as failed:
            # If the block raised an error, that error takes precedence over this one.
            if error is None:
                raise
            _log.warning("disconnecting failed with %s", type(failed).__name__)

    def __repr__(self) -> str:
        return (
            f"PlatformSession(robot_id={self.robot_id!r}, room_name={self.room_name!r}, runtime={self.runtime_identity!r}, "
            f"token={REDACTED!r})"
        )

    @property
    def _link(self) -> RoomLink:
        if self._parts.link is None:
            raise _not_joined()
        return self._parts.link

    @property
    def _lease(self) -> DriverLease:
        if self._driving is None:
            raise _not_joined()
        return self._driving

    async def _read(self, method: str, payload: dict[str, Any], timeout_s: float | None) -> Json:
        return await self._link.read(method, payload, self._timeout(timeout_s))

    def _timeout(self, timeout_s: float | None) -> float:
        timeout_s = self._parts.call_timeout_s if timeout_s is None else timeout_s
        try:
            is_above_0 = timeout_s > 0
        except TypeError:
            raise TypeError(f"timeout_s is of type {type(timeout_s).__name__}; pass seconds above 0.") from None
        # The comparison also rejects NaN.
        if not is_above_0:
            raise ValueError(f"timeout_s is {timeout_s:g}; pass seconds above 0.")
        return timeout_s

    def _timeout_of_stop(self, timeout_s: float | None, otherwise_s: float) -> float:
        """Returns the given timeout, or the other one if it is invalid: a wrong option must not keep an emergency stop from
        the robot.
        """
        if timeout_s is None:
            return otherwise_s
        try:
            return self._timeout(timeout_s)
        except (TypeError, ValueError):
            return otherwise_s


def _not_joined() -> PlatformSDKError:
    return PlatformSDKError("The room of this session is not joined. Connect with join_livekit=True.")
