// Made by `playbooks deploy static` from the tables of routes and operations: change those, not this.
// Cloudflare Pages: GET /api/v1/runs?playbook=<slug>, which its `_redirects` cannot tell apart.
const SLUG = /^(?![a-z0-9_-]{65})[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const ALIASES = new Map(Object.entries({}));
const EVERYWHERE = {
  "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
};
const ON_READS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
  "Cache-Control": "public, max-age=0, must-revalidate",
  "Link": "</api/v1/openapi.json>; rel=\"service-desc\"; type=\"application/json\", </docs/interface/>; rel=\"service-doc\"; type=\"text/html\""
};
const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "Accept, If-None-Match",
  "Access-Control-Max-Age": "86400"
};
const ALLOW = "GET, HEAD, OPTIONS, POST";
const AWAY = "{\"type\":\"https://playbooks.example/docs/errors/#unavailable\",\"title\":\"Not available now\",\"status\":503,\"detail\":\"This copy of the library is served without its live part; everything else can be read here.\"}";
const NOT_ALLOWED = "{\"type\":\"https://playbooks.example/docs/errors/#method-not-allowed\",\"title\":\"Method not allowed\",\"status\":405,\"detail\":\"Use one of the methods that the Allow header names.\"}";
const NO_RUNS = "{\"total\":0,\"items\":[],\"next\":null}";

function answer(body, status, headers) {
  return new Response(body, { status, headers: { ...EVERYWHERE, ...headers } });
}

function problem(text, status, headers) {
  return answer(text, status, { "Content-Type": "application/problem+json", "Cache-Control": "no-store", ...headers });
}

async function read(request, env) {
  const url = new URL(request.url);
  const asked = url.searchParams.getAll("playbook").at(-1);
  const there = ALIASES.get(asked);
  if (there !== undefined) {
    return answer(null, 308, { ...ON_READS, Location: `/api/v1/runs?playbook=${there}` });
  }
  const path = asked === undefined ? "/api/v1/runs.json" : `/api/v1/runs/by-playbook/${asked}.json`;
  const known = asked === undefined || SLUG.test(asked);
  const found = known ? await env.ASSETS.fetch(new Request(new URL(path, url), request)) : null;
  const isThere = found?.ok || found?.status === 304;
  const plain = { "Content-Type": "application/json" };
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
