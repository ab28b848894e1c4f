// Search without a service: the compact index, read and asked as library/search does it, sum by sum, so that both give
// the same answers. Parts of a large index are files: a question is tried, what it missed is fetched, and it is tried
// again. docs/search.md says what each byte means.

const MOST_READ = 8000;
const [LONG, STEMS, SEGMENTS, FEW, FRAME] = [14, 32, 24, 4, 0.2]; // of a text that was pasted
const [SHORTEST, SHORT, MAX_LENGTH, BEGINNINGS, LONGEST_PHRASE] = [3, 4, 40, 8, 6]; // of words
const [PER_SHOWN, LONGEST_NAME, WHOLE, LEAST] = [32, 128, 255000, 255];
const MEANT = 0.7; // what a word that synonyms name counts
const FEEDBACK = { documents: 10, words: 20, weight: 0.3 };
const TRUST = ["reported", "corroborated", "tested", "confirmed"];
const [TRUST_BONUS, KIND_WEIGHT] = [0.01, 0.7];
const WORD = /[\p{L}\p{N}_]+(?:\+\+|#)?/gu;

// Words
const cutLong = (word) => (word.length > MAX_LENGTH ? [...word].slice(0, MAX_LENGTH).join("") : word);
const plain = (word) => word.replaceAll("ß", "ss").normalize("NFKD").replace(/\p{M}/gu, "") || word;
const count = (counts, word, more = 1) => counts.set(word, (counts.get(word) ?? 0) + more);
const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

// Files: a length, lines, numbers in planes
const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];

function halves(bytes) {
  const end = 4 + new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return [decoder.decode(bytes.subarray(4, end)), bytes.subarray(end)];
}
function numbers(bytes, from, size, count) {
  const found = new Uint32Array(size);
  for (let plane = 0; plane < count; plane++) {
    for (let at = 0; at < size; at++) found[at] += bytes[from + plane * size + at] * 256 ** plane;
  }
  return found;
}

// The first sign of a line says how many signs of the one before it begin it.
function wholeLines(text) {
  let last = [];
  const whole = ([same, ...rest]) => (last = [...last.slice(0, same.codePointAt(0) - 48), ...rest]).join("");
  return text ? text.split("\n").map(whole) : [];
}
const linesOf = (bytes) => halves(bytes).map((half, at) => (at ? half : wholeLines(half)));

