"""The models of the HTTP part against the service's description of its own schemas, so that they change only together."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from pydantic import BaseModel, ValidationError

import platform_robot_sdk
from platform_double import API_KEY_ROW, GRANT, PARTICIPANT, ROBOT, SESSION, STATE
from platform_robot_sdk.models import (
    ActionResult,
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

# The description contains the service's current answers. The models also read those of older services, and ignore what the
# library reads elsewhere. Every place where they accept more is listed here; everywhere else they accept the same.
TAKES_MORE = {
    "RobotPage.next_id": "older services leave it out on the last page",
    "RobotPage.total": "older services do not count",
    "Session.is_new": "older services do not report it",
    "ParticipantToken.link_id": "older services do not report it",
    "EmergencyStopResult.stored": "older services do not report it",
    "Session.room_metadata.control_keys": "older services have none; those who sign read the keys themselves",
    "Session.room_metadata.dispatches.*.id": "only that it is an object is promised",
    "ActionResult.result": "each skill has a result of its own",
    "ActionResult.error": "a runtime may have codes of its own, and no other fields",
    "ActionResult.meta.started_at_ms": "a runtime may give the id alone",
    "ActionResult.meta.finished_at_ms": "a runtime may give the id alone",
    "ActionResult.meta.duration_ms": "a runtime may give the id alone",
    "ActionResult.meta.degraded": "null is as good as absent",
    "ActionResult.meta.note": "null is as good as absent",
}
PROBES: list[Any] = [None, "", "text", "2026-01-02T03:04:05Z", 0, 3, -1.5, True, [], ["text"], [3], {}, {"a": 1}, {"a": {}}]
ABSENT = object()
ACTION = {
    "status": "done",
    "result": {"held": "cube_0"},
    "meta": {"action_id": "act-1", "started_at_ms": 1, "finished_at_ms": 4, "duration_ms": 3, "degraded": True, "note": "slow"},
}
DESCRIPTION = json.loads(files(platform_robot_sdk).joinpath("openapi.json").read_text(encoding="utf-8"))
FULL_SESSION = {
    **SESSION,
    "room_metadata": {
        **SESSION["room_metadata"],
        "dispatches": {"greeter": {"id": "dispatch-1"}},
        "dispatched_agent_names": ["greeter"],
        "scene_id": "warehouse",
        "control_keys": {"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "A" * 43}]},
    },
}
# For every operation with an answer: its place in the description, the model that reads it, and a complete answer.
STOPPED: dict[str, Any] = {
    "robot_id": "robot-1",
    "emergency_stop": {"by": "over HTTP", "since_ms": 1_767_000_000_000, "reason": "smoke"},
    "stands": True,
    "stored": True,
    "runtimes": [{"identity": "simplesim:robot-1", "stands": True, "after_ms": 410, "problem": None}],
}
DRIVER = {"identity": "client:olga", "name": "Olga", "kind": "person", "since_ms": 1_767_000_000_000}
ORDERED: dict[str, Any] = {"robot_id": "robot-1", "driver": DRIVER, "previous": {**DRIVER, "identity": None}}
LINK: dict[str, Any] = {
    "id": "link-1",
    "access": "drive",
    "participant_identity": "operator-1",
    "participant_name": "Ada",
    "created_at": "2026-01-05T09:30:00.000Z",
    "expires_at": "2026-01-05T13:30:00.000Z",
}
ANSWERS: dict[str, tuple[type[BaseModel], dict[str, Any]]] = {
    "get /v1/robots": (RobotPage, {"robots": [ROBOT], "next_id": "robot-1", "total": 7}),
    "post /v1/robots": (CreatedRobot, {"robot": ROBOT, "pin_code": "4711"}),
    "get /v1/robots/{robot_id}": (Robot, ROBOT),
    "patch /v1/robots/{robot_id}": (Robot, ROBOT),
    "post /v1/robots/{robot_id}/claim": (Robot, ROBOT),
    "post /v1/robots/{robot_id}/session": (Session, FULL_SESSION),
    "get /v1/robots/{robot_id}/session": (SessionState, STATE),
    "get /v1/sessions": (SessionPage, {"sessions": [STATE], "next_id": "robot-1", "total": 7}),
    "get /v1/robots/{robot_id}/session/links": (LinkPage, {"links": [LINK], "next_id": "link-1", "total": 7}),
    "get /v1/api-keys": (ApiKeyPage, {"keys": [API_KEY_ROW], "next_id": "key-1", "total": 7}),
    "post /v1/api-keys": (CreatedApiKey, {"key": API_KEY_ROW, "api_key": "sk_live_x"}),
    "post /v1/robots/{robot_id}/session/participant-token": (ParticipantToken, {**PARTICIPANT, "link_id": "link-1"}),
    "post /v1/robots/{robot_id}/session/control-grant": (ControlGrant, GRANT),
    "post /v1/robots/{robot_id}/session/command": (ActionResult, ACTION),
    "post /v1/robots/{robot_id}/session/control": (ControlOrderResult, ORDERED),
    "post /v1/robots/{robot_id}/emergency-stop": (EmergencyStopResult, STOPPED),
}
# The answer has no content, so no model reads it.
WITHOUT_MODEL = {"post /v1/robots/{robot_id}/semantic-command"}
each_answer = pytest.mark.parametrize("operation", ANSWERS)


def words_in(schema: object) -> set[str]:
    """Returns every value of a short enumeration. One side may know a value that the other does not."""
    if isinstance(schema, list):
        return {word for each in schema for word in words_in(each)}
    if not isinstance(schema, dict):
        return set()
    words = [word for word in schema.get("enum", []) if isinstance(word, str)]
    return (set(words) if len(words) < 10 else set()) | {word for each in schema.values() for word in words_in(each)}


WORDS = sorted(
    words_in(DESCRIPTION["components"])
    | {word for model, _ in ANSWERS.values() for word in words_in(model.model_json_schema())}
)


def described() -> dict[str, Any]:
    """Returns the schema of the successful answer of each operation, if it has a body."""
    schemas = {}
    for path, methods in DESCRIPTION["paths"].items():
        for method, facts in methods.items():
            for status, answer in facts["responses"].items():
                if status.startswith("2") and "content" in answer:
                    schemas[f"{method} {path}"] = answer["content"]["application/json"]["schema"]
    return schemas


def described_answer(operation: str) -> dict[str, Any]:
    schema = described()[operation]
    if schema == {"$ref": "#/components/schemas/CommandResult"}:
        # The other branch is the refusal of a call, which is an error and not a result.
        schema = DESCRIPTION["components"]["schemas"]["CommandResult"]["anyOf"][0]
    assert isinstance(schema, dict)
    return schema


def validator(operation: str) -> Draft202012Validator:
    formats = FormatChecker(formats=())
    date_time = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")
    formats.checks("date-time")(lambda value: not isinstance(value, str) or date_time.fullmatch(value) is not None)
    return Draft202012Validator(
        {**described_answer(operation), "components": DESCRIPTION["components"]}, format_checker=formats
    )


def accepts(model: type[BaseModel], answer: object) -> bool:
    """Whether the model accepts the answer, without reading digits in a text as a number."""
    try:
        model.model_validate_json(json.dumps(answer), strict=True)
    except ValidationError:
        return False
    return True


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yields every place in the answer, beginning with the whole answer."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*path, key))


def changed(answer: object, path: tuple[str | int, ...], value: object) -> object:
    """Returns a copy with the value in this place."""
    if not path:
        return value
    whole = copy.deepcopy(answer)
    holder: Any = whole
    for key in path[:-1]:
        holder = holder[key]
    if value is not ABSENT:
        holder[path[-1]] = value
    elif isinstance(holder, dict):
        del holder[path[-1]]
    return whole


def takes_more(model: type[BaseModel], path: tuple[str | int, ...]) -> bool:
    """Whether the model accepts more at this place or at one that contains it."""
    plain = [str(key) for key in path]
    if plain[:2] == ["room_metadata", "dispatches"] and len(plain) > 2:
        plain[2] = "*"
    names = [".".join([model.__name__, *plain[:end]]) for end in range(1, len(plain) + 1)]
    return any(name in TAKES_MORE for name in names)


def test_each_described_answer_is_looked_at_here() -> None:
    assert described().keys() == ANSWERS.keys() | WITHOUT_MODEL


@each_answer
def test_model_and_description_accept_the_same(operation: str) -> None:
    model, answer = ANSWERS[operation]
    oracle = validator(operation)
    assert oracle.is_valid(answer)
    looked_at = 0
    for path in places(answer):
        for value in [*PROBES, *WORDS, *([ABSENT] if path else [])]:
            variant = changed(answer, path, value)
            is_described = oracle.is_valid(variant)
            is_read = accepts(model, variant)
            what = f"{model.__name__}.{'.'.join(map(str, path))} = {'absent' if value is ABSENT else repr(value)}"
            # Every answer that the service may give is read.
            assert is_read or not is_described, f"{what} is described, and refused"
            assert is_described or not is_read or takes_more(model, path), f"{what} is not described, and read"
            looked_at += 1
    assert looked_at > 10 * len(answer)


@each_answer
def test_model_and_description_have_the_same_fields(operation: str) -> None:
    def compare(model: type[BaseModel], schema: dict[str, Any], path: str) -> None:
        if "$ref" in schema:
            schema = DESCRIPTION["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        assert model.model_fields.keys() == schema["properties"].keys(), path
        for name, field in model.model_fields.items():
            part, inner = schema["properties"][name], model_types(field.annotation)
            part = part.get("items", part)
            extra = part.get("additionalProperties")
            part = extra if isinstance(extra, dict) and "properties" not in part else part
            for each in inner:
                compare(each, part, f"{path}.{name}")

    compare(ANSWERS[operation][0], described_answer(operation), ANSWERS[operation][0].__name__)


def model_types(annotation: Any) -> list[type[BaseModel]]:
    """Returns the models in an annotation such as `dict[str, Model]` or `Model | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in model_types(part)]


def test_each_place_where_a_model_takes_more_is_one() -> None:
    proved = set()
    for operation, (model, answer) in ANSWERS.items():
        oracle = validator(operation)
        for path in places({**answer, **({"error": {"code": "X", "message": "m"}} if model is ActionResult else {})}):
            whole = {**answer, **({"error": {"code": "BUSY", "message": "m"}} if path[:1] == ("error",) else {})}
            for value in [*PROBES, ABSENT] if path else []:
                variant = changed(whole, path, value)
                if accepts(model, variant) and not oracle.is_valid(variant):
                    plain = ".".join("*" if key == "greeter" else str(key) for key in path)
                    proved.add(f"{model.__name__}.{plain}")
    assert {name for name in TAKES_MORE if not any(each == name or each.startswith(f"{name}.") for each in proved)} == set()
