"""The public names of the TypeScript library, read from docs/reference/typescript-api.txt, which is generated from its
types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import platform_robot_sdk

API = (
    (Path(__file__).resolve().parents[3] / "docs/reference/typescript-api.txt")
    .read_text(encoding="utf-8")
    .split("// Behind them")[0]
)
EVERYWHERE = {"timeoutMs", "signal"}
# The name that the table uses for an object of the class.
OBJECTS = {
    "Client": "client",
    "Robots": "client.robots",
    "ApiKeys": "client.apiKeys",
    "PlatformSession": "session",
    "SkillShortcuts": "session",
    "Action": "action",
    "ControlLease": "lease",
}
# Objects whose fields the program passes or reads directly. For other types the table has only the name.
WITH_FIELDS = (
    "ConnectCallbacks",
    "Vision",
    "UpperBodyStream",
    "ArmPose",
    "EmergencyStopped",
    "StopPath",
    "StopPaths",
    "LeaseEnd",
)
# Interfaces whose names programs do not write: the table lists their fields as options of the function.
_OPTIONS = re.compile(r"(Options|SceneFilter)$")
DESCRIPTION = json.loads(files(platform_robot_sdk).joinpath("openapi.json").read_text(encoding="utf-8"))


def declarations() -> dict[str, str]:
    """Returns the text of each declaration by its name."""
    found = {}
    for block in API.split("\n\n"):
        head = re.match(r"export (?:declare )?(?:abstract )?(?:class|interface|type|function|const) (\w+)", block)
        if head:
            found[head.group(1)] = block
    return found


DECLARED = declarations()


def split(text: str, at: str) -> list[str]:
    """Splits the text at separators that are outside brackets."""
    parts, depth, part = [], 0, ""
    for index, character in enumerate(text):
        depth += (character in "({[<") - (character in ")}]" or (character == ">" and text[index - 1] != "="))
        if character == at and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    return [each.strip() for each in (*parts, part) if each.strip()]


def body(name: str) -> str:
    text = DECLARED[name]
    return text[text.index("{\n") + 1 : text.index("\n}")]


def fields(name: str) -> list[str]:
    """Returns the fields of an interface, or of a type that extends one, including inherited fields."""
    parent = re.match(rf"export (?:interface {name}(?:<\w+>)? extends|type {name} =) ([\w, ]+?)(?: &)? {{", DECLARED[name])
    inherited = [field for each in (parent.group(1).split(", ") if parent else []) for field in fields(each)]
    own = [re.match(r"(?:readonly )?(\w+)", member) for member in split(body(name), ";")]
    return [*(match.group(1) for match in own if match), *inherited]


def request_fields(method: str, path: str) -> list[str]:
    schema = DESCRIPTION["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]
    while "$ref" in schema:
        schema = DESCRIPTION["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return list(schema["properties"])


def options_of(type_: str) -> list[str] | None:
    """Returns the fields of a parameter with options; None for any other parameter."""
    if type_ == "NewRobot":
        return request_fields("post", "/v1/robots")
    if type_ == "UpdateRobotRequest":
        return request_fields("patch", "/v1/robots/{robot_id}")
    if type_ == "O":
        return [name for name in fields("ConnectOptions") if name not in EVERYWHERE]
    names: list[str] = []
    for part in split(type_, "&"):
        if part.startswith("{"):
            names += [match.group(1) for member in split(part.strip("{} \n"), ";") if (match := re.match(r"(\w+)", member))]
        elif _OPTIONS.search(part) and part in DECLARED:
            names += fields(part)
        else:
            return None
    return [name for name in names if name not in EVERYWHERE]


def call(name: str, text: str) -> str:
    """Returns `name(first, { option })` for the text between the brackets."""
    shown: list[str] = []
    for parameter in split(text, ","):
        own, _, type_ = parameter.partition(":")
        options = options_of(type_.strip())
        if options is None:
            shown.append(own.strip(" ?"))
        elif options:
            shown.append(f"{{ {', '.join(options)} }}")
    return f"{name}({', '.join(shown)})"


def brackets(text: str) -> str:
    """Returns the text in the first round brackets that are not inside angle brackets."""
    depth, start, angles = 0, 0, 0
    for index, character in enumerate(text):
        if not start:
            angles += (character == "<") - (character == ">")
        if angles:
            continue
        if character == "(":
            start = start or index + 1
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0:
                return text[start:index]
    raise ValueError(text)


def members(name: str, prefix: str) -> Iterator[str]:
    for member in split(body(name), ";"):
        if member.startswith(("[", "constructor", "toString", "toJSON")):
            continue
        if member.startswith("readonly state: {"):
            for inner in split(member[member.index("{") + 1 : member.rindex("}")], ";"):
                yield call(f"{prefix}.state.{re.split(r'[<(]', inner)[0]}", brackets(inner))
            continue
        own = re.match(r"(?:readonly |get )?(\w+)", member)
        assert own, member
        is_method = re.match(r"\w+(<[^(]*>)?\(", member) and not member.startswith("get ")
        yield call(f"{prefix}.{own.group(1)}", brackets(member)) if is_method else f"{prefix}.{own.group(1)}"


def error(name: str) -> str:
    shown = re.findall(r"^    readonly (\w+)", DECLARED[name], re.MULTILINE)
    return f"{name} {{ {', '.join(shown)} }}" if shown else name


def names() -> set[str]:
    """Returns every public name: functions with their parameters, data types with their fields."""
    found: set[str] = set()
    for name, text in DECLARED.items():
        if text.startswith("export declare function"):
            found.add(call(name, brackets(text)))
        elif name in OBJECTS:
            found |= set(members(name, OBJECTS[name]))
            if name == "Client":
                found.add(f"new Client({{ {', '.join(fields('ClientOptions'))} }})")
        elif name.endswith("Error") and "class" in text:
            found.add(error(name))
        elif name in WITH_FIELDS:
            found.add(f"{name} {{ {', '.join(fields(name))} }}")
        elif not _OPTIONS.search(name):
            found.add(name)
    return found - {"client.robots", "client.apiKeys"}


def fields_of_schema(name: str) -> set[str]:
    """Returns the paths of the fields of a schema, such as `robot.pose.position`; a list or a dictionary is one step."""
    whole = (Path(__file__).resolve().parents[3] / "docs/reference/typescript-api.txt").read_text(encoding="utf-8")
    declared = re.search(rf"export declare const {name}: (z\.ZodObject<\{{.*?\n\}}, z\.core\.\$\w+>)", whole, re.DOTALL)
    assert declared, f"There is no {name} in docs/reference/typescript-api.txt."
    return set(_paths(declared.group(1), ""))


def _paths(text: str, prefix: str) -> Iterator[str]:
    start = text.find("z.ZodObject<{")
    if start < 0:
        return
    inner = text[start + len("z.ZodObject<{") :]
    depth = 1
    for index, character in enumerate(inner):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            inner = inner[:index]
            break
    for member in split(inner, ";"):
        own, _, value = member.partition(":")
        yield f"{prefix}{own.strip()}"
        yield from _paths(value, f"{prefix}{own.strip()}.")
