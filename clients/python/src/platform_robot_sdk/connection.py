"""A robot live in its room: `connect` and its result."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ._calls import refuse_blocked
from ._joining import Connecting, join, notice_of
from ._short_errors import short_errors
from ._tokens import claims_of, identity_in, required_identity
from .client import AsyncClient, Client, async_twin
from .errors import PlatformAPIError, PlatformSDKError
from .models.driver import DriverKind
from .models.http import ControlGrant, Session
from .realtime.action import Action
from .realtime.callbacks import ConnectCallbacks, Notifier
from .realtime.livekit_transport import load_transport
from .realtime.room_link import RoomLink
from .realtime.session import PlatformSession, SessionParts
from .realtime.signing import ControlSigner, SignControl
from .realtime.targets import Place
from .realtime.transport import RoomTransport
from .realtime.upper_body import STANDING_POSE, ArmPose, UpperBodyStream
from .realtime.vision import Vision
from .realtime.waiting import give_up, random_id
from .workers import WorkerConfig, warn_of_workers

__all__ = [
    "STANDING_POSE",
    "Action",
    "ArmPose",
    "ConnectCallbacks",
    "Place",
    "PlatformSession",
    "SignControl",
    "UpperBodyStream",
    "Vision",
    "connect",
]

# Longest name in an identity, so that the robot shows the whole identity.
_SHOWN_NAME_LENGTH = 40
# A session counts as opened by the call that got its token within this time of its start.
_FRESH_S = 5.0
# Longest wait for the answer to an opening that was given up.
_UNDO_S = 5.0

_log = logging.getLogger("platform_robot_sdk")


def connect(
    client: AsyncClient | Client,
    robot_id: str,
    *,
    worker_names: Sequence[str] | None = None,
    rcw_identity_prefix: str = "simplesim",
    join_livekit: bool = True,
    callbacks: ConnectCallbacks | None = None,
    runtime_call_timeout_s: float = 60.0,
    keep_session: bool | None = None,
    sign_control: SignControl = "auto",
    name: str | None = None,
    control_holder: str | None = None,
    return_refusals: bool = False,
    workers: WorkerConfig | None = None,
    environment_id: str | None = None,
    scene_id: str | None = None,
    transport: Callable[[], RoomTransport] | None = None,
) -> Connecting:
    """Opens the robot's session and joins its room.

    Await it for the session, or enter it with `async with`, which disconnects at the end of the block.

    Args:
        client: an `AsyncClient`, or a `Client`, for which an async twin with the same settings is made.
        robot_id: the robot.
        worker_names: agents to dispatch: `[]` none (a simulator's tab takes the place), names: these agents, None: the
            platform's default.
        rcw_identity_prefix: prefix of the runtime's identity in the room; for a physical robot's worker: `rcw`.
        join_livekit: whether to join the room, for skills, state and pictures; needs the extra `realtime`.
        callbacks: callbacks for the session's events.
        runtime_call_timeout_s: timeout of a call to the runtime if the call sets none.
        keep_session: the default of `disconnect`: True leaves the session, its room and the viewer in place; False ends
            them. None means False for a session that this call opened, and True for one that was already open, because
            others may be in it.
        sign_control: whether skill calls and cancels are signed. `auto` signs for a worker (`rcw-…`) and for any runtime
            that rejects unsigned calls. The session uses a key pair and grants of its own.
        name: the name that others in the room see, including the robot's page. It distinguishes two programs. At most 256
            characters. None means "client". A given name costs a request for a participant token.
        control_holder: the name under which calls are signed; the robot and its page show it. None means the `name`, or
            "client".
        return_refusals: whether `invoke`, `start` and the shortcuts return a refusal (`BUSY`, `UNKNOWN_ENTITY`, `NOT_READY`
            …) as a failed result, as `try_invoke` always does. Otherwise they raise the refusal as `RcwRuntimeError`. A
            timeout is always raised.
        workers: deprecated; has no effect on dispatch.
        environment_id: not available.
        scene_id: the scene that the session is for, such as `kitchen`. A simulated robot opens that scene when it joins the
            room. A robot that is already in the room stays in its scene; call its skill `select_scene`.
        transport: creates the room, in tests.

    Raises:
        PlatformAPIError, PlatformConnectionError, TimeoutError: as the platform answers. If the room cannot be joined, a
            session that this call opened is deleted again. A session that was already open stays, with all its
            participants.
        PlatformNotAvailableError: for a blocked option.
    """
    refuse_blocked("environment_id", environment_id)
    if workers is not None:
        warn_of_workers(stacklevel=3)
    order = _Order(
        client=client,
        robot_id=robot_id,
        worker_names=worker_names,
        scene_id=scene_id,
        prefix=rcw_identity_prefix,
        transport=(transport or load_transport) if join_livekit else None,
        callbacks=callbacks or ConnectCallbacks(),
        call_timeout_s=runtime_call_timeout_s,
        keep_session=keep_session,
        sign_control=sign_control,
        name=name,
        control_holder=name if control_holder is None else control_holder,
        return_refusals=return_refusals,
    )
    return Connecting(_open(order))


@dataclass(frozen=True)
class _Order:
    client: AsyncClient | Client
    robot_id: str
    worker_names: Sequence[str] | None
    scene_id: str | None
    prefix: str
    transport: Callable[[], RoomTransport] | None
    callbacks: ConnectCallbacks
    call_timeout_s: float
    keep_session: bool | None
    sign_control: SignControl
    name: str | None
    control_holder: str | None
    return_refusals: bool


@short_errors
async def _open(order: _Order) -> PlatformSession:
    # Loaded first: if LiveKit's package is missing, there is no session to roll back.
    room = None if order.transport is None else order.transport()
    client = order.client if isinstance(order.client, AsyncClient) else async_twin(order.client)

    async def close() -> None:
        if client is not order.client:
            await client.aclose()

    opening = asyncio.ensure_future(
        client.robots.create_session(order.robot_id, worker_names=order.worker_names, scene_id=order.scene_id)
    )
    try:
        opened = await asyncio.shield(opening)
    except BaseException:
        await asyncio.shield(asyncio.ensure_future(_undo(client, order.robot_id, opening, close)))
        raise

    async def order_self(name: str | None, kind: DriverKind | None, timeout_s: float) -> None:
        to = required_identity(token)
        await client.robots.take_control(order.robot_id, to=to, name=name, kind=kind, timeout_s=timeout_s)

    async def roll_back() -> None:
        await asyncio.shield(asyncio.ensure_future(_roll_back(client, order.robot_id, opened, close)))

    token = opened.participant_token
    if room is not None:
        try:
            token = await _token_under_name(client, order, opened)
        except BaseException:
            await roll_back()
            raise
    notifier = Notifier()
    signer = None if room is None else ControlSigner(order.sign_control, _grants_of(client, order))
    link = None if room is None else RoomLink(room, order.prefix, signer, notice_of(order.callbacks, notifier))
    # The handler of the streams is set before the join, so no picture is missed.
    session = PlatformSession(
        SessionParts(
            robot_id=order.robot_id,
            room_name=opened.room_name,
            identity=None if link is None else identity_in(token),
            livekit_url=opened.livekit_url,
            room_metadata=opened.room_metadata,
            link=link,
            signer=signer,
            call_timeout_s=order.call_timeout_s,
            keep_session=not _is_opened_now(opened) if order.keep_session is None else order.keep_session,
            return_refusals=order.return_refusals,
            callbacks=order.callbacks,
            notifier=notifier,
            end_session=lambda: _delete_if_there(client, order.robot_id),
            order_self=order_self,
            press_over_http=lambda reason, left_s: client.robots.emergency_stop(order.robot_id, reason, timeout_s=left_s),
            close=close,
        )
    )
    if link is not None:
        try:
            await join(link, opened.livekit_url, token)
        except BaseException:
            await roll_back()
            raise
    return session


async def _token_under_name(client: AsyncClient, order: _Order, opened: Session) -> str:
    """Returns a token with the program's name. The session's own token has no name."""
    if order.name is None:
        return opened.participant_token
    place = await client.robots.create_participant_token(
        order.robot_id, participant_identity=_identity_of(order.name), participant_name=order.name
    )
    return place.participant_token


def _identity_of(name: str) -> str:
    """Returns a unique identity. It contains the name, because the robot names its callers by their identities."""
    letters = re.sub(r"[^a-z0-9]+", "-", name.lower())[:_SHOWN_NAME_LENGTH].strip("-")
    return random_id(f"client-{letters}" if letters else "client")


def _grants_of(client: AsyncClient, order: _Order) -> Callable[[Mapping[str, str]], Awaitable[ControlGrant]]:
    async def fetch(public_key: Mapping[str, str]) -> ControlGrant:
        return await client.robots.create_control_grant(order.robot_id, public_key=public_key, holder=order.control_holder)

    return fetch


def _is_opened_now(session: Session) -> bool:
    """Whether the call that got this answer opened the session, as opposed to finding it open."""
    return session.is_new if session.is_new is not None else _is_fresh(session)


async def _roll_back(client: AsyncClient, robot_id: str, opened: Session, close: Callable[[], Awaitable[None]]) -> None:
    """Deletes the session if this call opened it. An error here is only logged, because an earlier error is being raised."""
    try:
        if _is_opened_now(opened):
            await _delete_if_there(client, robot_id)
    except (PlatformSDKError, TimeoutError) as error:
        _log.warning("the session could not be deleted: %s", type(error).__name__)
    finally:
        await close()


async def _undo(
    client: AsyncClient, robot_id: str, opening: asyncio.Task[Session], close: Callable[[], Awaitable[None]]
) -> None:
    """Cleans up after an opening that failed or was given up. The service may have opened the session, and soon answers so."""
    await asyncio.wait({opening}, timeout=_UNDO_S)
    if not opening.done():
        await give_up(opening)
    if opening.cancelled() or opening.exception() is not None:
        await close()
    else:
        await _roll_back(client, robot_id, opening.result(), close)


async def _delete_if_there(client: AsyncClient, robot_id: str) -> None:
    try:
        await client.robots.delete_session(robot_id)
    except PlatformAPIError as error:
        if error.status_code != 404:
            raise


def _is_fresh(opened: Session) -> bool:
    """Whether this call opened the session, for a service that does not report it.

    The service stamps the session's start and the token's issue with the same clock.
    """
    try:
        issued = claims_of(opened.participant_token)["nbf"]
        return float(issued) - datetime.fromisoformat(opened.room_metadata.created_at).timestamp() < _FRESH_S
    except (ValueError, KeyError, TypeError):
        return True
