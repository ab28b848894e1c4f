// The forms for a run report and for a submission: shows the JSON as it grows, looks for private data before anything
// is sent, sends it once, puts errors at their fields, shows the receipt. Without it the page names the other ways.

import { drafting } from "./form-draft.js";
import { clearErrors, clearMended, showErrors } from "./form-errors.js";
import { searching } from "./form-private.js";
import { NotAnswered, Refused, forgetKey, keyFor, send } from "./form-sending.js";
import { addItem, bodyOf, controls, fill } from "./form-values.js";
import { forNow, keep, kept } from "./kept.js";
import { remember } from "./mine.js";

const PATIENCE = 5000; // milliseconds that the service has to say that it is there
const at = (id) => document.getElementById(id);
const form = at("form");
const { api, root, path, most, form: name } = form.dataset;
const draft = drafting(form);
const ONCE = `once:${name}`;
const KEY = "api-key";
const OTHER_KINDS = { // what a kind has no use for: a whole playbook says it in its own fields
  "/agent": ["correction", "playbook"],
  "/source_url": ["playbook"],
};

let find = null; // the search for private data
let running = null; // the sending that is under way
let unsaid = ""; // what was asked for once already and may be left out

try {
  find = searching(JSON.parse(at("private-table").textContent));
} catch {
  // A browser that does not know these patterns: the library looks when it gets it, and says the same.
}

// Whether the service is there. Another site's service cannot be written to from a page.

async function present() {
  if (new URL(api, location.href).origin !== location.origin) return false;
  try {
    const reply = await fetch(`${api}/healthz`, { signal: AbortSignal.timeout(PATIENCE), cache: "no-store" });
    return reply.ok && (await reply.json()).status === "ok";
  } catch {
    return false;
  }
}

async function open() {
  const there = await present();
  at("away").hidden = there;
  form.hidden = !there;
  return there;
}

async function askAgain() {
  at("again-said").textContent = "Asking …";
  const there = await open();
  at("again-said").textContent = there ? "" : "Still no answer.";
  if (there) focusFirst();
}

const focusFirst = () => form.querySelector("input, textarea").focus();

// What the fields say

const outcome = () => form.querySelector('[data-choice="/outcome"] input:checked')?.value;
const kind = () => form.querySelector('[data-choice="/kind"] input:checked')?.value;

function follow() {
  const payload = form.querySelector('[data-object="/payload"]');
  if (payload) {
    payload.hidden = kind() !== "playbook";
    for (const [pointer, kinds] of Object.entries(OTHER_KINDS)) {
      const entry = form.querySelector(`[data-pointer="${pointer}"]`).closest(".entry");
      entry.dataset.unless = kinds.join(" ");
      entry.hidden = kinds.includes(kind());
    }
  }
  const changed = form.querySelector('[data-pointer="/what_changed"]')?.closest(".entry");
  if (changed) {
    changed.dataset.unless = "worked";
    changed.hidden = !outcome() || outcome() === "worked";
  }
  at("json").textContent = JSON.stringify(bodyOf(form), null, 2);
}

function prefill(without = []) {
  const given = new URLSearchParams(location.search);
  for (const name of without) given.delete(name);
  const known = controls(form).map((control) => control.dataset.pointer);
  const choices = [...form.querySelectorAll("[data-choice]")].map((choice) => choice.dataset.choice);
  const asked = [...known, ...choices].filter((pointer) => given.get(pointer.slice(1)));
  fill(form, Object.fromEntries(asked.map((pointer) => [pointer, given.get(pointer.slice(1)).slice(0, 2000)])));
  if (asked.includes("/duration_minutes")) form.querySelector("details").open = true; // a guess is seen before it is sent
}

// What is wrong before it is sent

function missing() {
  const problems = [];
  const add = (place, detail) => problems.push({ place, detail });
  for (const choice of form.querySelectorAll("[data-choice][data-needed]")) {
    if (!choice.querySelector("input:checked")) add(choice, "is missing; choose one");
  }
  for (const list of form.querySelectorAll("[data-list][data-needed]")) {
    const some = [...list.querySelectorAll("[data-pointer]")].some((item) => item.value.trim());
    if (!some && !hidden(list)) add(list, "are missing; write at least one");
  }
  for (const control of controls(form).filter((one) => !hidden(one))) {
    const { longest } = control.dataset;
    const length = [...control.value].length;
    if (control.getAttribute("aria-required") && !control.value.trim()) add(control, "is missing; write it");
    if (length > Number(longest)) add(control, `is too long: at most ${longest} characters, and here are ${length}`);
  }
  return problems;
}

