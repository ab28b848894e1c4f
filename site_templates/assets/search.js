// The search page: asks the live service, or the index in this browser where there is none; answers as one types.
// The page works without it. What it shows it clones from the page's own templates; text is only ever set as text.

const LEVELS = ["confirmed", "tested", "corroborated", "reported"];
const KINDS = { playbook: "Playbook", lesson: "Lesson", agent: "Agent", task: "Job" };
const LABELS = { type: "Kind", category: "Category", agent: "Agent", min_trust: "Trust at least", proven: "Checks" };
const FILTERS = Object.keys(LABELS);
const PAUSE = 120; // milliseconds without a key before a word is looked for
const PATIENCE = 1500; // milliseconds that the live service has
const MOST = 50;
const LONG = 8000; // signs of an address: what is longer is sent as a body, and stands in no address

const at = (id) => document.getElementById(id);
const box = at("search");
const form = box.querySelector("form");
const field = at("q");
const { root, api } = box.dataset;
const names = JSON.parse(box.dataset.names); // what agents and categories are called

let asked = fromAddress();
let committed = true; // whether the address is one that "back" should lead to
let running = null;
let timer = 0;
let engine = null;

// The question and the address

function fromAddress() {
  const given = new URLSearchParams(location.search);
  return Object.fromEntries(["q", ...FILTERS, "limit"].map((name) => [name, (given.get(name) ?? "").trim()]));
}

function parameters(question) {
  return new URLSearchParams(Object.entries(question).filter(([, value]) => value));
}

function address(changes) {
  const rest = parameters({ ...asked, limit: "", ...changes }).toString();
  return `${root}/search/${rest && "?"}${rest}`;
}

function keepAddress(push) {
  const url = address({ limit: asked.limit });
  if (url === location.pathname + location.search || url.length > LONG) return;
  try {
    history[push ? "pushState" : "replaceState"](null, "", url);
  } catch {
    // A browser that counts these calls refuses for a while; the next one catches up.
  }
}

// The two sources of answers

class Refused extends Error {}

function posted({ proven, limit, ...plain }) {
  const some = Object.entries({ ...plain, proven: proven === "true", limit: Number(limit) }).filter(([, value]) => value);
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(Object.fromEntries(some)) };
}

async function live(question, profile, signal) {
  const limit = new AbortController();
  const stop = () => limit.abort();
  const clock = setTimeout(stop, PATIENCE);
  signal.addEventListener("abort", stop);
  try {
    const plain = parameters({ ...question, profile }).toString();
    const asked = plain.length > LONG ? posted(question) : {};
    const reply = await fetch(`${api}/search${asked.body ? "" : `?${plain}`}`, { ...asked, signal: limit.signal });
    const kind = reply.headers.get("content-type") ?? "";
    if (reply.status === 422 && kind.startsWith("application/problem+json")) {
      const problem = await reply.json();
      throw new Refused(problem.errors.map((one) => `${one.pointer.slice(1)}: ${one.detail}.`).join(" ") || problem.detail);
    }
    if (!reply.ok || !kind.startsWith("application/json")) throw new Error(`search answered ${reply.status}`);
    return await reply.json();
  } finally {
    clearTimeout(clock);
    signal.removeEventListener("abort", stop);
  }
}

async function local(question, profile) {
  engine ??= Promise.all([import(box.dataset.local), import(box.dataset.stems)]).then(([{ opened, files }, { stem }]) => opened(files(root), stem));
  try {
    return await (await engine)({ ...question, profile });
  } catch (error) {
    engine = null; // a later build may have taken files away: the next search opens it anew
    throw error;
  }
}

// The order in which they are asked; the one that answered is kept in mind for this visit

const remembered = {
  get local() {
    try {
      return sessionStorage.getItem("search") === "local";
    } catch {
      return false;
    }
  },
  set local(value) {
    try {
      sessionStorage.setItem("search", value ? "local" : "live");
    } catch {
      // Without a memory each search asks the live service first.
    }
  },
};

