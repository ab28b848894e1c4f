"""The few lines of script that a query needs on Cloudflare Pages, with the headers of every other answer."""

from __future__ import annotations

import json
from typing import Final

from build.routes import API, JSON
from library.answers import RunList
from library.errors import METHOD_NOT_ALLOWED, UNAVAILABLE
from writeapi.errors import PROBLEM_JSON

from ..links import links
from ..manners import ASK_AGAIN, EVERYWHERE, ON_READS, PREFLIGHT, STRICT
from .addresses import AWAY, Deployment, allowed, live, route_of

RUNS: Final = f"{API}/runs"

# Headers by `_headers` are not put on what a function answers.
_TEXT = """\
// @HEAD@
// Cloudflare Pages: GET @RUNS@?playbook=<slug>, which its `_redirects` cannot tell apart.
const SLUG = /^(?![a-z0-9_-]{65})[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const ALIASES = new Map(Object.entries(@ALIASES@));
const EVERYWHERE = @EVERYWHERE@;
const ON_READS = @ON_READS@;
const PREFLIGHT = @PREFLIGHT@;
const ALLOW = @ALLOW@;
const AWAY = @AWAY@;
const NOT_ALLOWED = @NOT_ALLOWED@;
const NO_RUNS = @NO_RUNS@;

function answer(body, status, headers) {
  return new Response(body, { status, headers: { ...EVERYWHERE, ...headers } });
}

function problem(text, status, headers) {
  return answer(text, status, { "Content-Type": "@PROBLEM_JSON@", "Cache-Control": "no-store", ...headers });
}

async function read(request, env) {
  const url = new URL(request.url);
  const asked = url.searchParams.getAll("playbook").at(-1);
  const there = ALIASES.get(asked);
  if (there !== undefined) {
    return answer(null, 308, { ...ON_READS, Location: `@RUNS@?playbook=${there}` });
  }
  const path = asked === undefined ? "@RUNS@.json" : `@RUNS@/by-playbook/${asked}.json`;
  const known = asked === undefined || SLUG.test(asked);
  const found = known ? await env.ASSETS.fetch(new Request(new URL(path, url), request)) : null;
  const isThere = found?.ok || found?.status === 304;
  const plain = { "Content-Type": "@JSON@" };
  const { body, status, headers } = isThere ? found : { body: NO_RUNS, status: 200, headers: Object.entries(plain) };
  const told = new Headers(headers);
  for (const [name, value] of Object.entries({ ...EVERYWHERE, ...ON_READS })) told.set(name, value);
  return new Response(request.method === "HEAD" ? null : body, { status, headers: told });
}

export async function onRequest({ request, env }) {
  if (request.method === "GET" || request.method === "HEAD") return read(request, env);
  if (request.method === "OPTIONS") return answer(null, 204, { ...ON_READS, ...PREFLIGHT, Allow: ALLOW });
  if (request.method === "POST") return problem(AWAY, 503, {});
  return problem(NOT_ALLOWED, 405, { Allow: ALLOW });
}
"""


def runs_function(told: Deployment, head: str) -> str:
    """`functions/api/v1/runs.js`; `head` says what made it."""
    hsts = {STRICT: told.hsts} if told.hsts else {}
    route = route_of(RUNS)
    values = {
        "ALIASES": dict(sorted(told.aliases.items())),
        "EVERYWHERE": {**EVERYWHERE, **hsts},
        "ON_READS": {**ON_READS, "Cache-Control": ASK_AGAIN, "Link": links(route, "", "")},
        "PREFLIGHT": PREFLIGHT,
        "ALLOW": allowed(dict(live())[RUNS], file=True),
        "AWAY": told.problem(UNAVAILABLE, AWAY),
        "NOT_ALLOWED": told.problem(METHOD_NOT_ALLOWED),
        "NO_RUNS": RunList(total=0, items=()).json_bytes().decode(),
    }
    text = _TEXT
    for name, plain in {"HEAD": head, "RUNS": RUNS, "JSON": JSON, "PROBLEM_JSON": PROBLEM_JSON}.items():
        text = text.replace(f"@{name}@", plain)
    for name, value in values.items():
        text = text.replace(f"@{name}@", json.dumps(value, indent=2 if isinstance(value, dict) and value else None))
    return text
