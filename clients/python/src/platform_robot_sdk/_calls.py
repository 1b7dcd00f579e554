"""The operations of the service as data: what both clients send, and how both read the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal
from urllib.parse import quote

from ._http import Call, unfit_id
from .errors import PlatformNotAvailableError, PlatformSDKError
from .models.actions import ActionResult
from .models.http import (
    ApiKeyPage,
    ControlGrant,
    ControlOrderResult,
    CreatedApiKey,
    CreatedRobot,
    EmergencyStopResult,
    LinkPage,
    ParticipantToken,
    Robot,
    RobotPage,
    Session,
    SessionPage,
    SessionState,
)
from .realtime.waiting import random_id
from .realtime.wire import read_action_result, skill_parameters

LIST_MAX_LIMIT = 100
Access = Literal["drive", "watch"]
SemanticCommand = Literal["forward", "backward", "left", "right", "turn-left", "turn-right"]

_ROBOT = Robot.model_validate
_CREATED = CreatedRobot.model_validate
_PAGE = RobotPage.model_validate
_SESSION = Session.model_validate
_TOKEN = ParticipantToken.model_validate
_GRANT = ControlGrant.model_validate
_ORDERED = ControlOrderResult.model_validate
_STOPPED = EmergencyStopResult.model_validate
_STATE = SessionState.model_validate
_SESSIONS = SessionPage.model_validate
_LINKS = LinkPage.model_validate
_KEYS = ApiKeyPage.model_validate
_KEY = CreatedApiKey.model_validate
_PRESS_S = 10.0


def list_robots(limit: int | None, after_id: str | None, timeout_s: float | None) -> Call[RobotPage]:
    return Call("GET", "/v1/robots", _PAGE, query=_page_query(limit, after_id), timeout_s=timeout_s)


def get_robot(robot_id: str, timeout_s: float | None) -> Call[Robot]:
    return Call("GET", robot_path(robot_id), _ROBOT, timeout_s=timeout_s)


def create_robot(fields: Mapping[str, object], timeout_s: float | None) -> Call[CreatedRobot]:
    return Call("POST", "/v1/robots", _CREATED, body=given(fields), timeout_s=timeout_s)


def update_robot(robot_id: str, fields: Mapping[str, object], timeout_s: float | None) -> Call[Robot]:
    return Call("PATCH", robot_path(robot_id), _ROBOT, body=given(fields), timeout_s=timeout_s)


def delete_robot(robot_id: str, timeout_s: float | None) -> Call[None]:
    return Call("DELETE", robot_path(robot_id), _nothing, has_answer=False, timeout_s=timeout_s)


def claim_robot(robot_id: str, pin_code: str, timeout_s: float | None) -> Call[Robot]:
    return Call("POST", robot_path(robot_id, "claim"), _ROBOT, body={"pin_code": pin_code}, timeout_s=timeout_s)


def create_session(
    robot_id: str, worker_names: Sequence[str] | None, scene_id: str | None, timeout_s: float | None
) -> Call[Session]:
    if isinstance(worker_names, str):
        raise TypeError("worker_names is a list of names, not one name. Put it into a list.")
    body = given({"worker_names": None if worker_names is None else list(worker_names), "scene_id": scene_id})
    return Call("POST", robot_path(robot_id, "session"), _SESSION, body=body, timeout_s=timeout_s)


def delete_session(robot_id: str, timeout_s: float | None) -> Call[None]:
    return Call("DELETE", robot_path(robot_id, "session"), _nothing, has_answer=False, timeout_s=timeout_s)


def get_session(robot_id: str, timeout_s: float | None) -> Call[SessionState]:
    return Call("GET", robot_path(robot_id, "session"), _STATE, timeout_s=timeout_s)


def list_sessions(limit: int | None, after_id: str | None, timeout_s: float | None) -> Call[SessionPage]:
    return Call("GET", "/v1/sessions", _SESSIONS, query=_page_query(limit, after_id), timeout_s=timeout_s)


def list_api_keys(limit: int | None, after_id: str | None, timeout_s: float | None) -> Call[ApiKeyPage]:
    return Call("GET", "/v1/api-keys", _KEYS, query=_page_query(limit, after_id), timeout_s=timeout_s)


def create_api_key(name: str, ttl_seconds: int | None, timeout_s: float | None) -> Call[CreatedApiKey]:
    return Call("POST", "/v1/api-keys", _KEY, body=given({"name": name, "ttl_seconds": ttl_seconds}), timeout_s=timeout_s)


def revoke_api_key(key_id: str, timeout_s: float | None) -> Call[None]:
    return Call("DELETE", f"/v1/api-keys/{_id_in_path(key_id, 'key')}", _nothing, has_answer=False, timeout_s=timeout_s)


def create_participant_token(robot_id: str, fields: Mapping[str, object], timeout_s: float | None) -> Call[ParticipantToken]:
    return Call("POST", robot_path(robot_id, "session/participant-token"), _TOKEN, body=given(fields), timeout_s=timeout_s)


def list_links(robot_id: str, limit: int | None, after_id: str | None, timeout_s: float | None) -> Call[LinkPage]:
    path = robot_path(robot_id, "session/links")
    return Call("GET", path, _LINKS, query=_page_query(limit, after_id), timeout_s=timeout_s)


def revoke_link(robot_id: str, link_id: str, timeout_s: float | None) -> Call[None]:
    path = robot_path(robot_id, f"session/links/{_id_in_path(link_id, 'link')}")
    return Call("DELETE", path, _nothing, has_answer=False, timeout_s=timeout_s)


def create_control_grant(robot_id: str, fields: Mapping[str, object], timeout_s: float | None) -> Call[ControlGrant]:
    return Call("POST", robot_path(robot_id, "session/control-grant"), _GRANT, body=given(fields), timeout_s=timeout_s)


def order_control(
    robot_id: str, to: str | None, name: str | None, kind: str | None, timeout_s: float | None
) -> Call[ControlOrderResult]:
    body = {"to": to, **given({"name": name, "kind": kind})}
    return Call("POST", robot_path(robot_id, "session/control"), _ORDERED, body=body, timeout_s=timeout_s)


def send_semantic_command(robot_id: str, command: SemanticCommand, timeout_s: float | None) -> Call[None]:
    body = {"command": command}
    return Call("POST", robot_path(robot_id, "semantic-command"), _accepted, body=body, timeout_s=timeout_s)


def send_session_command(
    robot_id: str,
    skill: str,
    parameters: Mapping[str, object] | None,
    action_id: str | None,
    deadline_s: float | None,
    timeout_s: float | None,
) -> Call[ActionResult]:
    action_id = random_id("act") if action_id is None else action_id
    named = skill_parameters(skill, parameters)
    body = given({"skill": skill, "parameters": named, "action_id": action_id, "deadline_s": deadline_s})
    path = robot_path(robot_id, "session/command")
    return Call("POST", path, read_action_result, body=body, timeout_s=timeout_s, action_id=action_id)


def emergency_stop(robot_id: str, reason: str | None, timeout_s: float | None) -> Call[EmergencyStopResult]:
    repeat_s = _PRESS_S if timeout_s is None else timeout_s
    path = robot_path(robot_id, "emergency-stop")
    return Call("POST", path, _STOPPED, body=given({"reason": reason}), timeout_s=repeat_s, repeat_s=repeat_s)


def refuse_blocked(feature: str, value: object) -> None:
    """Raises PlatformNotAvailableError when the caller asks for a blocked feature."""
    if value is not None:
        raise PlatformNotAvailableError(
            feature, "the platform chooses it; a simulated robot's scene is chosen by scene_id, or by its skill select_scene"
        )


def robot_path(robot_id: str, rest: str | None = None) -> str:
    # An empty id, or one of dots, would address another resource.
    if not robot_id or robot_id in (".", ".."):
        raise ValueError("The robot id is empty. Pass the id of a robot.")
    try:
        return f"/v1/robots/{quote(robot_id, safe='')}" + ("" if rest is None else f"/{rest}")
    except UnicodeError:
        raise unfit_id() from None


def _id_in_path(resource_id: str, what: str) -> str:
    """Returns the id as a part of an address. An empty id, or one of dots, would address another resource."""
    if not resource_id or resource_id in (".", ".."):
        raise ValueError(f"The {what} id is empty. Pass the id of a {what}, as the list has it.")
    try:
        return quote(resource_id, safe="")
    except UnicodeError:
        raise unfit_id() from None


def _page_query(limit: int | None, after_id: str | None) -> dict[str, str]:
    return {name: str(value) for name, value in (("limit", limit), ("after_id", after_id)) if value is not None}


class PagesRead:
    """The pages of a list that were read, to detect a list without end.

    In a list of the service only the last page may be empty, and each page comes once, because the ids only increase.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._next_ids: set[str] = set()

    def id_after(self, page: RobotPage | ApiKeyPage) -> str | None:
        """Returns the `after_id` of the next page; None after the last page.

        Raises PlatformSDKError when a page comes twice, or when another page follows an empty one.
        """
        next_id = page.next_id
        if not next_id:
            return None
        if not (page.robots if isinstance(page, RobotPage) else page.keys):
            raise _endless(self._path, "an empty page names a next one")
        if next_id in self._next_ids:
            raise _endless(self._path, "it names a page that was read already")
        self._next_ids.add(next_id)
        return next_id


def _endless(path: str, problem: str) -> PlatformSDKError:
    return PlatformSDKError(
        f"GET {path}: the list does not end, {problem}. Check that PLATFORM_RCS_URL (rcs_url) names the control service."
    )


def given(fields: Mapping[str, object]) -> dict[str, object]:
    """Returns the fields that were passed."""
    return {name: value for name, value in fields.items() if value is not None}


def _nothing(answer: object) -> None:
    """Reads the answer of an operation whose answer has no content."""


def _accepted(answer: object) -> None:
    # Any server may answer with 200 and a page; such an answer does not confirm the move.
    if not isinstance(answer, dict) or "code" not in answer:
        raise ValueError("not the answer of a service")
