"""Writes the generated files of `deploy/` anew; a test holds them against the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from server.deploy.commands import Deployment, files_for, write_all

FOLDER = Path(__file__).resolve().parents[1] / "deploy"
EXAMPLE = Deployment("https://playbooks.example")
"""The site of the documents; a real one is made with `--site`, which knows its former slugs too."""

IN_COMPOSE = replace(EXAMPLE, root="/site/public", api=("api:8001",), mcp=("mcp:8002",), listen=("80",), brotli=False)


def committed() -> Mapping[str, Mapping[str, str]]:
    """The folders below `deploy/`, each with its files."""
    compose = files_for("nginx", IN_COMPOSE)
    own = {name: text for name, text in compose.items() if name != "nginx.conf"}
    default = f"include {IN_COMPOSE.folder}/playbooks.conf;\naccess_log /dev/stdout playbooks;\n"
    default += "error_log /dev/stderr alert;\n"
    return {
        "nginx": files_for("nginx", EXAMPLE),
        "compose-nginx": {**own, "default.conf": default},
        "caddy": files_for("caddy", EXAMPLE),
        "static": files_for("static", EXAMPLE),
    }


if __name__ == "__main__":
    for folder, files in committed().items():
        write_all(FOLDER / folder, files)
