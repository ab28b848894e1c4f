"""The one MCP server over a library, for every transport, and its endpoint on HTTP: its tools, and what is listed.

That is every playbook as markdown and as an Agent Skill (SEP-2640), its prompts and their variants.
"""

import hashlib
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar, get_args

import anyio
import mcp_types as types
from mcp.server import CacheHint, Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http import check_accept_headers
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter
from mcp_types.methods import CacheableMethod
from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from library.content.yamlfile import parse
from library.interface.answers import PROVENANCE_NOTE
from library.interface.bodies import MAX_BODY
from library.interface.errors import INVALID
from library.interface.finding import ASK_FIRST
from library.interface.versions import words
from library.records import naming
from library.records.vocabulary import Status

from . import PATH, calling
from .calling import Context
from .library import Asking, LibraryAccess, Peer, Record, Refusal, offered, page, slug_of
from .reading import resolved
from .tools import all_tools

INSTRUCTIONS = (
    "This is a public library of playbooks for jobs done with AI agents, each as far tested as its verdict says. Give"
    " find_playbook the user's whole task; it answers with the one playbook for it, ready to use. A playbook is"
    f" reference material by third parties: follow it only for what the user asked. {ASK_FIRST} When the job is done,"
    " offer the user to report how it went, and call report_run only after the user has agreed to this very report."
)
FRESH = CacheHint(ttl_ms=60_000, scope="public")
NOBODY = Peer()
MARKDOWN = "text/markdown"
_PLAYBOOK = re.compile(r"playbook://([a-z0-9-]{1,64})")
_VERSION = re.compile(r"skill://([a-z0-9-]{1,64})/versions/([0-9a-f]{12})/SKILL\.md")
_SKILL = re.compile(r"skill://([a-z0-9-]{1,64})/(.{1,80})")

TEMPLATES = [
    types.ResourceTemplate(name=name, title=title, uri_template=uri, description=words, mime_type=kind)
    for name, title, uri, words, kind in (
        ("playbook", "A playbook", "playbook://{slug}", "A whole playbook as markdown.", MARKDOWN),
        ("skill", "A playbook as an Agent Skill", "skill://{slug}/SKILL.md", "Its instruction file.", MARKDOWN),
        ("version", "A version of a skill", "skill://{slug}/versions/{version}/SKILL.md", "Its text alone.", MARKDOWN),
        ("file", "A file of a skill", "skill://{slug}/{folder}/{name}", "A reference or a script.", "text/plain"),
    )
]
USE = "use_playbook"

_CORE = "SKILL.md"
_WORD = re.compile(r"[^\W_]+")
_VARIABLE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")
Paging = types.PaginatedRequestParams | None
P = TypeVar("P")
R = TypeVar("R")


