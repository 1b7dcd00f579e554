"""The robots of the key's owner."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Literal

from .. import _calls
from .._calls import Access, SemanticCommand
from .._senders import AsyncSender
from ..models.actions import ActionResult
from ..models.driver import DriverKind
from ..models.http import (
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
from ..workers import WorkerConfig, warn_of_workers


class AsyncRobots:
    """The robots of the key's owner.

    Each method accepts `timeout_s`, the longest wait for one answer, instead of the client's.
    """

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def __repr__(self) -> str:
        return "AsyncRobots()"

    async def list(self, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None) -> RobotPage:
        """Reads one page, oldest robots first; `limit` is 1 to 100, 20 by default."""
        return await self._sender.send(_calls.list_robots(limit, after_id, timeout_s))

    async def iter(self, *, limit: int | None = None, timeout_s: float | None = None) -> AsyncIterator[Robot]:
        """Yields all robots, and reads each page when it is needed; `limit` is the number of robots on a page, 100 by
        default.

        Raises PlatformSDKError when the service returns pages without end.
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
        """Reads one robot."""
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
        """Creates a virtual robot, claimed for the caller; other values of `type` are not supported.

        The PIN is shown only in this answer. Printing the result does not show it.
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
        """Changes the given fields and leaves the others unchanged."""
        fields = {"name": name, "description": description, "language": language, "voice": voice}
        return await self._sender.send(_calls.update_robot(robot_id, fields, timeout_s))

    async def delete(self, robot_id: str, *, timeout_s: float | None = None) -> None:
        """Deletes a virtual robot, or releases a physical one. If it has a session, the session is closed."""
        await self._sender.send(_calls.delete_robot(robot_id, timeout_s))

    async def claim(self, robot_id: str, pin_code: str, *, timeout_s: float | None = None) -> Robot:
        """Claims a physical robot with its PIN."""
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
        """Opens the robot's session, or joins the open one.

        `worker_names` are the agents to dispatch: `[]` none (a simulator's tab takes the place), names: these agents, None:
        the platform's default. `workers` is deprecated and has no effect. `environment_id` raises
        PlatformNotAvailableError.

        `scene_id` is the scene that the session is for, such as `kitchen`. A simulated robot opens that scene when it joins
        the room. A robot that is already in the room stays in its scene; call its skill `select_scene`.
        """
        _calls.refuse_blocked("environment_id", environment_id)
        if workers is not None:
            warn_of_workers(stacklevel=3)
        return await self._sender.send(_calls.create_session(robot_id, worker_names, scene_id, timeout_s))

    async def delete_session(self, robot_id: str, *, timeout_s: float | None = None) -> None:
        """Closes the robot's room and disconnects everyone in it."""
        await self._sender.send(_calls.delete_session(robot_id, timeout_s))

    async def get_session(self, robot_id: str, *, timeout_s: float | None = None) -> SessionState:
        """Returns the current state of the robot's session: the participants, and the runtime's presence and activity.

        Changes nothing.
        """
        return await self._sender.send(_calls.get_session(robot_id, timeout_s))

    async def list_sessions(
        self, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None
    ) -> SessionPage:
        """Reads one page of the sessions of all robots, each as `get_session` returns it; `limit` is 1 to 100, 20 by
        default.

        A robot without a session is not listed, and a state may be 2 s old.
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
        """Creates another credential for the open session; it lives `ttl_seconds`: 4 hours, 6 at most. `access="watch"` may
        only view.
        """
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
        """Reads one page of the valid links of the robot's session: what each allows, and until when; `limit` is 1 to 100,
        20 by default.

        Empty if no session is open.
        """
        return await self._sender.send(_calls.list_links(robot_id, limit, after_id, timeout_s))

    async def revoke_link(self, robot_id: str, link_id: str, *, timeout_s: float | None = None) -> None:
        """Revokes a link by its id. It gives no further access or grants, and its pages leave the room within seconds.

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
        """Creates a grant for signed calls to the robot in its session, for programs that sign on their own; `connect` does
        this automatically.

        `public_key` is an Ed25519 key as a JWK; its private half signs the calls and stays with its holder. `holder` is the
        signer's name; the robot shows it. A grant lives `ttl_seconds`: one hour by default, six at most.
        """
        fields = {"public_key": dict(public_key), "holder": holder, "ttl_seconds": ttl_seconds}
        return await self._sender.send(_calls.create_control_grant(robot_id, fields, timeout_s))

    async def emergency_stop(
        self, robot_id: str, reason: str | None = None, *, timeout_s: float | None = None
    ) -> EmergencyStopResult:
        """Presses the emergency stop of a robot without joining its room.

        The stop latches at the service and at each runtime in the robot's room, also at one that joins later. Only a person
        at the robot's page releases it. The request is repeated until it is answered. `stands` of the answer is True if the
        robot is known to stand.
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
        """Orders, as the owner, who drives the robot from now on, without joining the room.

        `to` is the identity of a participant in the room, `name` is shown to others. The current driver loses the lease:
        its actions end with `NOT_CONTROLLER`, the robot stands, and all participants are notified. The new driver must
        renew the lease as usual, so use `session.take_control(over=True)` to drive in this session. Safe to repeat.

        Raises:
            PlatformAPIError: `control.no_driver`, no participant has that identity; `control.unsupported`, the runtime is
                older; 504 `control.unanswered`, the runtime did not confirm the order in time.
        """
        return await self._sender.send(_calls.order_control(robot_id, to, name, kind, timeout_s))

    async def release_control(self, robot_id: str, *, timeout_s: float | None = None) -> ControlOrderResult:
        """Orders, as the owner, that no one drives. Any participant may then command or take the robot.

        Raises:
            PlatformAPIError: as `take_control`.
        """
        return await self._sender.send(_calls.order_control(robot_id, None, None, None, timeout_s))

    async def send_semantic_command(self, robot_id: str, command: SemanticCommand, *, timeout_s: float | None = None) -> None:
        """Makes a short move, a step or a turn, without joining the room. The move ends before the answer comes."""
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
        """Runs a skill of the runtime in the robot's session, without joining the room, and returns the end of the action.

        The platform waits for the end: set `timeout_s` for a skill that takes longer than the client's timeout. The request
        is sent only once; the same `action_id` never runs twice. After `deadline_s` the runtime stops the action itself.

        Raises:
            RcwRuntimeError: the call did not become an action.
            PlatformAPIError: 409 without a session or a runtime; 504 when the runtime does not answer and the action may
                still run.
            TimeoutError: no answer came in time; `action_id` names the action, which may still run.
        """
        return await self._sender.send(
            _calls.send_session_command(robot_id, skill, parameters, action_id, deadline_s, timeout_s)
        )
