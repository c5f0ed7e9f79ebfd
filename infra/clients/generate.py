"""Makes the types of both SDKs from infra/openapi.yaml: what requests take and answers have. Usage: generate.py [--check]; needs PyYAML.

Closed sets are left open, since the contract may add to them; and with --check nothing is written, but what is there must be the same."""
import pathlib
import re
import sys

import yaml

HERE = pathlib.Path(__file__).parent
SCHEMAS = yaml.load((HERE.parent / "openapi.yaml").read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))["components"]["schemas"]
ROOTS = ["CreateSession", "SendMessage", "SessionChange", "Session", "SessionSummary", "SessionThread", "SessionRequest", "NewDecision", "Grant", "SentMessage", "Message", "Artifact", "EventSnapshot", "Agent", "Problem"]
# What the SDKs' own functions take besides agent, message and path.
FIELDS = {"SessionFields": ("CreateSession", {"agent_name", "message"}), "MessageFields": ("SendMessage", {"message"}), "PullRequestFields": ("NewPullRequest", {"path"})}
NOTE = "Made from infra/openapi.yaml by infra/clients/generate.py: change these."


class Language:
    """How one language writes what a schema says."""

    def __init__(self):
        self.written, self.waiting = {}, list(ROOTS)

    def text(self):
        while self.waiting:
            name = self.waiting.pop(0)
            if name not in self.written:
                self.written[name] = ""
                self.written[name] = self.declare(name, SCHEMAS[name])
        for name, (base, without) in FIELDS.items():
            properties = {key: value for key, value in SCHEMAS[base]["properties"].items() if key not in without}
            self.written[name] = self.declare(name, {"properties": properties})
        return self.head + "".join(self.written[name] for name in sorted(self.written))

    def type_of(self, schema, name):
        kind = self.plain(schema, name)
        return self.optional(kind) if schema.get("nullable") else kind

    def plain(self, schema, name):
        if "$ref" in schema or "allOf" in schema:
            return self.named((schema.get("$ref") or schema["allOf"][0]["$ref"]).split("/")[-1])
        if "enum" in schema:
            return self.open_set(schema["enum"])
        if not schema.keys() & {"type", "properties"}:
            return self.any
        kind = schema.get("type", "object")
        if kind == "array":
            return self.array(self.type_of(schema["items"], name + "Item"))
        if kind != "object":
            return self.simple[kind]
        if "properties" not in schema:
            values = schema.get("additionalProperties")
            return self.map_of(self.type_of(values, name) if isinstance(values, dict) else self.any)
        self.written[name] = self.declare(name, schema)
        return self.reference(name)

    def named(self, name):
        if "properties" not in SCHEMAS[name]:
            return self.plain(SCHEMAS[name], name)
        self.waiting.append(name)
        return self.reference(name)

    def declare(self, name, schema):
        required = schema.get("required", [])
        properties = schema["properties"].items()
        lines = [self.field(key, self.type_of(each, name + key.strip("_").title().replace("_", "")), key in required) for key, each in properties]
        return self.block(name, schema.get("description", ""), lines)


class Python(Language):
    head = (
        f'"""{NOTE}"""\n\nfrom __future__ import annotations\n\nfrom typing import TYPE_CHECKING, Any, Literal, TypedDict\n\n'
        "if TYPE_CHECKING:\n    from typing_extensions import NotRequired\n"
    )
    simple = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
    any = "Any"
    optional = staticmethod(lambda kind: f"{kind} | None")
    array = staticmethod(lambda kind: f"list[{kind}]")
    map_of = staticmethod(lambda kind: f"dict[str, {kind}]")
    reference = staticmethod(lambda name: name)
    field = staticmethod(lambda key, kind, required: f"    {key}: {kind if required else f'NotRequired[{kind}]'}\n")

    def open_set(self, values):
        return f"Literal[{', '.join(repr(value) for value in values)}] | str".replace("'", '"')

    def block(self, name, description, lines):
        return f"\n\nclass {name}(TypedDict):\n{''.join(lines)}"


class TypeScript(Language):
    head = f"// {NOTE}\n"
    simple = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
    any = "unknown"
    optional = staticmethod(lambda kind: f"{kind} | null")
    array = staticmethod(lambda kind: f"Array<{kind}>")
    map_of = staticmethod(lambda kind: f"Record<string, {kind}>")
    reference = staticmethod(lambda name: name)
    field = staticmethod(lambda key, kind, required: f"  {key}{'' if required else '?'}: {kind};\n")

    def open_set(self, values):
        return " | ".join(f"'{value}'" for value in values) + " | (string & {})"

    def block(self, name, description, lines):
        first = re.split(r"(?<=\.)\s", " ".join(description.split()))[0]
        return (f"\n/** {first} */" if first else "") + f"\nexport interface {name} {{\n{''.join(lines)}}}\n"


def main():
    stale = []
    for path, language in {"python/agent_sessions/types.py": Python(), "typescript/src/types.ts": TypeScript()}.items():
        file, text = HERE / path, language.text()
        if sys.argv[1:] == ["--check"]:
            stale += [path] if not file.is_file() or file.read_text() != text else []
        else:
            file.write_text(text)
    if stale:
        sys.exit(f"Not as infra/openapi.yaml has it: {', '.join(stale)}. Run infra/clients/generate.py")


if __name__ == "__main__":
    main()