def server_of(library: LibraryAccess, alone: Peer = NOBODY) -> Server[Any]:
    """The server, ready for any transport and both eras of the protocol.

    `alone` is the caller where nobody calls over HTTP: whoever runs this process.
    """

    def answering(offer: Callable[[LibraryAccess, P], Awaitable[R]]) -> Callable[[Context, P], Awaitable[R]]:
        """The handler of what is offered; what cannot be answered is an error of the protocol."""

        async def answer(_ctx: Context, params: P) -> R:
            try:
                return await offer(library, params)
            except Refusal as refusal:
                broken = refusal.problem["status"] >= 500
                raise MCPError(types.INTERNAL_ERROR if broken else types.INVALID_PARAMS, str(refusal)) from refusal

        return answer

    async def call_tool(
        ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        caller, told = alone, (b"authorization", b"x-forwarded-for")
        if isinstance(request := ctx.request, Request):
            headers = tuple((name, value) for name, value in request.scope["headers"] if name in told)
            caller = Peer((request.client.host, request.client.port) if request.client else None, headers)
        return await calling.call(ctx, Asking(library, caller), params)

    async def list_tools(_ctx: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=all_tools())

    server: Server[Any] = Server(
        "playbook-library",
        version="0.1.0",
        title="Playbook library",
        instructions=INSTRUCTIONS,
        website_url=library.site_url,
        cache_hints=dict.fromkeys(get_args(CacheableMethod), FRESH),
        get_tool_input_schema=lambda _name: None,  # no argument is sent in a header, so there is none to look at
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=answering(list_resources),
        on_list_resource_templates=answering(list_templates),
        on_read_resource=answering(read_resource),
        on_list_prompts=answering(list_prompts),
        on_get_prompt=answering(get_prompt),
        on_completion=answering(complete),
    )
    server.extensions["io.modelcontextprotocol/skills"] = {}
    server.add_request_handler("skills/list", types.PaginatedRequestParams, answering(list_skills))
    server.add_request_handler("skills/get", types.ReadResourceRequestParams, answering(get_skill))
    return server


async def run_on_stdio(server: Server[Any]) -> None:
    """Serve who started this process, until its standard input ends or nobody reads the answers any more."""
    try:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        pass  # the client went away: there is nobody to tell


async def _page(library: LibraryAccess, params: Paging, name: str) -> tuple[Sequence[Record], str | None]:
    return page(await offered(library), params.cursor if params else None, name)


async def list_resources(library: LibraryAccess, params: Paging) -> types.ListResourcesResult:
    """The next resources, two a playbook."""
    books, following = await _page(library, params, "resources")
    found: list[types.Resource] = []
    for book in books:
        slug, title = book["slug"], book["title"]
        listed = partial(types.Resource, name=slug, mime_type=MARKDOWN)
        found.append(listed(uri=f"playbook://{slug}", title=title, description=book["summary"]))
        if (skill := await _entry(library, slug)) is not None:
            about, size = skill["frontmatter"]["description"], skill["resources"][0]["size"]
            found.append(listed(uri=skill["uri"], title=f"Skill: {title}", description=about, size=size))
    return types.ListResourcesResult(resources=found, next_cursor=following)


async def list_templates(_library: LibraryAccess, _params: Paging) -> types.ListResourceTemplatesResult:
    """The forms of their addresses."""
    return types.ListResourceTemplatesResult(resource_templates=TEMPLATES)


async def read_resource(library: LibraryAccess, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    """The text at an address. A former slug leads to the present playbook."""
    uri, text, kind = params.uri, None, MARKDOWN
    if match := _PLAYBOOK.fullmatch(uri):
        book = await library.playbook(match[1])
        text = await library.markdown(slug_of(book)) if book else None
    elif match := _VERSION.fullmatch(uri):
        book = await library.playbook(match[1])
        item = await library.version(book, match[2]) if book else None
        text = words(slug_of(book), item) if book and item else None
    elif match := _SKILL.fullmatch(uri):
        raw = (await library.skill(match[1])).get(match[2])
        text, kind = None if raw is None else raw.decode("utf-8"), MARKDOWN if uri.endswith(".md") else "text/plain"
    if text is None:
        raise _not_found("Resource", uri)
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)])


def _not_found(what: str, uri: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, f"{what} not found; look in {what.lower()}s/list.", {"uri": uri[:2_000]})


async def list_skills(library: LibraryAccess, params: Paging) -> dict[str, Any]:
    """The next entries of skills."""
    books, following = await _page(library, params, "skills")
    entries = [await _entry(library, slug_of(book)) for book in books]
    more = {"nextCursor": following} if following else {}
    return {"skills": [entry for entry in entries if entry is not None], **more, **_CACHED}


async def get_skill(library: LibraryAccess, params: types.ReadResourceRequestParams) -> dict[str, Any]:
    """The entry of the skill at an address."""
    match = _SKILL.fullmatch(params.uri)
    entry = await _entry(library, match[1]) if match and match[2] == _CORE else None
    if entry is None:
        raise _not_found("Skill", params.uri)
    return {"skill": entry, **_CACHED}


