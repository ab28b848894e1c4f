"""The one MCP server: tools, resources, skills and prompts over a reader and a writer, for every transport."""

import logging
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
from mcp.server import CacheHint, Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    RequestParams,
    TextContent,
)
from starlette.requests import Request

from library.interface.answers import PROVENANCE_NOTE

from .asking import Answered, Asking, read_arguments
from .paging import BadCursor
from .ports import LibraryReader, Peer, Record, Refusal, Writer
from .prompts import BadPrompt, completions, get_prompt, prompts_page
from .resources import EXTENSION, TEMPLATES, one_skill, read_resource, resources_page, skills_page
from .results import problem_text
from .tools import BY_NAME, CONSENT, LibraryTool, all_tools

VERSION = "0.1.0"
INSTRUCTIONS = (
    "A public library of playbooks for jobs done with AI agents, each as far tested as its trust level says. Search"
    f" first, then read one. {PROVENANCE_NOTE} When a run is over, offer the user to report how it went: {CONSENT}"
)
FRESH = CacheHint(ttl_ms=60_000, scope="public")
_CALLERS_HEADERS = (b"authorization", b"x-forwarded-for")
_MODERN = "2026-07-28"
_TOLD = 100
NOBODY = Peer()
T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
logger = logging.getLogger(__name__)


class SkillParams(RequestParams):
    """What `skills/get` takes."""

    uri: str


@dataclass(frozen=True, slots=True)
class Handlers:
    """The handlers of the protocol's requests.

    `alone` is the caller where nobody calls over HTTP: whoever runs this process.
    """

    reader: LibraryReader
    writer: Writer
    site_url: str
    alone: Peer = NOBODY

    async def list_tools(self, _ctx: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        """All tools; they fit on one page."""
        return ListToolsResult(tools=all_tools())

    async def call_tool(self, ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        """One call. What a caller can mend is a result with an error, not an error of the protocol."""
        tool = BY_NAME.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name[:_TOLD]}. Known are {', '.join(BY_NAME)}.")
        asking = Asking(self.reader, self.writer, _caller(ctx, self.alone))
        try:
            return await _called(tool, asking, params.arguments or {})
        except Refusal as refusal:
            return _failed(refusal.problem(self.site_url))
        except Answered as answered:
            return _failed(answered.problem)

    async def list_resources(self, _ctx: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """A page of resources."""
        found, following = await _told(resources_page(self.reader, params.cursor if params else None))
        return ListResourcesResult(resources=found, next_cursor=following)

    async def list_templates(
        self, _ctx: Context, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """The two forms of addresses."""
        return ListResourceTemplatesResult(resource_templates=TEMPLATES)

    async def read_resource(self, _ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """The text at an address."""
        found = await _told(read_resource(self.reader, params.uri))
        if found is None:
            raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": params.uri[:2_000]})
        return ReadResourceResult(contents=[found])

    async def list_prompts(self, _ctx: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        """A page of prompts."""
        found, following = await _told(prompts_page(self.reader, params.cursor if params else None))
        return ListPromptsResult(prompts=found, next_cursor=following)

    async def get_prompt(self, _ctx: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """One prompt, filled in."""
        try:
            return await _told(get_prompt(self.reader, params.name, params.arguments or {}))
        except BadPrompt as error:
            raise MCPError(INVALID_PARAMS, f"Prompt {params.name[:_TOLD]!r}: {error}.") from error

    async def complete(self, _ctx: Context, params: CompleteRequestParams) -> CompleteResult:
        """What a slug or an agent may go on to."""
        chosen = params.context.arguments if params.context else None
        found = await _told(completions(self.reader, params.argument.name, params.argument.value, chosen or {}))
        completion = Completion(values=found[:100], total=len(found), has_more=len(found) > 100)
        return CompleteResult(completion=completion)

    async def list_skills(self, ctx: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        """A page of skills."""
        skills, following = await _told(skills_page(self.reader, params.cursor))
        return {"skills": skills, **({"nextCursor": following} if following else {}), **_cached(ctx)}

    async def get_skill(self, ctx: Context, params: SkillParams) -> dict[str, Any]:
        """One skill."""
        found = await _told(one_skill(self.reader, params.uri))
        if found is None:
            raise MCPError(INVALID_PARAMS, "Skill not found", {"uri": params.uri[:2_000]})
        return {"skill": found, **_cached(ctx)}


def make_server(library: Handlers) -> Server[Any]:
    """The server, ready for any transport and both eras of the protocol."""
    server: Server[Any] = Server(
        "playbook-library",
        version=VERSION,
        title="Playbook library",
        instructions=INSTRUCTIONS,
        website_url=library.site_url,
        cache_hints={
            "tools/list": FRESH,
            "prompts/list": FRESH,
            "resources/list": FRESH,
            "resources/read": FRESH,
            "resources/templates/list": FRESH,
            "server/discover": FRESH,
        },
        get_tool_input_schema=lambda _name: None,  # no argument is sent in a header, so there is none to look at
        on_list_tools=library.list_tools,
        on_call_tool=library.call_tool,
        on_list_resources=library.list_resources,
        on_list_resource_templates=library.list_templates,
        on_read_resource=library.read_resource,
        on_list_prompts=library.list_prompts,
        on_get_prompt=library.get_prompt,
        on_completion=library.complete,
    )
    server.extensions[EXTENSION] = {}
    server.add_request_handler("skills/list", PaginatedRequestParams, library.list_skills)
    server.add_request_handler("skills/get", SkillParams, library.get_skill)
    return server


async def run_on_stdio(library: Handlers) -> None:
    """Serve who started this process, until its standard input ends or nobody reads the answers any more."""
    server = make_server(library)
    try:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        pass  # the client went away: there is nobody to tell


async def _called(tool: LibraryTool, asking: Asking, sent: Mapping[str, Any]) -> CallToolResult:
    told: Any = sent if tool.passes_on else read_arguments(tool.takes, sent)
    result, text = await tool.run(asking, told)
    if text is None and tool.text is not None:
        text = tool.text(result)
    return CallToolResult(content=[TextContent(text=text or "")], structured_content=result)


def _failed(problem: Record) -> CallToolResult:
    content = [TextContent(text=problem_text(problem))]
    return CallToolResult(content=content, structured_content=problem, is_error=True)


async def _told(answer: Awaitable[T]) -> T:
    """The answer; what keeps it away, as an error of the protocol."""
    try:
        return await answer
    except BadCursor as error:
        raise MCPError(INVALID_PARAMS, "The cursor is none that this list gave.") from error
    except Refusal as refusal:
        raise MCPError(INTERNAL_ERROR, refusal.detail) from refusal


def _cached(ctx: Context) -> dict[str, Any]:
    """How long an answer of the extension may be kept; older versions of the protocol know no such thing."""
    return {"ttlMs": FRESH.ttl_ms, "cacheScope": FRESH.scope} if ctx.protocol_version >= _MODERN else {}


def _caller(ctx: Context, alone: Peer) -> Peer:
    """Who calls: over HTTP what the connection and its headers say, else whoever runs this process."""
    request = ctx.request
    if not isinstance(request, Request):
        return alone
    headers = tuple((name, value) for name, value in request.scope["headers"] if name in _CALLERS_HEADERS)
    client = request.client
    return Peer((client.host, client.port) if client else None, headers)
