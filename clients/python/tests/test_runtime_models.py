"""Texts of the runtime models: facts, ids, numbers, and advice for the next call, in one line."""

from __future__ import annotations

from typing import Any

import pytest

from platform_robot_sdk import RcwRuntimeError
from platform_robot_sdk.models import ActionResult, RuntimeState, SceneState

META = {"action_id": "a-1", "duration_ms": 1_500}
TIME = {"step": 120, "sim_time_s": 1.0, "wall_time_ms": 1}


def failed(**details: Any) -> ActionResult:
    error = {"code": "GRASP_MISSED", "message": "The hands closed on nothing.", "details": details}
    return ActionResult.model_validate({"status": "failed", "error": error, "meta": META})


@pytest.mark.parametrize(
    ("details", "says"),
    [
        ({"world_changed": "no", "retryable": False}, "The world has not changed."),
        ({"world_changed": "yes", "retryable": True}, "The world has changed. The same call may succeed later."),
        ({"world_changed": "unknown"}, "The world may have changed."),
    ],
)
def test_a_failure_says_what_became_of_the_world_and_whether_to_try_again(details: dict[str, Any], says: str) -> None:
    assert (
        str(failed(**details)) == f"ActionResult(failed after 1.5 s [a-1]: GRASP_MISSED: The hands closed on nothing. {says})"
    )


def test_a_failure_without_details_and_a_long_result_are_short() -> None:
    assert str(failed()) == "ActionResult(failed after 1.5 s [a-1]: GRASP_MISSED: The hands closed on nothing.)"
    done = ActionResult.model_validate({"status": "done", "result": {"path": [1.5] * 5_000}, "meta": META})
    assert len(repr(done)) < 600
    assert len(done._repr_html_()) < 1_000


def test_a_scene_names_what_was_collected_and_never_grows_without_end() -> None:
    cube = {"entity_id": "cube_0", "visible": False, "state": {"color": "red", "parent_pad_id": "pad_B", "collected": True}}
    one = SceneState.model_validate({"timestamp": TIME, "entities": {"cube_0": cube}})
    assert str(one) == "SceneState(step 120, 1 s, 1 entities: cube_0 red delivered to pad_B not visible)"
    many = SceneState.model_validate({"timestamp": TIME, "entities": {f"cube_{n}": cube for n in range(500)}})
    assert str(many).endswith("; … 460 more)")
    assert len(str(many)) < 3_000


def test_a_state_that_takes_no_calls_says_why() -> None:
    robot = {
        "entity_id": "robot",
        "status": "error",
        "extra": {"control": {"not_ready": {"code": "NOT_READY", "message": "The emergency stop is latched."}}},
    }
    runtime = {"status": "ready", "accepts_tool_calls": False, "accepts_capture_requests": False}
    state = RuntimeState.model_validate({"timestamp": TIME, "runtime": runtime, "robot": robot})
    assert str(state) == (
        "RuntimeState(step 120, 1 s; robot error somewhere, holds nothing; runtime ready; "
        "takes no calls (NOT_READY: The emergency stop is latched.))"
    )


def test_the_advice_about_a_refusal_is_a_note_unless_its_sentence_says_it() -> None:
    assert RcwRuntimeError("BUSY", "The base is taken.", {"hint": "Wait for it."}).__notes__ == ["Wait for it."]
    assert not hasattr(RcwRuntimeError("BUSY", "Taken. Wait for it.", {"hint": "Wait for it."}), "__notes__")
