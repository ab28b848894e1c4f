// Suggest an edit: every passage of a playbook that can be edited gets a button; the text is edited in a box that shows
// the difference, and goes on to the form for a correction, which sends it. Loaded when it is asked for.

import { forGood, keep } from "./kept.js";
import { say } from "./say.js";

const LONGEST = 7500; // characters of the two texts together: a correction takes 8,192
const MOST = 4_000_000; // pairs of words that are compared; above, the passage is shown as a whole
const words = (text) => text.match(/\s+|[^\s]+/g) ?? [];
const made = (tag, properties = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inside);
  return element;
};

// The difference word by word: what stays, what goes, what comes, in order, as pairs of a kind and a text.
export function difference(before, after) {
  const [old, now] = [words(before), words(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const [a, b] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const middle = a.length * b.length > MOST ? [["del", a.join("")], ["ins", b.join("")]] : compared(a, b);
  return joined([["", old.slice(0, head).join("")], ...middle, ["", old.slice(old.length - tail).join("")]]);
}

// The longest common run of words, by the table of lengths from the end.
function compared(a, b) {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = a[i] === b[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const parts = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) parts.push(["", a[(j += 1, i++)]]);
    else if (j >= b.length || (i < a.length && lengths[i + 1][j] >= lengths[i][j + 1])) parts.push(["del", a[i++]]);
    else parts.push(["ins", b[j++]]);
  }
  return parts;
}

function joined(parts) {
  const found = [];
  for (const [kind, text] of parts.filter(([, text]) => text)) {
    if (found.at(-1)?.[0] === kind) found.at(-1)[1] += text;
    else found.push([kind, text]);
  }
  return found;
}

// The sentences or lines that differ: from the end of the one before the first change to the end of the last.
export function narrowed(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const begins = Math.max(0, ...[...before.slice(0, head).matchAll(/[.!?]\s+|\n+/g)].map((end) => end.index + end[0].length));
  const rest = before.slice(before.length - tail);
  const ends = /[.!?](?=\s)|(?=\n)/.exec(rest);
  const kept = ends ? rest.length - ends.index - ends[0].length : 0;
  return [before.slice(begins, before.length - kept), after.slice(begins, after.length - kept)];
}

const at = (book, pointer) => pointer.slice(1).split("/").reduce((value, key) => value?.[key], book);
const texts = (value) => (typeof value === "string" ? [value] : Object.values(value ?? {}).flatMap(texts));
const quoted = (text) => text.split("\n").map((line) => `> ${line}`.trimEnd()).join("\n");

// The text of a correction. A sentence that stands elsewhere too would not say which one is meant.
export function correction(book, before, after, why) {
  const [old, now] = narrowed(before, after);
  const places = texts(book).reduce((sum, text) => sum + text.split(old).length - 1, 0);
  const [from, to] = old && places === 1 ? [old, now] : [before, after];
  return `Instead of:\n${quoted(from)}\n\nWrite:\n${quoted(to)}\n${why.trim() ? `\n${why.trim()}\n` : ""}`;
}

// The box. What was typed for a passage stays while the page is open, however the box was closed.
const typed = new Map();

function edit(book, pointer, button, place) {
  const before = at(book, pointer);
  const text = made("textarea", { id: "suggest-text", rows: Math.min(14, 3 + before.length / 60), value: typed.get(pointer) ?? before });
  const why = made("textarea", { id: "suggest-why", rows: 2 });
  const shown = made("p", { className: "difference" });
  const wrong = made("p", { className: "error" });
  wrong.setAttribute("role", "alert");
  const box = made("dialog", { className: "keys suggest" },
    made("h2", { id: "suggest-head", textContent: "Suggest an edit" }),
    made("label", { htmlFor: "suggest-text", textContent: "The text, as it should be" }), text,
    made("p", { className: "label", textContent: "What changes" }), shown,
    made("label", { htmlFor: "suggest-why", textContent: "Why (optional): what happened, or where it stands" }), why, wrong,
    made("p", { className: "actions" },
      made("button", { type: "button", className: "act", textContent: "Go on to send it", onclick: send }), " ",
      made("button", { type: "button", className: "plain", textContent: "Cancel", onclick: () => box.close() })));
  box.setAttribute("aria-labelledby", "suggest-head");
  text.addEventListener("input", show);
  box.addEventListener("close", () => {
    typed.set(pointer, text.value);
    box.remove();
    button.focus();
  });

  function show() {
    wrong.textContent = "";
    const parts = text.value === before ? [] : difference(before, text.value);
    shown.replaceChildren(...parts.map(([kind, part]) => (kind ? made(kind, { textContent: part }) : part)));
    if (!parts.length) shown.append(made("span", { className: "n", textContent: "Nothing yet." }));
  }

  function send() {
    const body = correction(book, before, text.value, why.value);
    if (text.value.trim() === before.trim()) wrong.textContent = "Nothing is changed yet: edit the text first.";
    else if (!text.value.trim()) wrong.textContent = "A text cannot be taken away here; say so with “Correct this” at the foot of the page.";
    else if (body.length > LONGEST) wrong.textContent = `This is too long for one correction: ${body.length} characters, and ${LONGEST} are the most. Change fewer sentences at once.`;
    else return handOver(body);
    text.focus();
  }

  // The form finds it as what was typed there before: it goes by this browser alone, whatever its length.
  function handOver(body) {
    const query = `?kind=correction&playbook=${encodeURIComponent(book.slug)}&edit=${encodeURIComponent(pointer)}`;
    const title = `Edit of ${place}: ${book.title}`.slice(0, 200);
    const values = { "/kind": "correction", "/playbook": book.slug, "/title": title, "/body": body };
    if (keep(`draft:submit:${query.slice(0, 500)}`, { at: Date.now(), values }, forGood)) location.assign(`${box.dataset.root}/submit/${query}`);
    else wrong.textContent = "This browser keeps nothing, so the text cannot be handed on. Copy it, and send it with “Correct this”.";
  }

  box.dataset.root = document.getElementById("the-keys").dataset.root;
  document.body.append(box);
  show();
  box.showModal();
  text.focus();
}

const NAMES = { summary: "the summary", outcome: "the outcome", prompt: "the prompt", variants: "a prompt", human_checkpoints: "a stop", failures: "a failure" };

function named(pointer) {
  const [, field, number] = pointer.split("/");
  return field === "steps" ? `step ${Number(number) + 1}` : NAMES[field];
}

// Puts the buttons beside the passages, or takes them away again.
export async function begin(button) {
  const before = document.querySelectorAll(".edit-here");
  before.forEach((one) => one.remove());
  button.setAttribute("aria-pressed", String(!before.length));
  if (before.length) return say("The buttons to edit are gone.");
  const answer = await fetch(button.dataset.book).catch(() => null);
  if (!answer?.ok) {
    button.setAttribute("aria-pressed", "false");
    return say("The text could not be loaded. Try again, or use “Correct this”.");
  }
  const book = await answer.json();
  const places = [...document.querySelectorAll("[data-edit]")].filter(({ dataset }) => typeof at(book, dataset.edit) === "string");
  for (const place of places) {
    const { edit: pointer } = place.dataset;
    const here = made("button", { type: "button", className: "plain edit-here", textContent: "Edit" });
    here.append(made("span", { className: "vh", textContent: ` ${named(pointer)}: ${at(book, pointer).slice(0, 60)}` }));
    here.addEventListener("click", () => edit(book, pointer, here, named(pointer)));
    if (place.tagName === "PRE") place.after(here); // what is copied stays as it is
    else place.append(" ", here);
  }
  const seen = [...document.querySelectorAll(".edit-here")].filter((one) => one.checkVisibility());
  (seen.find((one) => one.getBoundingClientRect().top > 0) ?? seen[0])?.focus();
  say(`${seen.length} passages can be edited; each has a button.`);
}