// Whether what was typed in one place is wrong by what this page knows; what the library said is right until it says so again.
function wrongStill(control) {
  const own = ({ place, pointer }) => (place ? place.contains(control) : pointer === control.dataset.pointer);
  return [...missing(), ...privateMatter(bodyOf(form))].some(own);
}

// The names of the playbooks, to choose from, once somebody comes to that field.
async function offerPlaybooks({ target }) {
  const answer = await fetch(`${root}/playbooks/rows.json`).catch(() => null);
  if (!answer?.ok) return; // it is typed then
  const { rows } = await answer.json();
  const options = rows.slug.map((slug, place) => Object.assign(document.createElement("option"), { value: slug, label: rows.title[place] }));
  const list = Object.assign(document.createElement("datalist"), { id: "playbooks" });
  list.append(...options);
  form.append(list);
  target.setAttribute("list", list.id);
}

const hidden = (element) => Boolean(element.closest("[hidden]:not(form)"));

function privateMatter(value, pointer = "") {
  if (typeof value === "string") {
    const kinds = (find?.(value) ?? []).filter((found) => found.refused);
    return kinds.map(({ words }) => ({ pointer, detail: `holds ${words}; take it out` }));
  }
  if (!value || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => privateMatter(inner, `${pointer}/${key}`));
}

// A reader may leave out what changed, but not by oversight: it is asked for once.
function askedFor(body) {
  const unsure = outcome() && outcome() !== "worked" && !body.what_changed && unsaid !== outcome();
  if (!unsure) return [];
  unsaid = outcome();
  const end = outcome() === "failed" ? "Say where it went wrong" : "Say what had to be done otherwise";
  return [{ pointer: "/what_changed", detail: `is empty. ${end}, or send it again as it is` }];
}

function problemsOf(body) {
  const agreed = at("agreed").checked ? [] : [{ place: at("agreed"), detail: "Say that nothing in it is private" }];
  return [...missing(), ...privateMatter(body), ...askedFor(body), ...agreed];
}

// Sending

async function submit() {
  if (running) return;
  left.clear(); // all of it is looked at now
  const body = bodyOf(form);
  const problems = problemsOf(body);
  if (problems.length) return showErrors(form, "Nothing was sent. Look at this first:", problems);
  const text = JSON.stringify(body);
  if (new TextEncoder().encode(text).length > Number(most)) {
    return showErrors(form, "Nothing was sent.", [{ pointer: "", detail: `It is too long as a whole: at most ${most} bytes` }]);
  }
  clearErrors(form);
  const key = at("key").value.trim();
  keep(KEY, (at("keep-key").checked && key) || null, forNow);
  const { once, before } = keyFor(ONCE, text, key.slice(0, 12));
  const headers = { "Content-Type": "application/json", "Idempotency-Key": once };
  if (key) headers.Authorization = `Bearer ${key}`;
  begin(before ? "Sending it again; it is stored only once …" : "Sending …");
  try {
    const receipt = await send(`${api}${path}`, text, headers, sayInView, running.signal).finally(end);
    remember(receipt, body);
    arrived(receipt);
  } catch (error) {
    failed(error);
  }
}

// What is under way cannot be changed any more: a field that is changed meanwhile would be lost with the receipt.
function hold(held) {
  if (held && form.contains(document.activeElement)) at("send").focus();
  for (const part of form.children) if (!part.contains(at("send")) && part !== at("form-said")) part.inert = held;
  at("clear").disabled = held;
  form.setAttribute("aria-busy", String(held));
}

function begin(words) {
  running = new AbortController();
  at("send").setAttribute("aria-disabled", "true");
  at("stop").hidden = false;
  hold(true);
  say(words);
}

function end() {
  running = null;
  at("send").removeAttribute("aria-disabled");
  at("stop").hidden = true;
  hold(false);
}

const say = (words) => { at("form-said").textContent = words; };

// It stands below the buttons, which on a phone may be the last that is seen.
function sayInView(words) {
  say(words);
  at("form-said").scrollIntoView({ block: "nearest" });
}

function failed(error) {
  if (error instanceof NotAnswered) return sayInView(error.message);
  if (!(error instanceof Refused)) throw error;
  forgetKey(ONCE);
  say("");
  const problems = error.errors.map(({ pointer, detail }) => ({ pointer: String(pointer), detail: String(detail) }));
  const whole = { pointer: "", detail: error.message, place: error.status === 401 ? at("key") : undefined };
  showErrors(form, `Nothing was stored. ${error.title}.`, problems.length ? problems : [whole]);
}

