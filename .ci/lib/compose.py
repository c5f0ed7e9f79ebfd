"""compose.py FILE: what docker run is told so that it does what infra/compose.yaml says, one word a line. For machines without Docker
Compose and without a bridge network, so the container shares the machine's; fails at what it does not know."""
import os
import re
import sys
from pathlib import Path

import yaml

WORDS = {"volumes": "--volume", "tmpfs": "--tmpfs", "cap_drop": "--cap-drop"}
LEFT_OUT = {"image", "ports", "healthcheck", "stop_grace_period"}


def filled(text):
    return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda found: os.environ.get(found[1]) or found[2], text)


def words(name, value, folder):
    match name:
        case "environment":
            for key, text in value.items():
                if text is not None:
                    yield from ("--env", f"{key}={filled(text)}")
                elif key in os.environ:
                    yield from ("--env", key)
        case "security_opt":
            for option in value:
                yield from ("--security-opt", option.replace("seccomp=", f"seccomp={folder}/"))
        case "read_only":
            yield "--read-only"
        case "mem_limit":
            yield from ("--memory", filled(value))
        case "pids_limit" | "restart":
            yield from ("--" + name.replace("_", "-"), str(value))
        case _ if name in WORDS:
            for option in value:
                yield from (WORDS[name], option)
        case _ if name not in LEFT_OUT:
            sys.exit(f"compose.py does not know {name}")


file = Path(sys.argv[1])
for name, value in yaml.safe_load(file.read_text())["services"]["service"].items():
    for word in words(name, value, file.parent):
        print(word)