async function answerTo(question, profile, signal) {
  const sources = [live, local];
  if (remembered.local) sources.reverse();
  for (const source of sources) {
    try {
      const answer = await source(question, profile, signal);
      remembered.local = source === local;
      return answer;
    } catch (error) {
      if (signal.aborted || error instanceof Refused) throw error;
    }
  }
  return null;
}

async function search(profile) {
  running?.abort();
  const control = (running = new AbortController());
  clearTimeout(timer);
  document.title = `${asked.q ? `Search: ${asked.q}` : "Search"} – ${box.dataset.site}`;
  if (!asked.q) return show(undefined);
  at("answer").setAttribute("aria-busy", "true");
  try {
    const answer = await answerTo(asked, profile, control.signal);
    if (control === running) show(answer);
  } catch (error) {
    if (control === running) show(null, error.message);
  }
}

// What is shown

function part(name, values = {}) {
  const made = at(`t-${name}`).content.firstElementChild.cloneNode(true);
  for (const [key, value] of Object.entries(values)) {
    const place = made.querySelector(`[data-is="${key}"]`);
    if (value === null) place.remove();
    else place.replaceChildren(...[value].flat());
  }
  return made;
}

function linked(made, href, current) {
  const link = made.querySelector('[data-is="link"]');
  link.href = href;
  if (current) link.setAttribute("aria-current", "true");
  return made;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const own = (names, value) => (names && Object.hasOwn(names, value) ? names[value] : null); // an address may say "constructor"
const named = (name, value) =>
  own(own(names, name), value) ?? own(KINDS, value) ?? (name === "agent" || name === "category" ? value : capital(value));
const listAddress = () => {
  const { category, agent, min_trust } = asked;
  const rest = parameters({ category, agent, min_trust }).toString();
  return `${root}/playbooks/${rest && "?"}${rest}`;
};
const requestAddress = () => `${root}/submit/?${parameters({ kind: "use_case", title: asked.q.slice(0, 200) })}`;
const unfiltered = () => address({ type: "", category: "", agent: "", min_trust: "", proven: "" });

function show(answer, problem) {
  const used = FILTERS.filter((name) => asked[name]);
  const open = at("answer").querySelector("details")?.open;
  at("filters").replaceChildren(...used.map(filterPart));
  at("filters").hidden = !used.length;
  at("count").replaceChildren(...countOf(answer, used));
  at("answer").replaceChildren(...answerParts(answer, problem, used));
  at("answer").removeAttribute("aria-busy");
  at("lists").hidden = Boolean(answer?.items.length);
  at("none").hidden = !answer;
  at("request").href = requestAddress();
  const details = at("answer").querySelector("details");
  if (details && open) details.open = true;
}

function filterPart(name) {
  return linked(part("filter", { label: LABELS[name], value: named(name, asked[name]) }), address({ [name]: "" }));
}

function countOf(answer, used) {
  if (!answer) return [];
  const shown = answer.items.length;
  if (!shown) return [`Nothing found for “${asked.q}”${used.length ? " with these filters" : ""}.`];
  const more = answer.total > shown;
  const said = `${answer.total.toLocaleString("en")} result${answer.total === 1 ? "" : "s"}`;
  const parts = [`${said}${more ? `, the best ${shown} shown` : ""}.`];
  if (more && shown < MOST) {
    const link = document.createElement("a");
    link.href = address({ limit: String(MOST) });
    link.className = "nowrap";
    link.textContent = `Show ${answer.total <= MOST ? `all ${answer.total}` : MOST}`;
    parts.push(" ", link);
  }
  return parts;
}

function answerParts(answer, problem, used) {
  if (problem !== undefined) {
    const said = capital(problem.replace(/^q:\s*/, ""));
    return [used.length ? linked(part("problem", { said }), unfiltered()) : part("problem", { said, link: null })];
  }
  if (answer === null) return [part("away")];
  if (!answer) return used.length ? [linked(part("unasked"), listAddress())] : [];
  const parts = (answer.notes ?? []).map((said) => part("note", { said }));
  if (answer.suggestion) {
    parts.push(linked(part("meant", { link: answer.suggestion }), address({ q: answer.suggestion })));
  }
  if (answer.items.length && answer.match === "weak") parts.push(linked(part("weak"), requestAddress()));
  if (answer.items.length) {
    const facets = facetParts(answer.facets);
    parts.push(part("found", { facets, hits: answer.items.map(hitPart) }));
    parts.at(-1).querySelector("details").hidden = !facets.length;
  } else if (used.length) parts.push(linked(part("unfiltered"), unfiltered()));
  return parts;
}

function facetParts(facets) {
  let rest = 0;
  const floors = LEVELS.map((level) => [level, (rest += facets.trust?.[level] ?? 0), facets.trust?.[level]]);
  const pairs = { ...facets, min_trust: floors.filter(([, , own]) => own) };
  return ["type", "category", "min_trust", "proven", "agent"].flatMap((name) => {
    const some = name === "min_trust" ? pairs[name] : Object.entries(pairs[name] ?? {}).sort((a, b) => b[1] - a[1]);
    return some.length ? [facetPart(name, some.slice(0, 10))] : [];
  });
}

function facetPart(name, pairs) {
  const values = pairs.map(([value, n]) =>
    linked(part("value", { link: named(name, value), n: String(n) }), address({ [name]: value }), asked[name] === value),
  );
  const made = part("facet", { label: LABELS[name], values });
  made.querySelector("h2").id = `f-${name}`;
  made.querySelector("ul").setAttribute("aria-labelledby", `f-${name}`);
  return made;
}

function hitPart(hit) {
  const category = hit.category ? ` · ${named("category", hit.category)}` : "";
  const made = part("hit", {
    kind: KINDS[hit.type] + category,
    link: hit.title,
    summary: marked(hit.summary, hit.highlights),
    status: hit.status ? capital(hit.status) : null,
    ...(hit.trust ? { trust: capital(hit.trust), ...(hit.proven ? {} : { proven: null }) } : { marks: null }),
  });
  made.querySelector('[data-is="trust"]')?.classList.add(hit.trust);
  return linked(made, `${root}/${hit.type}s/${encodeURIComponent(hit.slug)}/`);
}

function marked(text, spans) {
  const signs = Array.from(text); // offsets count characters, not UTF-16 units
  const parts = [];
  let done = 0;
  for (const { start, end } of spans) {
    const mark = document.createElement("mark");
    mark.textContent = signs.slice(start, end).join("");
    parts.push(signs.slice(done, start).join(""), mark);
    done = end;
  }
  return [...parts, signs.slice(done).join("")].filter((piece) => piece !== "");
}

// What readers do

field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    asked = { ...asked, q: field.value.trim(), limit: "" };
    keepAddress(committed);
    committed = false;
    search("fast");
  }, PAUSE);
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  asked = { ...asked, q: field.value.trim(), limit: "" };
  keepAddress(committed);
  committed = true;
  search("best");
});

document.querySelector("main").addEventListener("click", (event) => {
  const link = event.target.closest?.("#filters a, #count a, #answer a");
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !plain || link.pathname !== `${root}/search/`) return;
  event.preventDefault();
  const to = new URL(link.href);
  const typed = field.value.trim();
  // Words that were typed just before, and are not looked for yet, belong to the question that a filter narrows.
  if (typed !== asked.q && (to.searchParams.get("q") ?? "") === asked.q) to.searchParams.set("q", typed);
  history.pushState(null, "", to);
  committed = true;
  follow();
  at("count").focus();
});

function follow() {
  asked = fromAddress();
  field.value = asked.q;
  search("best");
}

addEventListener("popstate", () => {
  committed = true;
  follow();
});
if (parameters(asked).size && !("answered" in box.dataset)) follow();
else field.value ||= asked.q;
