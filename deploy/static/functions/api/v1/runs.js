// Made by `playbooks deploy static` from the tables of routes and operations: change those, not this.
// Cloudflare Pages: GET /api/v1/runs?playbook=<slug>, which its `_redirects` cannot tell apart.
const SLUG = /^(?![a-z0-9_-]{65})[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

export async function onRequestGet({ request, env }) {
  const url = new URL(request.url);
  const asked = url.searchParams.getAll("playbook").at(-1);
  const path = asked === undefined ? "/api/v1/runs.json" : `/api/v1/runs/by-playbook/${asked}.json`;
  const found = asked === undefined || SLUG.test(asked) ? await env.ASSETS.fetch(new URL(path, url)) : null;
  if (found?.ok) return found;
  return Response.json({ total: 0, items: [] }, { headers: { "Access-Control-Allow-Origin": "*" } });
}

export async function onRequestPost() {
  const detail = 'This copy of the library is served without its live part; everything else can be read here.';
  const problem = { type: "about:blank", title: "Not available now", status: 503, detail };
  return Response.json(problem, { status: 503, headers: { "Content-Type": "application/problem+json" } });
}
