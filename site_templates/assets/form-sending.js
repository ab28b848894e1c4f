// Sends one body, tries again as the library says, always with the same idempotency key: it is stored only once.
// The rules are those of the command line (client/commands.py).

import { forNow, keep, kept } from "./kept.js";

const SECONDS = 30; // for one answer
const PATIENCE = 120; // seconds that may be waited in all
const AGAIN = new Set([408, 425, 429, 500, 502, 503, 504]);

let last = {}; // where the browser keeps nothing: the key is remembered as long as the page is

// The key of one sending, on the shelf before it is used. The same body by the same sender has the same key, until it
// was answered; a changed body is another sending and gets another one.
export function keyFor(name, body, sender) {
  const told = JSON.stringify([sender, body]);
  const before = kept(name, forNow) ?? last;
  if (before.told === told) return { once: before.once, before: true };
  const once = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  keep(name, (last = { told, once }), forNow);
  return { once, before: false };
}

export function forgetKey(name) {
  last = {};
  keep(name, null, forNow);
}

export class NotAnswered extends Error {}
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `The answer was ${status}, and not in the words of a library.`);
    this.status = status;
    this.title = problem.title ?? "Not taken";
    this.errors = Array.isArray(problem.errors) ? problem.errors : [];
  }
}

// The receipt. `say` is told of every wait, `stop` is an AbortSignal of the reader's.
export async function send(url, body, headers, say, stop) {
  let waited = 0;
  for (let number = 0; ; number += 1) {
    const answer = await ask(url, body, headers, stop);
    if (answer.status === 201) return receiptIn(answer);
    if (answer.status && !AGAIN.has(answer.status)) throw new Refused(answer.status, answer.problem);
    const wait = answer.after ?? 2 ** number;
    const why = answer.status ? `${answer.problem.title ?? "Not now"}.` : "No answer came.";
    if (stop.aborted || waited + wait > PATIENCE) {
      throw new NotAnswered(`${why} Send it again${wait > 1 ? ` in ${inWords(wait)} or later` : ""}: it is stored only once.`);
    }
    await pause(wait, stop, (left) => say(`${why} Trying again in ${inWords(left)}.`));
    waited += wait;
    if (!stop.aborted) say("Sending …");
  }
}

async function ask(url, body, headers, stop) {
  const limit = new AbortController();
  const end = () => limit.abort();
  const clock = setTimeout(end, SECONDS * 1000);
  stop.addEventListener("abort", end);
  try {
    const reply = await fetch(url, { method: "POST", body, headers, signal: limit.signal, redirect: "error" });
    const told = await reply.text();
    const after = reply.headers.get("Retry-After");
    return { status: reply.status, told, problem: parsed(told), after: /^\d{1,9}$/.test(after) ? Math.max(1, Number(after)) : null };
  } catch {
    return { status: 0, told: "", problem: {}, after: null };
  } finally {
    clearTimeout(clock);
    stop.removeEventListener("abort", end);
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function receiptIn({ problem: receipt }) {
  if (typeof receipt.id === "string") return receipt;
  throw new NotAnswered("The answer is no receipt. It may be stored: send it again, and it is stored only once.");
}

async function pause(seconds, stop, say) {
  for (let left = seconds; left > 0 && !stop.aborted; left -= 1) {
    if (left === seconds || left % 10 === 0) say(left);
    await new Promise((done) => {
      const clock = setTimeout(done, 1000);
      stop.addEventListener("abort", () => { clearTimeout(clock); done(); }, { once: true });
    });
  }
}

export function inWords(seconds) {
  if (seconds < 120) return `${seconds} second${seconds === 1 ? "" : "s"}`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
