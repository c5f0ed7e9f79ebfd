"""Runs a composite action as the runner of a workflow would, as far as ours needs it: inputs with their defaults, variables of steps,
outputs.

Usage: stand_in.py FOLDER NAME=INPUT...
FOLDER has the action.yml. Prints the outputs as JSON, exits as the step does. Needs PyYAML."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REPLACED = re.compile(r"\$\{\{ *([\w.-]+)[^}]*\}\}")


def main(folder="--help", *given):
    if folder in ("-h", "--help"):
        print(__doc__)
        return 0
    import yaml  # here, so that the help needs none

    action = yaml.safe_load(pathlib.Path(folder, "action.yml").read_text())
    github = {"github.server_url": "https://git.example.org", "github.repository": "a/b", "github.head_ref": "main"}
    known = {f"inputs.{name}": fill(each.get("default", ""), github) for name, each in action["inputs"].items()}
    known |= {f"inputs.{name}": value for name, value in (each.split("=", 1) for each in given)}
    missing = [name for name, each in action["inputs"].items() if each.get("required") and not known[f"inputs.{name}"]]
    assert not missing, missing
    step = action["runs"]["steps"][0]
    assert "${{" not in step["run"], "an input in a script"
    with tempfile.TemporaryDirectory() as temporary:
        files = {name: os.path.join(temporary, name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        variables = {name: fill(value, known) for name, value in step["env"].items()} | files
        variables |= {"GITHUB_ACTION_PATH": os.path.abspath(folder), "RUNNER_TEMP": temporary, "PATH": os.environ["PATH"]}
        ended = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=variables, stdout=sys.stderr)
        found = dict((name, value) for name, _, value in re.findall(r"(?ms)^([\w-]+)<<(\w+)\n(.*?)\n\2$", read(files["GITHUB_OUTPUT"])))
        outputs = {name: fill(each["value"], {f"steps.{step['id']}.outputs.{key}": value for key, value in found.items()}) for name, each in action["outputs"].items()}
        outputs["patch"] = read(outputs["patch"]) if outputs["patch"] else ""
        print(json.dumps(outputs | {"summary": read(files["GITHUB_STEP_SUMMARY"])}))
    return ended.returncode


def fill(text, known):
    return REPLACED.sub(lambda found: known.get(found[1], ""), str(text))


def read(path):
    return pathlib.Path(path).read_text() if os.path.exists(path) else ""


sys.exit(main(*sys.argv[1:]))
