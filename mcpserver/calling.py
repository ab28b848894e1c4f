"""One call of a tool: what was meant is taken, the user is asked where the client can ask, and the answer is told."""

import hashlib
from collections.abc import Sequence
from typing import Any, Literal
from urllib.parse import urljoin

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .library import Asking, Refusal
from .tools import BY_NAME, Notes, problem_text

PROBLEM_KEY = "playbook-library/problem"  # where in `_meta` an error's problem details are
Context = ServerRequestContext[Any, Any]

_CONSENT = "consent"
_SEND = {"type": "boolean", "title": "Send it", "description": "Yes sends what is shown, and nothing else."}
_FORM = {"type": "object", "properties": {"send": _SEND}, "required": ["send"]}
_NO = "Asked whether to send this, the user's client said no: nothing was sent. No means no; do not ask again."
_UNANSWERED = (
    "The user's client was asked whether to send this, and gave no answer: nothing was sent. Go on without it; call"
    " again only when the user asks for it."
)


async def call(
    ctx: Context, asking: Asking, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    """One call. What a caller can mend is a result with an error, not an error of the protocol.

    Such an error is words only: what is structured beside it, clients hold against the schema of the tool's result, and
    say that instead. Programs find the problem details in `_meta`.
    """
    if (tool := BY_NAME.get(params.name)) is None:
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:100]}. Known are {', '.join(BY_NAME)}.")
    notes: Notes = []
    try:
        sent, notes = await tool.taken(asking, params.arguments or {})
        asks = capabilities.elicitation if (capabilities := ctx.session.client_capabilities) else None
        if tool.writes and asks and (asks.form or not asks.url):  # who says only that it asks, means forms
            said = await _asked(ctx, params, tool.question(asking.library.site_url, sent))
            if isinstance(said, types.InputRequiredResult):
                return said
            if said != "accept":
                return types.CallToolResult(content=_text((), _NO if said == "decline" else _UNANSWERED), is_error=True)
        result, words = await tool.run(asking, sent)
    except Refusal as refusal:
        type_of = urljoin(f"{asking.library.site_url}/", refusal.problem["type"])
        meta = {PROBLEM_KEY: {**refusal.problem, "type": type_of}}
        return types.CallToolResult(content=_text(notes, problem_text(refusal.problem)), is_error=True, _meta=meta)
    told = {"notes": [*notes, *result.get("notes", ())]} if notes else {}
    return types.CallToolResult(content=_text(notes, words), structured_content={**result, **told})


def _text(notes: Sequence[str], words: str) -> list[types.ContentBlock]:
    return [types.TextContent(text="\n".join([*notes, words]))]


async def _asked(
    ctx: Context, params: types.CallToolRequestParams, question: str
) -> types.InputRequiredResult | Literal["accept", "decline", "cancel"]:
    """What the user says; or the question, with which the newer protocol has the client call once more.

    The answer is taken for that question alone: `request_state` is its digest. A client that cannot ask after all, or
    that accepts without the tick, gave no yes.
    """
    answer: object
    state = hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()
    if ctx.session.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        try:
            answer = await ctx.session.elicit_form(question, _FORM, ctx.request_id)
        except MCPError:
            return "cancel"
    elif params.request_state == state and params.input_responses:
        answer = params.input_responses.get(_CONSENT)
    else:
        form = types.ElicitRequestFormParams(message=question, requested_schema=_FORM)
        asked = {_CONSENT: types.ElicitRequest(params=form)}
        return types.InputRequiredResult(input_requests=asked, request_state=state)
    if not isinstance(answer, types.ElicitResult):
        return "cancel"
    refused = answer.action == "accept" and (answer.content or {}).get("send") is not True
    return "decline" if refused else answer.action