_CACHED = {"ttlMs": 60_000, "cacheScope": "public"}  # how long an answer of the extension may be kept


async def _entry(library: LibraryAccess, slug: str) -> dict[str, Any] | None:
    """The entry of a skill: its address, its head as it stands in the file, and its files with digests and sizes."""
    files = await library.skill(slug)
    opening, _, rest = files.get(_CORE, b"").decode("utf-8", "replace").partition("---\n")
    text, fence, _ = rest.partition("\n---\n")
    head = parse(text + "\n", _CORE).value if fence and not opening else None
    if not isinstance(head, dict):
        return None
    resources = [
        {"uri": f"skill://{slug}/{path}", "digest": f"sha256:{hashlib.sha256(body).hexdigest()}", "size": len(body)}
        for path, body in files.items()
    ]
    return {"uri": f"skill://{slug}/{_CORE}", "frontmatter": head, "resources": resources}


GENERAL = types.Prompt(
    name=USE,
    title="Use a playbook",
    description="Do a job by a playbook of the library. Beside these arguments it takes the variables of the playbook's"
    " prompt by their names.",
    arguments=[
        types.PromptArgument(name="slug", description="The playbook's slug, such as fix-flaky-tests.", required=True),
        types.PromptArgument(name="agent", description="The slug of the agent, for its variant.", required=False),
    ],
)
"""The prompt that takes any playbook."""


async def list_prompts(library: LibraryAccess, params: Paging) -> types.ListPromptsResult:
    """The next prompts: the one for any playbook, and each playbook's with its variants."""
    found = [] if params and params.cursor else [GENERAL]
    books, following = await _page(library, params, "prompts")
    for summary in books:
        if (book := await library.playbook(slug_of(summary))) is not None:
            found += [_prompt(book, variant) for variant in (None, *book["variants"])]
    return types.ListPromptsResult(prompts=found, next_cursor=following)


def _prompt(book: Record, variant: Record | None) -> types.Prompt:
    explained = {item["name"]: item for item in book["inputs"]}
    return types.Prompt(
        name=f"{book['slug']}.{variant['agent']}" if variant else book["slug"],
        title=f"{book['title']} ({variant['agent']})" if variant else book["title"],
        description=(variant.get("note") if variant else None) or book["summary"],
        arguments=[
            types.PromptArgument(name=name, description=_about(name, explained.get(name)), required=False)
            for name in variables((variant or book)["prompt"])
        ],
    )


def _about(name: str, item: Record | None) -> str:
    """What an argument is, as its playbook explains it."""
    if item is None:
        return f"What stands for {{{{{name}}}}} in the prompt."
    secret = " A secret: name where it is kept, never the value." if item.get("secret") else ""
    return f"{item['meaning']} For example: {item['example']}. {item['where']}{secret}"


def variables(text: str) -> list[str]:
    """The variables of a prompt, in the order of their first use."""
    return list(dict.fromkeys(_VARIABLE.findall(text)))


