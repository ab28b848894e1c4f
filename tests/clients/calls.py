"""What a model is shown through the frameworks that people use: `python calls.py URL CLIENT < JSON of
[name, arguments]…`.

Runs in an environment of its own (`requirements.lock` beside it): these want the first generation of the Python SDK.
Prints JSON: the tools with the schemas that are handed on, and of each call the text that a model sees, or what was
thrown.
"""

import asyncio
import json
import sys
from typing import Any

from agents.mcp import MCPServerStreamableHttp, MCPUtil
from agents.run_context import RunContextWrapper
from agents.tool_context import ToolContext
from google.genai import types
from langchain_mcp_adapters.client import MultiServerMCPClient
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

Calls = list[tuple[str, dict[str, Any]]]


async def told(calling: Any) -> dict[str, Any]:
    """What a call gives, or the words of what it throws."""
    try:
        return {"text": await calling}
    except Exception as error:  # noqa: BLE001 - whatever a framework throws, its words are what is looked at
        return {"thrown": f"{error}"}


async def by_sdk(url: str, calls: Calls) -> dict[str, Any]:
    """The official SDK's first generation, and Gemini's reading of the schemas that it gives."""
    async with streamablehttp_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools

        async def text(name: str, sent: dict[str, Any]) -> str:
            result = await session.call_tool(name, sent)
            return "\n".join(part.text for part in result.content)

        answers = [await told(text(name, sent)) for name, sent in calls]
    listed = [
        {"name": tool.name, "inputSchema": tool.inputSchema, "gemini": gemini(tool.inputSchema)} for tool in tools
    ]
    return {"listed": listed, "calls": answers}


def gemini(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema as Gemini takes it; raises `ValueError` for one that it cannot say."""
    made = types.Schema.from_json_schema(
        json_schema=types.JSONSchema.model_validate(schema), raise_error_on_unsupported_field=True
    )
    return made.model_dump(mode="json", exclude_none=True)


async def by_langchain(url: str, calls: Calls) -> dict[str, Any]:
    """LangChain's adapter."""
    tools = await MultiServerMCPClient({"library": {"transport": "streamable_http", "url": url}}).get_tools()
    known = {tool.name: tool for tool in tools}

    async def text(name: str, sent: dict[str, Any]) -> str:
        message = await known[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": sent})
        content = message.content
        return content if isinstance(content, str) else "\n".join(part["text"] for part in content)

    answers = [await told(text(name, sent)) for name, sent in calls]
    return {"listed": [{"name": tool.name, "inputSchema": tool.tool_call_schema} for tool in tools], "calls": answers}


async def by_agents(url: str, calls: Calls) -> dict[str, Any]:
    """OpenAI's agents, with schemas made strict."""
    async with MCPServerStreamableHttp({"url": url}) as server:
        tools = await MCPUtil.get_all_function_tools(
            [server], convert_schemas_to_strict=True, run_context=RunContextWrapper(None), agent=None
        )
        known = {tool.name: tool for tool in tools}

        async def text(name: str, sent: dict[str, Any]) -> str:
            body = json.dumps(sent)
            context = ToolContext(None, tool_name=name, tool_call_id="1", tool_arguments=body)
            output = await known[name].on_invoke_tool(context, body)
            parts = output if isinstance(output, list) else [output]
            return "\n".join(part if isinstance(part, str) else part["text"] for part in parts)

        answers = [await told(text(name, sent)) for name, sent in calls]
        needed = {tool.name: tool.inputSchema.get("required", []) for tool in await server.list_tools()}
    listed = [
        {
            "name": tool.name,
            "inputSchema": tool.params_json_schema,
            "strict": tool.strict_json_schema,
            "needed": needed[tool.name],
        }
        for tool in tools
    ]
    return {"listed": listed, "calls": answers}


CLIENTS = {"sdk": by_sdk, "langchain": by_langchain, "agents": by_agents}
sys.stdout.write(json.dumps(asyncio.run(CLIENTS[sys.argv[2]](sys.argv[1], json.load(sys.stdin)))))
