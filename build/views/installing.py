"""How clients are given the library's MCP server: a link for those that take one, a command for the others. Pure."""

from base64 import b64encode
from urllib.parse import quote, urlencode

import orjson

NAME = "playbooks"  # what the server is called in a client


def links(address: str) -> tuple[tuple[str, str], ...]:
    """Clients that are set up by a link, by name, each in the form that its documentation gives."""
    code = quote(orjson.dumps({"name": NAME, "type": "http", "url": address}).decode(), safe="")
    cursor = urlencode({"name": NAME, "config": b64encode(orjson.dumps({"url": address})).decode()})
    goose = urlencode({"name": NAME, "type": "streamable_http", "url": address})
    return (
        ("VS Code", f"vscode:mcp/install?{code}"),
        ("Cursor", f"cursor://anysphere.cursor-deeplink/mcp/install?{cursor}"),
        ("Goose", f"goose://extension?{goose}"),
    )


def commands(address: str) -> tuple[str, ...]:
    """What sets up the clients that take a command: Claude Code, Codex, Gemini CLI."""
    return (
        f"claude mcp add --transport http {NAME} {address}",
        f"codex mcp add {NAME} --url {address}",
        f"gemini mcp add --transport http {NAME} {address}",
    )
