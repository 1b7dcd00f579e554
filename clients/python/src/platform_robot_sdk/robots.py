"""The robots of the key's owner: `Robots` blocks, `AsyncRobots` awaits; both do the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Literal

from . import _calls
from ._calls import Access, SemanticCommand
from ._senders import AsyncSender, SyncSender
from .models.actions import ActionResult
from .models.driver import DriverKind
from .models.http import (
    ControlGrant,
    ControlOrderResult,
    CreatedRobot,
    EmergencyStopResult,
    LinkPage,
    ParticipantToken,
    Robot,
    RobotLanguage,
    RobotPage,
    RobotVoice,
    Session,
    SessionPage,
    SessionState,
)
from .workers import WorkerConfig, warn_of_workers


class Robots:
    """The robots of the key's owner.

    Each method takes `timeout_s`, the longest wait for one answer, instead of the client's.
    """

    def __init__(self, sender: SyncSender) -> None:
        self._sender = sender

    def __repr__(self) -> str:
        return "Robots()"

    def list(self, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None) -> RobotPage:
        """One page, oldest robots first; `limit` is 1 to 100, 20 where it is not given."""
        return self._sender.send(_calls.list_robots(limit, after_id, timeout_s))

    def iter(self, *, limit: int | None = None, timeout_s: float | None = None) -> Iterator[Robot]:
        """All robots, page by page as they are needed; `limit` is the number of robots on a page, 100 where it is not given.

        Raises PlatformSDKError when the service names pages that never end.
        """
        limit = _calls.LIST_MAX_LIMIT if limit is None else limit
        read, after_id = _calls.PagesRead("/v1/robots"), None
        while True:
            page = self.list(limit=limit, after_id=after_id, timeout_s=timeout_s)
            yield from page.robots
            after_id = read.id_after(page)
            if after_id is None:
                return

    def get(self, robot_id: str, *, timeout_s: float | None = None) -> Robot:
        """One robot."""
        return self._sender.send(_calls.get_robot(robot_id, timeout_s))

    def create(
        self,
        *,
        name: str,
        model: str,
        type: Literal["virtual"] | None = None,
        description: str | None = None,
        language: RobotLanguage | None = None,
        voice: RobotVoice | None = None,
        timeout_s: float | None = None,
    ) -> CreatedRobot:
        """Makes a virtual robot, claimed for the caller; no other `type` is made.

        Its PIN is told once, in the result; printing that does not show it.
        """
        fields = {
            "name": name,
            "model": model,
            "type": type,
            "description": description,
            "language": language,
            "voice": voice,
        }
        return self._sender.send(_calls.create_robot(fields, timeout_s))

    def update(
        self,
        robot_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        language: RobotLanguage | None = None,
        voice: RobotVoice | None = None,
        timeout_s: float | None = None,
    ) -> Robot:
        """Changes what is given and leaves the rest as it is."""
        fields = {"name": name, "description": description, "language": language, "voice": voice}
        return self._sender.send(_calls.update_robot(robot_id, fields, timeout_s))

    def delete(self, robot_id: str, *, timeout_s: float | None = None) -> None:
        """Gives a robot up; a virtual one is gone."""
        self._sender.send(_calls.delete_robot(robot_id, timeout_s))

    def claim(self, robot_id: str, pin_code: str, *, timeout_s: float | None = None) -> Robot:
        """Takes a physical robot with its PIN."""
        return self._sender.send(_calls.claim_robot(robot_id, pin_code, timeout_s))

    def create_session(
        self,
        robot_id: str,
        *,
        worker_names: Sequence[str] | None = None,
        workers: WorkerConfig | None = None,
        environment_id: str | None = None,
        scene_id: str | None = None,
        timeout_s: float | None = None,
    ) -> Session:
        """Opens the robot's session, or joins the one there is.

        `worker_names` are the agents to dispatch: `[]` none (a simulator's tab fills the place), names these, None the
        platform's default. `workers` is deprecated and has no effect. `environment_id` raises
        PlatformNotAvailableError.

        `scene_id` is the scene that the session is for, such as `kitchen`: a simulated robot opens there when it comes
        into the room. One that is in the room already stays in its scene; call its skill `select_scene`.
        """
        _calls.refuse_blocked("environment_id", environment_id)
        if workers is not None:
            warn_of_workers(stacklevel=3)
        return self._sender.send(_calls.create_session(robot_id, worker_names, scene_id, timeout_s))

    def delete_session(self, robot_id: str, *, timeout_s: float | None = None) -> None:
        """Closes the robot's room and puts everyone out."""
        self._sender.send(_calls.delete_session(robot_id, timeout_s))

    def get_session(self, robot_id: str, *, timeout_s: float | None = None) -> SessionState:
        """How the robot's session is just now: who is in its room, whether the runtime is there and what it does.

        Looking changes nothing.
        """
        return self._sender.send(_calls.get_session(robot_id, timeout_s))

    def list_sessions(
        self, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None
    ) -> SessionPage:
        """One page of the sessions of all robots, each as `get_session` tells it; `limit` is 1 to 100, by default 20.

        A robot without a session is not among them, and a state may be two seconds old.
        """
        return self._sender.send(_calls.list_sessions(limit, after_id, timeout_s))

    def create_participant_token(
        self,
        robot_id: str,
        *,
        participant_identity: str,
        participant_name: str | None = None,
        ttl_seconds: int | None = None,
        access: Access | None = None,
        timeout_s: float | None = None,
    ) -> ParticipantToken:
        """A credential for the open session; it lives `ttl_seconds`: 4 hours, 6 at most. With `access="watch"` it only sees."""
        fields = {
            "participant_identity": participant_identity,
            "participant_name": participant_name,
            "ttl_seconds": ttl_seconds,
            "access": access,
        }
        return self._sender.send(_calls.create_participant_token(robot_id, fields, timeout_s))

    def list_links(
        self, robot_id: str, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None
    ) -> LinkPage:
        """One page of the valid links of the robot's session: what each allows, and until when; `limit` is 1 to 100, by
        default 20.

        Without a session there are none.
        """
        return self._sender.send(_calls.list_links(robot_id, limit, after_id, timeout_s))

    def revoke_link(self, robot_id: str, link_id: str, *, timeout_s: float | None = None) -> None:
        """Revokes a link by its id: it gives no place and no grant any more, and its pages leave the room within seconds.

        Raises:
            PlatformAPIError: `link.not_found`.
        """
        self._sender.send(_calls.revoke_link(robot_id, link_id, timeout_s))

    def create_control_grant(
        self,
        robot_id: str,
        *,
        public_key: Mapping[str, str],
        holder: str | None = None,
        ttl_seconds: int | None = None,
        timeout_s: float | None = None,
    ) -> ControlGrant:
        """Leave to send signed calls to the robot in its session, for programs that sign on their own; `connect` does it
        itself.

        `public_key` is an Ed25519 key as a JWK, whose private half signs the calls and stays with its holder; `holder` is who
        signs, as the robot names them. A grant lives one hour where no `ttl_seconds` is given, six at most.
        """
        fields = {"public_key": dict(public_key), "holder": holder, "ttl_seconds": ttl_seconds}
        return self._sender.send(_calls.create_control_grant(robot_id, fields, timeout_s))

    def emergency_stop(
        self, robot_id: str, reason: str | None = None, *, timeout_s: float | None = None
    ) -> EmergencyStopResult:
        """Presses the emergency stop of a robot, without joining its room.

        It latches at the service and at each runtime in the robot's room, also at one that comes later; only a person at the
        robot's page releases it. It is repeated until it is answered. `stands` of the answer says whether the robot is known to
        stand.
        """
        return self._sender.send(_calls.emergency_stop(robot_id, reason, timeout_s))

    def take_control(
        self,
        robot_id: str,
        *,
        to: str,
        name: str | None = None,
        kind: DriverKind | None = None,
        timeout_s: float | None = None,
    ) -> ControlOrderResult:
        """Orders, as the owner, who drives the robot from now on, from whoever does, without joining the room.

        `to` is the identity of a participant in the room, `name` is shown to others. What the former driver had running ends
        with `NOT_CONTROLLER`, the robot stands, and all in its room are told. The new driver renews the lease as any other,
        so `session.take_control(over=True)` is the way to drive oneself. Repeating is safe.

        Raises:
            PlatformAPIError: `control.no_driver`, nobody of that identity is in the room; `control.unsupported`, the runtime is
                of an older version; 504 `control.unanswered`, it did not say in time that it obeyed.
        """
        return self._sender.send(_calls.order_control(robot_id, to, name, kind, timeout_s))

    def release_control(self, robot_id: str, *, timeout_s: float | None = None) -> ControlOrderResult:
        """Orders, as the owner, that nobody drives any more: whoever calls commands then, and may take the robot.

        Raises:
            PlatformAPIError: as `take_control`.
        """
        return self._sender.send(_calls.order_control(robot_id, None, None, None, timeout_s))

    def send_semantic_command(self, robot_id: str, command: SemanticCommand, *, timeout_s: float | None = None) -> None:
        """A short move, without joining the room; it ends before the answer comes."""
        self._sender.send(_calls.send_semantic_command(robot_id, command, timeout_s))

    def send_session_command(
        self,
        robot_id: str,
        skill: str,
        parameters: Mapping[str, object] | None = None,
        *,
        action_id: str | None = None,
        deadline_s: float | None = None,
        timeout_s: float | None = None,
    ) -> ActionResult:
        """Runs a skill of the runtime in the robot's session, without joining the room, and gives the end of the action.

        The platform waits for it, so a skill that takes longer than the client's time limit needs `timeout_s`. It is sent once,
        whatever happens; the same `action_id` never runs twice. After `deadline_s` the runtime stops the action itself.

        Raises:
            RcwRuntimeError: it did not become an action.
            PlatformAPIError: 409 without a session or a runtime; 504 when the runtime does not answer, and it may still run.
            TimeoutError: no answer in time; its `action_id` says which action may still run.
        """
        return self._sender.send(_calls.send_session_command(robot_id, skill, parameters, action_id, deadline_s, timeout_s))


class AsyncRobots:
    """The robots of the key's owner.

    Each method takes `timeout_s`, the longest wait for one answer, instead of the client's.
    """

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def __repr__(self) -> str:
        return "AsyncRobots()"

    async def list(self, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None) -> RobotPage:
        """One page, oldest robots first; `limit` is 1 to 100, 20 where it is not given."""
        return await self._sender.send(_calls.list_robots(limit, after_id, timeout_s))

    async def iter(self, *, limit: int | None = None, timeout_s: float | None = None) -> AsyncIterator[Robot]:
        """All robots, page by page as they are needed; `limit` is the number of robots on a page, 100 where it is not given.

        Raises PlatformSDKError when the service names pages that never end.
        """
        limit = _calls.LIST_MAX_LIMIT if limit is None else limit
        read, after_id = _calls.PagesRead("/v1/robots"), None
        while True:
            page = await self.list(limit=limit, after_id=after_id, timeout_s=timeout_s)
            for robot in page.robots:
                yield robot
            after_id = read.id_after(page)
            if after_id is None:
                return

    async def get(self, robot_id: str, *, timeout_s: float | None = None) -> Robot:
        """One robot."""
        return await self._sender.send(_calls.get_robot(robot_id, timeout_s))

    async def create(
        self,
        *,
        name: str,
        model: str,
        type: Literal["virtual"] | None = None,
        description: str | None = None,
        language: RobotLanguage | None = None,
        voice: RobotVoice | None = None,
        timeout_s: float | None = None,
    ) -> CreatedRobot:
        """Makes a virtual robot, claimed for the caller; no other `type` is made.

        Its PIN is told once, in the result; printing that does not show it.
        """
        fields = {
            "name": name,
            "model": model,
            "type": type,
            "description": description,
            "language": language,
            "voice": voice,
        }
        return await self._sender.send(_calls.create_robot(fields, timeout_s))

    async def update(
        self,
        robot_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        language: RobotLanguage | None = None,
        voice: RobotVoice | None = None,
        timeout_s: float | None = None,
    ) -> Robot:
        """Changes what is given and leaves the rest as it is."""
        fields = {"name": name, "description": description, "language": language, "voice": voice}
        return await self._sender.send(_calls.update_robot(robot_id, fields, timeout_s))

    async def delete(self, robot_id: str, *, timeout_s: float | None = None) -> None:
        """Gives a robot up; a virtual one is gone."""
        await self._sender.send(_calls.delete_robot(robot_id, timeout_s))

    async def claim(self, robot_id: str, pin_code: str, *, timeout_s: float | None = None) -> Robot:
        """Takes a physical robot with its PIN."""
        return await self._sender.send(_calls.claim_robot(robot_id, pin_code, timeout_s))

    async def create_session(
        self,
        robot_id: str,
        *,
        worker_names: Sequence[str] | None = None,
        workers: WorkerConfig | None = None,
        environment_id: str | None = None,
        scene_id: str | None = None,
        timeout_s: float | None = None,
    ) -> Session:
        """Opens the robot's session, or joins the one there is.

        `worker_names` are the agents to dispatch: `[]` none (a simulator's tab fills the place), names these, None the
        platform's default. `workers` is deprecated and has no effect. `environment_id` raises
        PlatformNotAvailableError.

        `scene_id` is the scene that the session is for, such as `kitchen`: a simulated robot opens there when it comes
        into the room. One that is in the room already stays in its scene; call its skill `select_scene`.
        """
        _calls.refuse_blocked("environment_id", environment_id)
        if workers is not None:
            warn_of_workers(stacklevel=3)
        return await self._sender.send(_calls.create_session(robot_id, worker_names, scene_id, timeout_s))

    async def delete_session(self, robot_id: str, *, timeout_s: float | None = None) -> None:
        """Closes the robot's room and puts everyone out."""
        await self._sender.send(_calls.delete_session(robot_id, timeout_s))

    async def get_session(self, robot_id: str, *, timeout_s: float | None = None) -> SessionState:
        """How the robot's session is just now: who is in its room, whether the runtime is there and what it does.

        Looking changes nothing.
        """
        return await self._sender.send(_calls.get_session(robot_id, timeout_s))

    async def list_sessions(
        self, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None
    ) -> SessionPage:
        """One page of the sessions of all robots, each as `get_session` tells it; `limit` is 1 to 100, by default 20.

        A robot without a session is not among them, and a state may be two seconds old.
        """
        return await self._sender.send(_calls.list_sessions(limit, after_id, timeout_s))

    async def create_participant_token(
        self,
        robot_id: str,
        *,
        participant_identity: str,
        participant_name: str | None = None,
        ttl_seconds: int | None = None,
        access: Access | None = None,
        timeout_s: float | None = None,
    ) -> ParticipantToken:
        """A credential for the open session; it lives `ttl_seconds`: 4 hours, 6 at most. With `access="watch"` it only sees."""
        fields = {
            "participant_identity": participant_identity,
            "participant_name": participant_name,
            "ttl_seconds": ttl_seconds,
            "access": access,
        }
        return await self._sender.send(_calls.create_participant_token(robot_id, fields, timeout_s))

    async def list_links(
        self, robot_id: str, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None
    ) -> LinkPage:
        """One page of the valid links of the robot's session: what each allows, and until when; `limit` is 1 to 100, by
        default 20.

        Without a session there are none.
        """
        return await self._sender.send(_calls.list_links(robot_id, limit, after_id, timeout_s))

    async def revoke_link(self, robot_id: str, link_id: str, *, timeout_s: float | None = None) -> None:
        """Revokes a link by its id: it gives no place and no grant any more, and its pages leave the room within seconds.

        Raises:
            PlatformAPIError: `link.not_found`.
        """
        await self._sender.send(_calls.revoke_link(robot_id, link_id, timeout_s))

    async def create_control_grant(
        self,
        robot_id: str,
        *,
        public_key: Mapping[str, str],
        holder: str | None = None,
        ttl_seconds: int | None = None,
        timeout_s: float | None = None,
    ) -> ControlGrant:
        """Leave to send signed calls to the robot in its session, for programs that sign on their own; `connect` does it
        itself.

        `public_key` is an Ed25519 key as a JWK, whose private half signs the calls and stays with its holder; `holder` is who
        signs, as the robot names them. A grant lives one hour where no `ttl_seconds` is given, six at most.
        """
        fields = {"public_key": dict(public_key), "holder": holder, "ttl_seconds": ttl_seconds}
        return await self._sender.send(_calls.create_control_grant(robot_id, fields, timeout_s))

    async def emergency_stop(
        self, robot_id: str, reason: str | None = None, *, timeout_s: float | None = None
    ) -> EmergencyStopResult:
        """Presses the emergency stop of a robot, without joining its room.

        It latches at the service and at each runtime in the robot's room, also at one that comes later; only a person at the
        robot's page releases it. It is repeated until it is answered. `stands` of the answer says whether the robot is known to
        stand.
        """
        return await self._sender.send(_calls.emergency_stop(robot_id, reason, timeout_s))

    async def take_control(
        self,
        robot_id: str,
        *,
        to: str,
        name: str | None = None,
        kind: DriverKind | None = None,
        timeout_s: float | None = None,
    ) -> ControlOrderResult:
        """Orders, as the owner, who drives the robot from now on, from whoever does, without joining the room.

        `to` is the identity of a participant in the room, `name` is shown to others. What the former driver had running ends
        with `NOT_CONTROLLER`, the robot stands, and all in its room are told. The new driver renews the lease as any other,
        so `session.take_control(over=True)` is the way to drive oneself. Repeating is safe.

        Raises:
            PlatformAPIError: `control.no_driver`, nobody of that identity is in the room; `control.unsupported`, the runtime is
                of an older version; 504 `control.unanswered`, it did not say in time that it obeyed.
        """
        return await self._sender.send(_calls.order_control(robot_id, to, name, kind, timeout_s))

    async def release_control(self, robot_id: str, *, timeout_s: float | None = None) -> ControlOrderResult:
        """Orders, as the owner, that nobody drives any more: whoever calls commands then, and may take the robot.

        Raises:
            PlatformAPIError: as `take_control`.
        """
        return await self._sender.send(_calls.order_control(robot_id, None, None, None, timeout_s))

    async def send_semantic_command(self, robot_id: str, command: SemanticCommand, *, timeout_s: float | None = None) -> None:
        """A short move, without joining the room; it ends before the answer comes."""
        await self._sender.send(_calls.send_semantic_command(robot_id, command, timeout_s))

    async def send_session_command(
        self,
        robot_id: str,
        skill: str,
        parameters: Mapping[str, object] | None = None,
        *,
        action_id: str | None = None,
        deadline_s: float | None = None,
        timeout_s: float | None = None,
    ) -> ActionResult:
        """Runs a skill of the runtime in the robot's session, without joining the room, and gives the end of the action.

        The platform waits for it, so a skill that takes longer than the client's time limit needs `timeout_s`. It is sent once,
        whatever happens; the same `action_id` never runs twice. After `deadline_s` the runtime stops the action itself.

        Raises:
            RcwRuntimeError: it did not become an action.
            PlatformAPIError: 409 without a session or a runtime; 504 when the runtime does not answer, and it may still run.
            TimeoutError: no answer in time; its `action_id` says which action may still run.
        """
        return await self._sender.send(
            _calls.send_session_command(robot_id, skill, parameters, action_id, deadline_s, timeout_s)
        )
