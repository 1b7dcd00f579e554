"""An object that was turned into text is rejected before anything is sent."""

from __future__ import annotations

import pytest

from platform_robot_sdk.errors import RcwRuntimeError
from platform_robot_sdk.realtime.wire import refuse_json_text, skill_parameters


@pytest.mark.parametrize("text", ['{"vx": 0.2}', " [1]", "{}"])
def test_a_json_text_in_place_of_an_object_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(RcwRuntimeError, match=r"The payload of runtime\.state is a JSON text .*Pass the dict itself") as raised:
        refuse_json_text(text, "The payload of runtime.state")
    assert raised.value.code == "INVALID_INPUT"
    with pytest.raises(RcwRuntimeError, match="INVALID_INPUT: The input of set_velocity is a JSON text"):
        skill_parameters("set_velocity", text)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [{}, "pad_B", "{no JSON", "7", None])
def test_anything_else_is_left_to_the_robot(value: object) -> None:
    refuse_json_text(value, "x")
