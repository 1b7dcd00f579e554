"""The rules for commands, as data that both libraries, the service and the page read."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from platform_robot_sdk.realtime.command_kinds import call_kind, overtakes
from platform_robot_sdk.realtime.losses import judge_loss
from platform_robot_sdk.realtime.press import Presses, PressOutcome, outcome_of_answer
from platform_robot_sdk.realtime.refusals import accepts_no_envelopes, judge_refusal
from realtime.fake_room import guard

VECTORS = Path(__file__).resolve().parents[4] / "tests/remote-robot/vectors"
TIMES = (1, 2, 3, 4)


def vectors(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return read


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["what"]) for case in cases]


@pytest.mark.parametrize("case", named(vectors("refusals")["refusals"]))
def test_a_refusal_of_a_sealed_command(case: dict[str, Any]) -> None:
    reply = guard(case["code"], **case["details"])
    commands = [judge_refusal(reply, "drive", times) for times in TIMES]
    stops = [judge_refusal(reply, "stop", times) for times in TIMES]
    assert [verdict.retry for verdict in commands] == case["command"]
    assert [verdict.retry for verdict in stops] == case["stop"]
    for verdict in commands + stops:
        assert verdict.runtime_now_ms == case["runtimeNowMs"]
        assert verdict.needs_grant == case["needsGrant"]


@pytest.mark.parametrize("case", named(vectors("refusals")["unsigned"]))
def test_a_runtime_without_envelopes(case: dict[str, Any]) -> None:
    plain = guard("PERMISSION_DENIED", **case["plain"])
    assert accepts_no_envelopes(plain, guard(case["sealed"])) == case["acceptsNone"]


@pytest.mark.parametrize("case", named(vectors("losses")["losses"]))
def test_the_next_step_after_a_loss(case: dict[str, Any]) -> None:
    after = judge_loss(case["known"], is_overtaken=case["isOvertaken"], is_held_stop=case["isHeldStop"])
    assert after == case["next"]


@pytest.mark.parametrize("case", named(vectors("commands")["kinds"]))
def test_the_kind_of_a_command(case: dict[str, Any]) -> None:
    assert call_kind(case["method"], case["payload"]) == case["kind"]


def test_a_later_command_undoes_exactly_the_listed_kinds() -> None:
    undoes = vectors("commands")["undoes"]
    for later in undoes:
        assert {earlier for earlier in undoes if overtakes(later, earlier)} == set(undoes[later])


@pytest.mark.parametrize("case", named(vectors("presses")["presses"]))
async def test_presses_on_every_path(case: dict[str, Any]) -> None:
    counts: dict[str, int] = {}

    def path(name: str, outcomes: list[str]) -> Any:
        async def press(_left_s: float) -> PressOutcome:
            counts[name] = counts.get(name, 0) + 1
            await asyncio.sleep(0)
            status, _, final = outcomes[min(counts[name], len(outcomes)) - 1].partition(", ")
            return PressOutcome(status, is_final=status == "stands" or final == "final")  # type: ignore[arg-type]

        return press

    paths: Any = {name: path(name, outcomes) for name, outcomes in case["paths"].items()}
    # Five rounds of presses with a pause of 0.2 s.
    presses = Presses(paths, asyncio.get_running_loop().time() + 1.0)
    await presses.run()
    assert presses.by == case["by"]
    assert counts == case["presses"]
    for name, expected in case.get("ends", {}).items():
        assert presses.outcomes[name][0].status == expected


@pytest.mark.parametrize("case", named(vectors("presses")["answers"]))
def test_the_answer_to_a_press(case: dict[str, Any]) -> None:
    outcome = outcome_of_answer(case["reply"])
    assert (outcome.status, outcome.is_final) == (case["outcome"], case["isFinal"])