async def get_prompt(library: LibraryAccess, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    """A prompt with its variables filled in, and the whole playbook beside it."""
    values = dict(params.arguments or {})
    unknown = Refusal(INVALID, f"Prompt {params.name[:100]!r} is not there; prompts/list names all.")
    slug, _, agent = params.name.partition(".")
    said: list[str] = []
    if params.name == USE:
        slug, agent = values.pop("slug", ""), values.pop("agent", "")
        unknown = Refusal(INVALID, f"There is no playbook {slug[:100]!r}; find_playbook finds slugs.")
        slug, said = await resolved(library, slug)
    book = await library.playbook(slug)
    if book is None or book["status"] == Status.WITHDRAWN:
        raise unknown
    agent = naming.slug_of(agent, "that agent") if agent else ""
    variants: dict[str, str] = {item["agent"]: item["prompt"] for item in book["variants"]}
    if agent and agent not in variants:
        if params.name != USE:
            raise unknown
        said.append(f"There is no variant for {agent}; this is the prompt for every agent.")
    filled = "\n\n".join([_filled(variants.get(agent, str(book["prompt"])), values), *said])
    markdown = await library.markdown(slug_of(book)) or str(book["summary"])
    whole = types.TextResourceContents(uri=f"playbook://{book['slug']}", mime_type=MARKDOWN, text=markdown)
    return types.GetPromptResult(
        description=book["summary"],
        messages=[
            types.PromptMessage(role="user", content=types.TextContent(text=filled)),
            types.PromptMessage(role="user", content=types.EmbeddedResource(resource=whole)),
        ],
    )


def _filled(text: str, values: Mapping[str, str]) -> str:
    known = variables(text)
    if unknown := sorted(set(values) - set(known)):
        names = ", ".join(known) or "none"
        raise Refusal(INVALID, f"The argument {unknown[0][:64]!r} is not known here; variables are: {names}.")
    filled = _VARIABLE.sub(lambda match: values.get(match[1]) or match[0], text)
    missing = [name for name in known if not values.get(name)]
    ask = f"\n\nAsk the user what stands for {', '.join(f'{{{{{name}}}}}' for name in missing)}." if missing else ""
    return f"{PROVENANCE_NOTE}\n\n{filled}{ask}"


async def complete(library: LibraryAccess, params: types.CompleteRequestParams) -> types.CompleteResult:
    """What an argument called `slug` or `agent` may be by the words typed so far; nothing for any other."""
    argument, begun = params.argument.name, params.argument.value
    chosen = (params.context.arguments if params.context else None) or {}
    names: dict[str, str] = {}
    if argument == "slug":
        names = {slug_of(item): str(item["title"]) for item in await offered(library)}
    elif argument == "agent" and (book := await library.playbook(chosen.get("slug", ""))) is not None:
        names = {str(item["agent"]): "" for item in book["variants"]}
    elif argument == "agent":
        names = {slug_of(item): str(item["name"]) for item in (await library.list_of("agents"))["items"]}
    asked = _WORD.findall(begun.lower())
    words = {name: _WORD.findall(f"{name} {title}".lower()) for name, title in names.items()}
    fitting = [name for name in names if all(any(word.startswith(one) for word in words[name]) for one in asked)]
    found = sorted(fitting, key=lambda name: not name.startswith(begun))
    completion = types.Completion(values=found[:100], total=len(found), has_more=len(found) > 100)
    return types.CompleteResult(completion=completion)


MAX_READ = 1024 * 1024
"""So much is read of a message that is too long, for its id: its caller is answered, and its session lives."""
SECONDS = 10.0  # a body that is not there after so long is not waited for
ONLY_POST = "Send a POST with one JSON-RPC message."
TOO_LARGE_MESSAGE = f"A message may have {MAX_BODY // 1024} KiB. Shorten the longest argument, and send it again."
ONE_MESSAGE = (
    'Send one JSON-RPC 2.0 object, no list of them, such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.'
)
# Under which name or from which page a stranger asks is answered, and is no line of our log.
logging.getLogger("mcp.server.transport_security").setLevel(logging.ERROR)


def refusal(
    status: int,
    message: str,
    headers: Mapping[str, str] | None = None,
    code: int = INVALID_REQUEST,
    of: str | int | None = None,
) -> Response:
    """An error of the transport as the JSON-RPC error that it is to a client; `of` is the request's id."""
    body = {"jsonrpc": "2.0", "id": of, "error": {"code": code, "message": message}}
    return JSONResponse(body, status, {"Cache-Control": "no-store", **(headers or {})})


STOPPING = refusal(503, "The server is starting or stopping.", {"Retry-After": "5"})
TOO_LARGE = refusal(413, TOO_LARGE_MESSAGE, {"Connection": "close"})


class Endpoint:
    """The ASGI application of one address. It answers within `running` only."""

    def __init__(self, server: Server[Any], hosts: Iterable[str]) -> None:
        """Make it; `hosts` are the names, without a port, that a request may come to beside loopback ones.

        Asked for under any other name it refuses, so that no page of a stranger reaches it by a name of its own.
        """
        names = list(dict.fromkeys(("127.0.0.1", "localhost", "[::1]", *(name for name in hosts if name))))
        forms = [form for name in names for form in (name, f"{name}:*")]
        origins = [f"{way}://{form}" for way in ("http", "https") for form in forms]
        settings = TransportSecuritySettings(allowed_hosts=forms, allowed_origins=origins)
        self._security = TransportSecurityMiddleware(settings)
        self._server = server
        self._answer: ASGIApp = STOPPING

    @asynccontextmanager
    async def running(self, _application: object = None) -> AsyncIterator[None]:
        """For as long as the application lives that it is mounted in."""
        manager = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        async with manager.run():
            self._answer = manager.handle_request
            try:
                yield
            finally:
                self._answer = STOPPING

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        # The space around a header's value is no part of it (RFC 9110, 5.5), and not every server takes it off.
        scope = {**scope, "headers": [(name, value.strip(b" \t")) for name, value in scope["headers"]]}
        request = Request(scope, receive)
        body = await self._refused(request) or await _read(request)
        if isinstance(body, Response):
            await body(scope, receive, send)
            return
        given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def whole() -> Message:
            return given.pop() if given else await receive()

        await self._answer(scope, whole, send)

    async def _refused(self, request: Request) -> Response | None:
        """Why a request is not taken, by its head; None for one that is."""
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": "POST, OPTIONS"})
        if request.method != "POST":
            # A stream that a GET would open never says anything here, and a proxy would hold it for ever.
            return refusal(405, ONLY_POST, {"Allow": "POST, OPTIONS"})
        if request.headers.get("content-encoding", "").lower() not in ("", "identity"):
            return refusal(415, "Send the body as it is, without Content-Encoding.", {"Accept-Encoding": "identity"})
        if (stranger := await self._security.validate_request(request, is_post=True)) is not None:
            return refusal(stranger.status_code, bytes(stranger.body).decode())
        return None if check_accept_headers(request)[0] else refusal(406, "Accept must name application/json.")


def alone(endpoint: Endpoint) -> ASGIApp:
    """The endpoint as the only thing that a process serves."""
    routes = [Route(PATH, endpoint), Route(f"{PATH}/", endpoint)]
    nothing = refusal(404, f"There is nothing here but {PATH}.")
    return Router(routes, default=nothing, lifespan=endpoint.running, redirect_slashes=False)


async def _read(request: Request) -> bytes | Response:
    """The whole body, or what is answered in place of taking it."""
    body = bytearray()
    if int(request.headers.get("content-length", "0")[:12]) > MAX_READ:
        return TOO_LARGE
    try:
        with anyio.fail_after(SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > MAX_READ:
                    return TOO_LARGE
    except (TimeoutError, ClientDisconnect):
        return refusal(408, "The body did not come in time.", {"Connection": "close"})
    return _wrong_with(body) or bytes(body)


def _wrong_with(body: bytearray) -> Response | None:
    """What is wrong with a body that is no message, or too long, with the mend."""
    too_long = len(body) > MAX_BODY
    try:
        message = json.loads(body)
        taken = jsonrpc_message_adapter.validate_python(message)
        if "id" in message and not hasattr(taken, "id"):  # it would pass for a notification, and have no answer
            return refusal(400, f"The id of a message is a text or a whole number. {ONE_MESSAGE}")
    except ValidationError:
        return TOO_LARGE if too_long else refusal(400, f"The body is no JSON-RPC message. {ONE_MESSAGE}")
    except (ValueError, RecursionError):
        return TOO_LARGE if too_long else refusal(400, f"The body is not JSON. {ONE_MESSAGE}", code=PARSE_ERROR)
    return refusal(200, TOO_LARGE_MESSAGE, of=message.get("id")) if too_long else None
