// Searches with no service: Pagefind's index of the built pages, asked so that its answers read like the service's.
// Pagefind wants every word, and takes the beginning of a word that it does not know ("x" for "xyzzy"). So each word
// is looked up by itself, what nothing holds is left out, and what pages score for each is added up.

const MOST_WORDS = 8;
const ANY_AGENT = "any-agent"; // what names it is for every agent that is asked for, and comes after what names that one

export const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

// Gives a function that answers questions. `levels` are the trust levels, best first; `small` words say nothing.
export async function opened(root, levels, small) {
  const engine = await import(`${root}/pagefind/pagefind.js`);
  await engine.destroy(); // what it knew of an earlier build
  await engine.init();
  const known = await engine.filters(); // it counts only by filters that it has read
  const values = valuesOf(engine, known);

  return async function answer(question) {
    const typed = [...new Set(words(question.q))].slice(0, 40);
    const told = typed.filter((word) => !small.has(word));
    const asked = (told.length ? told : typed).slice(0, MOST_WORDS);
    const options = { filters: filtersOf(question, levels, known) };
    const found = await matches(engine, asked, options, values);
    const results = question.agent ? await ownFirst(found.results, question.agent, values) : found.results;
    const shown = await Promise.all(results.slice(0, Number(question.limit) || 10).map((result) => result.data()));
    const name = words(question.q).join(" ");
    const rank = (hit) => (words(hit.title).join(" ") === name ? -1 : hit.status ? 1 : 0);
    const items = shown.map((page) => hitOf(page, asked)).sort((one, other) => rank(one) - rank(other));
    const facets = Object.entries(found.filters).map(([field, counts]) => [field, counted(counts)]);
    return { total: found.results.length, items, facets: Object.fromEntries(facets), suggestion: null };
  };
}

function filtersOf({ type, category, agent, min_trust: floor, proven }, levels, known) {
  const filters = {};
  if (type) filters.type = type;
  if (category) filters.category = category;
  if (agent) filters.agent = Object.hasOwn(known.agent ?? {}, agent) ? { any: [agent, ANY_AGENT] } : agent;
  if (proven === "true") filters.proven = proven;
  if (floor && (!type || type === "playbook")) filters.trust = { any: levels.slice(0, levels.indexOf(floor) + 1) };
  return filters;
}

async function ownFirst(results, agent, values) {
  const [, , ids] = (await values()).find(([field, value]) => field === "agent" && value === agent) ?? [null, null, []];
  const own = new Set(ids);
  return [...results].sort((one, other) => own.has(other.id) - own.has(one.id));
}

async function matches(engine, asked, options, values) {
  const looked = await Promise.all(asked.map((word, i) => single(engine, word, i === asked.length - 1, options)));
  const singles = looked.filter(Boolean);
  if (singles.length === 1) return singles[0];
  const sums = new Map();
  for (const result of singles.flatMap(({ results }) => results)) {
    const before = sums.get(result.id);
    sums.set(result.id, before ? { ...before, score: before.score + result.score } : pick(result));
  }
  return { results: ordered([...sums.values()]), filters: sums.size ? await countsOf(sums, await values()) : {} };
}

const pick = (result) => ({ id: result.id, score: result.score, data: () => result.data() });

// Which pages have each value of each filter; asked for once, when a question of several words comes.
function valuesOf(engine, known) {
  const pages = async (field, value) => {
    const { results } = await engine.search(null, { filters: { [field]: value } });
    return [field, value, results.map(({ id }) => id)];
  };
  const all = Object.entries(known).flatMap(([field, counts]) => Object.keys(counts).map((value) => [field, value]));
  let asked = null;
  return () => (asked ??= Promise.all(all.map(([field, value]) => pages(field, value))));
}

function countsOf(found, values) {
  const counts = {};
  for (const [field, value, ids] of values) {
    (counts[field] ??= {})[value] = ids.filter((id) => found.has(id)).length;
  }
  return counts;
}

// The pages that hold one word; null where none does. The last one may be a beginning, for it may still be typed.
async function single(engine, word, last, options) {
  const [exact, near] = await Promise.all([engine.search(`"${word}"`, options), engine.search(word, options)]);
  if (exact.unfilteredResultCount) {
    const held = new Set(exact.results.map(({ id }) => id));
    return { word, results: ordered(near.results.filter(({ id }) => held.has(id))), filters: exact.filters };
  }
  if (!last || word.length < 3 || !near.results.length) return null;
  const first = await near.results[0].data();
  const begins = words(`${first.meta.title} ${first.content}`).some((other) => other.startsWith(word));
  return begins ? { word, results: ordered(near.results), filters: near.filters } : null;
}

// Scores differ in their last digits from one time to the next.
function ordered(results) {
  const near = ({ score }) => Math.round(score * 1000);
  return [...results].sort((one, other) => near(other) - near(one) || (one.id < other.id ? -1 : 1));
}

function counted(counts) {
  const some = Object.entries(counts).filter(([, n]) => n);
  return Object.fromEntries(some.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hitOf({ meta }, asked) {
  const roots = new Set(asked.map(rootOf));
  const highlights = [];
  let place = 0;
  for (const part of (meta.summary ?? "").split(/([\p{L}\p{N}_]+)/u)) {
    const end = place + [...part].length;
    if (part && roots.has(rootOf(part.toLowerCase()))) highlights.push({ start: place, end });
    place = end;
  }
  return { summary: "", ...meta, highlights };
}

function rootOf(word) {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|e)$/, "") : word.replace(/s$/, "");
}