function rarity(documents, holders) {
  return Math.max(1, Math.round(Math.log(1 + (documents - holders + 0.5) / (holders + 0.5)) * 1000));
}
function termsOf(bytes, count) {
  const [lines, rest] = linesOf(bytes);
  const size = lines.length;
  const sizes = numbers(rest, 0, size, 3);
  const total = sizes.reduce((sum, one) => sum + one, 0);
  const documents = numbers(rest, 3 * size, total, 3);
  const impacts = rest.subarray(3 * size + 3 * total);
  const found = new Map();
  let start = 0;
  lines.forEach((term, at) => {
    const end = start + sizes[at];
    for (let i = start + 1; i < end; i++) documents[i] += documents[i - 1];
    const posting = { documents: documents.subarray(start, end), impacts: impacts.subarray(start, end) };
    found.set(term, { ...posting, idf: rarity(count, sizes[at]) });
    start = end;
  });
  return found;
}
function checksum(term) {
  let sum = 0xffffffff;
  for (const byte of encoder.encode(term)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

// Words that were typed wrong
function oneEdit(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at++;
  const same = (more, others) => one.slice(at + more) === other.slice(at + others);
  const swapped = one[at] === other[at + 1] && one[at + 1] === other[at] && same(2, 2);
  return same(1, 1) || same(1, 0) || same(0, 1) || swapped;
}
// A letter was left out, or two were swapped.
const inOrder = (word) => [...word].sort().join("");
const isLikely = (word, meant) => meant.length === word.length + 1 || inOrder(meant) === inOrder(word);

class Speller {
  constructor(counts) {
    this.counts = counts;
    this.sorted = [...counts.keys()].sort(compare);
  }
  nearest(word) {
    const able = (one) => one.length >= SHORTEST && !/^\p{Nd}+$/u.test(one);
    if (!able(word)) return null;
    const near = this.sorted.filter((one) => oneEdit(word, one) && able(one) && (word.length > SHORTEST || one[0] === word[0]));
    const rank = (one) => (one[0] === word[0] ? 2e9 : 0) + (isLikely(word, one) ? 1e9 : 0) + this.counts.get(one);
    return near.sort((one, other) => rank(other) - rank(one) || compare(one, other))[0] ?? null;
  }
  beginning(start) {
    const found = this.sorted.filter((word) => word.startsWith(start)).slice(0, 50 * BEGINNINGS);
    return found.sort((one, other) => this.counts.get(other) - this.counts.get(one) || compare(one, other)).slice(0, BEGINNINGS);
  }
  halves(word) {
    let [best, most] = [null, 1];
    for (let at = 3; at < word.length - 2; at++) {
      const pair = [word.slice(0, at), word.slice(at)];
      const least = Math.min(...pair.map((one) => this.counts.get(one) ?? 0));
      if (least > most) [best, most] = [pair, least];
    }
    return best;
  }
}

// Gives what loads a file of the index of a site.
export const files = (root) => async (name) => {
  const reply = await fetch(`${root}/search/${name}`);
  if (reply.ok) return reply.arrayBuffer();
  throw new Error(`${name} answered ${reply.status}`);
};

// `load` gives the bytes of a file of the index by its name, `stemmed` the stem of a word in the language of the site.
export async function opened(load, stemmed) {
  const [text, body] = halves(new Uint8Array(await load("search.bin")));
  const head = JSON.parse(text);
  const [small, more, framing] = head.small.map((words) => new Set(words));
  const noise = head.noise.map((source) => new RegExp(source, "gim"));
  const said = new Set(head.said);
  const accents = head.language === "english" ? plain : (word) => word.normalize("NFKC");
  const folded = (word) => accents(word.toLowerCase());
  const spelt = (text) => (text.match(WORD) ?? []).map(folded);
  const stem = (word) => cutLong(/^\p{L}+$/u.test(word) ? stemmed(word) : word);
  const [fetched, read] = [new Map(), new Map()];
  let missed = new Set();
  const smallAsked = (word) => small.has(word) || more.has(word);
  function part(ref, reader) {
    const name = String(ref);
    const bytes = Array.isArray(ref) ? body.subarray(...ref) : fetched.get(ref);
    if (!bytes) missed.add(ref);
    else if (!read.has(name)) read.set(name, reader(bytes));
    return read.get(name) ?? null;
  }

  const of = (term) => part(head.terms[checksum(term) % head.terms.length], (bytes) => termsOf(bytes, head.size))?.get(term);
  const shown = (number) =>
    part(head.shown[Math.floor(number / PER_SHOWN)], (bytes) => JSON.parse(decoder.decode(bytes)))?.[number % PER_SHOWN];
  const speller = () =>
    part(head.words, (bytes) => {
      const [lines, rest] = linesOf(bytes);
      const holders = numbers(rest, 0, lines.length, 3);
      return new Speller(new Map(lines.map((word, at) => [word, holders[at]])));
    }) ?? new Speller(new Map());
  const isKnown = (word) => part(head.known, (bytes) => new Set(wholeLines(decoder.decode(bytes))))?.has(word) ?? true;

  // Filters
  const masks = new Map();
  function having(field, value) {
    const name = `${field}/${value}`;
    if (masks.has(name)) return masks.get(name);
    const found = new Uint8Array(head.size);
    let at = 0;
    const steps = Object.hasOwn(head.filters[field], value) ? head.filters[field][value] : [];
    for (const step of steps) found[(at += step)] = 1;
    if (steps.length) masks.set(name, found); // what a reader makes up is not kept
    return found;
  }

  const standing = new Float64Array(head.size).fill(1);
  for (let number = 0; number < head.size; number++) {
    if (!having("type", "playbook")[number]) standing[number] *= KIND_WEIGHT;
    TRUST.forEach((level, rank) => {
      if (having("trust", level)[number]) standing[number] *= 1 + TRUST_BONUS * rank;
    });
  }

  // Groups of masks: of each group one must let a document through.
  function wanted({ type, agent, category, min_trust: floor, proven }) {
    const plain = Object.entries({ type, category, proven: String(proven) === "true" ? "true" : "" });
    const all = plain.filter(([, value]) => value).map(([field, value]) => [having(field, value)]);
    if (agent) {
      const own = having("agent", agent);
      all.push(own.includes(1) ? [own, having("agent", "any-agent")] : [own]);
    }
    if (floor) {
      const trusted = TRUST.slice(TRUST.indexOf(floor)).map((level) => having("trust", level));
      all.push(type && type !== "playbook" ? [...trusted, having("type", type)] : trusted);
    }
    return (number) => all.every((some) => some.some((mask) => mask[number]));
  }

  // What a question means
  const repeated = (counts) => new Map([...counts].map(([word, count]) => [word, (count * 2) / (count + 1)]));
  function meant(phrase) {
    const found = new Set();
    phrase.forEach((_, start) => {
      for (let size = 1; size <= LONGEST_PHRASE; size++) {
        const run = phrase.slice(start, start + size).join(" ");
        if (Object.hasOwn(head.means, run)) for (const word of head.means[run]) found.add(word);
      }
    });
    return [...found].filter((word) => !phrase.includes(word)).sort(compare);
  }
  function mended(word) {
    if ([...word].length > MAX_LENGTH) return [];
    const near = speller().nearest(word);
    return near ? [near] : (speller().halves(word) ?? []);
  }
  const surely = (word, [first]) => word.length > SHORT || (word.length === SHORT && isLikely(word, first));
  function short(question, typed, asked, typing) {
    const open = typing && asked.length && /[\p{L}\p{N}]$/u.test(question) && typed.at(-1) === asked.at(-1);
    const unfinished = open ? asked.at(-1) : null;
    const begun = unfinished ? speller().beginning(unfinished).map(stem) : [];
    const counts = new Map();
    let [fixes, unknown] = [new Map(), new Set()];
    for (const word of asked) {
      if (of(stem(word)) || (word === unfinished && begun.length)) count(counts, stem(word));
      else if (!said.has(word) && !isKnown(word)) {
        const fixed = mended(word);
        if (fixed.length && surely(word, fixed)) {
          fixes.set(word, fixed.join(" "));
          for (const one of fixed) if (!smallAsked(one)) count(counts, stem(one));
        } else unknown.add(word);
      } else if (!said.has(word)) unknown.add(word);
    }
    const whole = () => typed.map((word) => fixes.get(word) ?? word).join(" ");
    const weights = repeated(counts);
    for (const word of meant(spelt(whole()).filter((one) => !small.has(one)).map(stem))) weights.set(word, MEANT);
    for (const word of begun) if (!weights.has(word)) weights.set(word, 0.5);
    if (!weights.size) fixes = new Map(asked.map((word) => [word, mended(word).join(" ")]).filter(([, fixed]) => fixed));
    return { parts: [weights], marked: new Set(weights.keys()), suggestion: fixes.size ? whole() : null, unknown: unknown.size };
  }
  function weighed(words) {
    const roots = words.map(stem);
    const counts = new Map();
    for (const word of roots) if (of(word)) count(counts, word);
    const weights = repeated(counts);
    for (const word of meant(roots)) weights.set(word, MEANT);
    for (const [word, weight] of weights) if (framing.has(word)) weights.set(word, weight * FRAME);
    return weights;
  }
  function pasted(question) {
    const plain = question.replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(noise[0], " ").replace(noise[1], " ");
    const read = [[]];
    for (const sentence of plain.split(noise[2])) {
      read.at(-1).push(...spelt(sentence).filter((word) => !smallAsked(word)));
      if (read.at(-1).length >= FEW) read.push([]);
    }
    const all = read.filter((words) => words.length).map(weighed);
    const parts = [...new Map(all.map((one) => [[...one.keys()].sort(compare).join(" "), one])).values()]; // no line twice
    const says = new Map();
    for (const [word, weight] of parts.flatMap((one) => [...one])) {
      const posting = of(word);
      const most = posting ? posting.idf * Math.max(...posting.impacts) : 0;
      if (posting) says.set(word, Math.max(says.get(word) ?? 0, weight * most));
    }
    const byWorth = [...says].sort(([one, a], [other, b]) => b - a || compare(one, other));
    const kept = new Set(byWorth.slice(0, STEMS).map(([word]) => word));
    const found = parts.map((one) => new Map([...one].filter(([word]) => kept.has(word))));
    const strength = found.map((one) => [...one.keys()].reduce((sum, word) => sum + says.get(word), 0));
    const best = found.map((_, at) => at).sort((one, other) => strength[other] - strength[one] || one - other);
    const chosen = best.slice(0, SEGMENTS).sort((one, other) => one - other);
    return { parts: chosen.map((at) => found[at]), marked: kept, suggestion: null };
  }
  function meaning(question, typing) {
    const typed = spelt(question);
    const told = typed.filter((word) => !smallAsked(word));
    const asked = told.length ? told : typed.filter((word) => !small.has(word));
    return asked.length > LONG ? pasted(question) : short(question, typed, asked, typing);
  }

  // Scores
  function ofWords(words) {
    const found = new Float64Array(head.size);
    for (const [word, weight] of words) {
      const posting = of(word);
      const factor = posting ? weight * posting.idf : 0;
      posting?.documents.forEach((number, at) => (found[number] += factor * posting.impacts[at]));
    }
    return found;
  }
  function ofParts(parts) {
    const total = new Float64Array(head.size);
    for (const words of parts) ofWords(words).forEach((score, number) => (total[number] += score * score));
    return total.map(Math.sqrt);
  }
  function withFeedback(words, scores) {
    const matched = [...scores.keys()].filter((number) => scores[number] > 0);
    const best = matched.sort((one, other) => scores[other] - scores[one] || one - other).slice(0, FEEDBACK.documents);
    if (!head.large || !best.length) return scores;
    const sums = new Map();
    for (const number of best) {
      const share = scores[number] / scores[best[0]];
      for (const [word, weight] of Object.entries(shown(number)?.says ?? {})) count(sums, word, weight * share);
    }
    const chosen = [...sums].sort(([one, a], [other, b]) => b - a || compare(one, other)).slice(0, FEEDBACK.words);
    if (!chosen.length) return scores;
    const strongest = (Math.max(...words.values()) * FEEDBACK.weight) / chosen[0][1];
    const more = ofWords(chosen.map(([word, sum]) => [word, sum * strongest]));
    return scores.map((score, number) => (score > 0 ? score + more[number] : 0));
  }

  // The answer
  function marks(summary, words) {
    let [place, units] = [0, 0];
    const found = [];
    for (const match of summary.matchAll(WORD)) {
      place += [...summary.slice(units, match.index)].length;
      const end = place + [...match[0]].length;
      const word = folded(match[0]);
      if (words.has(stem(word)) || words.has(stem(plain(word)))) found.push({ start: place, end });
      [place, units] = [end, match.index + match[0].length];
    }
    return found;
  }
  function hit(number, score, words) {
    const { id, says, agents, trust, category, status, proven, ...rest } = shown(number) ?? { id: "", summary: "" };
    const [type, slug] = id.split("/");
    const made = { type, slug, ...rest, score: score / WHOLE, highlights: marks(rest.summary, words) };
    if (type === "playbook" || type === "lesson") made.agents = agents;
    if (status !== "active") made.status = status;
    for (const [name, value] of Object.entries({ trust, category, proven })) if (value) made[name] = value;
    return made;
  }
  function isClose([weights], unknown, number) {
    const [[constant, ...factors], strongest] = head.close;
    let [worth, strong, held, mass] = [0, 0, 0, unknown * rarity(head.size, 0)];
    for (const word of weights.keys()) {
      const posting = of(word);
      if (!posting) continue;
      const impact = posting.impacts[posting.documents.indexOf(number)] ?? 0;
      mass += posting.idf;
      worth += posting.idf * impact;
      if (impact) held += posting.idf;
      if (impact >= strongest) strong += posting.idf;
    }
    const whole = mass || 1;
    const values = [worth / whole / 255, strong / whole, held / whole, weights.size + unknown];
    return values.reduce((sum, value, at) => sum + factors[at] * value, 0) + constant > 0;
  }
  function notes(question, { agent, category }) {
    const found = [];
    const [size, most] = [[...question].length, MOST_READ].map((number) => number.toLocaleString("en-US"));
    if ([...question].length > MOST_READ) found.push(`The question has ${size} characters; the first ${most} were read.`);
    for (const [field, value] of Object.entries({ agent, category })) {
      const known = value && Object.hasOwn(head.filters[field], value);
      const others = Object.keys(head.filters[field]).slice(0, 24).join(", ");
      const asked = value && [...value].slice(0, LONGEST_NAME).join("");
      if (value && !known) found.push(`Nothing here has the ${field} “${asked}”; others are ${others}.`);
    }
    return found;
  }
  function facets(matched) {
    const within = (mask) => matched.reduce((sum, number) => sum + mask[number], 0);
    const counts = (field) => Object.keys(head.filters[field]).map((value) => [value, within(having(field, value))]);
    const some = (field) => Object.fromEntries(counts(field).filter(([, number]) => number));
    return Object.fromEntries(["type", "category", "agent", "trust", "proven"].map((field) => [field, some(field)]));
  }
  function tried(question) {
    const whole = question.q.trim();
    const asked = [...whole].slice(0, MOST_READ).join("");
    const fast = question.profile === "fast";
    const { parts, marked, suggestion, unknown } = meaning(asked, fast);
    let scores = ofParts(parts);
    if (!fast && parts.length === 1) scores = withFeedback(parts[0], scores);
    const tier = new Uint8Array(head.size);
    const name = spelt(asked).join(" ");
    ["@", "="].forEach((mark, at) => name && of(mark + name)?.documents.forEach((number) => (tier[number] = at + 1)));
    const lets = wanted(question);
    const matched = [];
    for (let number = 0; number < head.size; number++) {
      if (tier[number] && scores[number] <= 0) scores[number] = LEAST;
      scores[number] *= standing[number];
      if (scores[number] > 0 && lets(number)) matched.push(number);
    }
    const first = [tier, having("status", "active"), ...(question.agent ? [having("agent", question.agent)] : []), scores];
    const ahead = (one, other) => first.reduce((sum, by) => sum || by[other] - by[one], 0) || one - other;
    const order = [...matched].sort(ahead);
    const close = order.length > 0 && isClose(parts, unknown ?? 0, order[0]);
    return {
      total: matched.length,
      items: order.slice(0, Number(question.limit) || 10).map((number) => hit(number, scores[number], marked)),
      facets: facets(matched),
      suggestion,
      match: unknown === undefined ? undefined : close ? "close" : "weak",
      notes: notes(whole, question),
    };
  }

  return async function answer(question) {
    for (;;) {
      missed = new Set();
      const found = tried(question);
      if (!missed.size) return found;
      await Promise.all([...missed].map(async (ref) => fetched.set(ref, new Uint8Array(await load(ref)))));
    }
  };
}