const WORDS = { id: "Id", playbook: "Playbook", playbook_version: "Version of the playbook", received: "Received", edit_token: "Edit token" };

function arrived(receipt) {
  forgetKey(ONCE);
  draft.drop();
  say("");
  form.hidden = true;
  const rows = Object.keys(WORDS).filter((field) => typeof receipt[field] === "string");
  const told = { ...receipt, received: moment(receipt.received) };
  at("receipt-facts").replaceChildren(...rows.map((field) => row(WORDS[field], told[field], field)));
  at("receipt-said").textContent = "It waits for review, and is public once it is approved.";
  at("receipt-token").hidden = !receipt.edit_token;
  at("receipt-save").href = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2), "\n"], { type: "application/json" }));
  at("receipt-status").href = `${root}/submissions/?id=${encodeURIComponent(receipt.id)}`;
  at("receipt").hidden = false;
  at("receipt-head").focus();
}

// As the page of where it stands says it.
function moment(at) {
  return `${new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC`;
}

function row(label, value, field) {
  const made = document.createElement("div");
  const [term, told] = [document.createElement("dt"), document.createElement("dd")];
  const text = document.createElement(["id", "edit_token", "playbook_version"].includes(field) ? "code" : "span");
  term.textContent = label;
  text.textContent = value;
  told.append(text);
  made.append(term, told);
  return made;
}

// What readers do

function emptied() {
  draft.drop();
  form.reset();
  for (const more of form.querySelectorAll("[data-list] li:not(:first-child)")) more.remove();
  for (const button of form.querySelectorAll("[data-add]")) button.hidden = false;
  form.querySelectorAll(".warning").forEach((said) => said.remove());
  clearErrors(form);
  say("");
  unsaid = "";
  follow();
}

form.addEventListener("input", (event) => {
  if (event.target.id !== "agreed" || event.target.checked) {
    if (!wrongStill(event.target)) clearMended(form, event.target);
  }
  if (["key", "keep-key", "agreed"].includes(event.target.id)) return;
  follow();
  for (const gone of form.querySelectorAll("[hidden] [aria-invalid]")) clearMended(form, gone);
  draft.soon();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !at("send").disabled) form.requestSubmit();
});
form.querySelector('[data-pointer="/playbook"]').addEventListener("focus", offerPlaybooks, { once: true });
form.addEventListener("click", (event) => {
  const list = event.target.closest("[data-add]")?.closest("[data-list]");
  if (list) addItem(list)?.focus();
});
// One paste may hold what is private in any box: say so when the box is left, not only at the end. What is said moves
// what stands below it, so it waits for a pointer that is down: a click would miss what it was meant for.
const left = new Set(); // boxes that were left and are not looked at yet
let pressed = false;

function lookSoon() { // after the click that ends a press
  setTimeout(() => {
    left.forEach(warn);
    left.clear();
  });
}

function warn(box) {
  const words = find(box.value).map((found) => found.words);
  const warning = words.length ? `This looks like ${[...new Set(words)].join(" and ")}. Take it out before you send it.` : "";
  const place = box.parentElement.querySelector(".warning") ?? document.createElement("p");
  place.className = "warning";
  place.setAttribute("role", "status");
  place.textContent = warning;
  if (warning) box.after(place);
  else place.remove();
}

form.addEventListener("focusout", ({ target }) => {
  if (!target.dataset.pointer || !find) return;
  left.add(target);
  if (!pressed) lookSoon();
});
addEventListener("pointerdown", () => { pressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    pressed = false;
    lookSoon();
  }, true);
}
at("clear").addEventListener("click", () => {
  emptied();
  focusFirst();
});
at("stop").addEventListener("click", () => {
  running?.abort();
  at("send").focus(); // the button that was pressed goes away
});
at("again").addEventListener("click", askAgain);
at("another").addEventListener("click", () => {
  at("receipt").hidden = true;
  at("receipt-facts").replaceChildren();
  emptied();
  prefill(["title"]); // the same playbook again, or the same kind, about something else
  follow();
  form.hidden = false;
  focusFirst();
});
addEventListener("pagehide", () => draft.now());

if (!draft.restore()) prefill();
at("key").value = kept(KEY, forNow) ?? "";
at("keep-key").checked = Boolean(at("key").value);
follow();
at("send").disabled = false;
form.dataset.ready = ""; // until here nothing of it is seen, so that nothing moves when it is filled in
open();
