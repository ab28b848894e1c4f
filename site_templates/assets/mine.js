// What this browser knows of its reader: receipts with their live state, runs under way, and all of it as a file.
// Names and states come from outside and are only ever set as text.

import { keep, kept } from "./kept.js";
import { say as aloud } from "./say.js";

const OPEN = new Set(["pending", "approved", "queued", "screened", "changes_requested", "accepted"]);
const OURS = /^(?:mine|run:[a-z0-9-]{1,100}|checked:[a-z0-9-]{1,100})$/;
const FIELDS = ["token", "kind", "title", "sent", "seen"]; // of a receipt, beside its id
const MOST = 500; // receipts that are kept

const page = document.getElementById("mine");
const said = document.getElementById("mine-said");

function say(words) {
  said.textContent = words;
  aloud(words);
}

const named = (slug) => slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll("-", " ");

// A receipt goes to the front of what is kept. It has the playbook's name in addresses, whatever was typed for it.
export function remember(receipt, { kind = "run", title = "", playbook = "" }) {
  const { id, edit_token: token = "", playbook: slug = playbook } = receipt;
  const others = sent().filter((one) => one.id !== id);
  if (kind === "run") keep(`run:${slug}`, null); // it is told of now
  keep("mine", [{ id, token, kind, title: title || named(slug), sent: new Date().toISOString(), seen: "" }, ...others].slice(0, MOST));
}

// What is kept may come from a file that somebody wrote: only what a receipt has is taken, and as text.
function sent() {
  const list = kept("mine");
  const receipts = Array.isArray(list) ? list.filter((one) => /^(?:sub|run)_[a-z0-9]{26}$/.test(one?.id)) : [];
  const text = (value) => (typeof value === "string" ? value.slice(0, 300) : "");
  return receipts.map((one) => ({ id: one.id, ...Object.fromEntries(FIELDS.map((name) => [name, text(one[name])])) }));
}

const update = (id, change) => keep("mine", sent().map((one) => (one.id === id ? { ...one, ...change } : one)));

function open() {
  const rows = sent().map(row);
  document.getElementById("sent-rows").replaceChildren(...rows);
  document.getElementById("sent-none").hidden = rows.length > 0;
  const runs = Object.keys(localStorage).filter((name) => name.startsWith("run:") && OURS.test(name)).sort();
  document.getElementById("runs-rows").replaceChildren(...runs.map(underWay));
  document.getElementById("runs-none").hidden = runs.length > 0;
}

function element(tag, text, more = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...more });
}

function underWay(name) {
  const slug = name.slice(4);
  const item = element("li", "");
  const step = Number(kept(name)?.at) || 0;
  item.append(element("a", named(slug), { href: `${page.dataset.root}/playbooks/${slug}/run/` }), ` step ${step}`);
  return item;
}

function day(moment) {
  const date = new Date(moment); // what a file says may be no day
  return Number.isNaN(date.getTime()) ? "some time ago" : date.toLocaleDateString("en-GB", { dateStyle: "medium", timeZone: "UTC" });
}

function row(one) {
  const item = element("li", "");
  const state = element("p", "…", { className: "n" });
  const acts = element("p", "", { className: "inline" });
  const title = element("h3", "");
  title.append(element("a", one.title || one.id, { href: `${page.dataset.root}/submissions/?id=${encodeURIComponent(one.id)}` }));
  item.append(title, element("p", `Sent ${day(one.sent)} as a ${one.kind.replaceAll("_", " ")}.`, { className: "n" }), state, acts);
  look(one, state, acts);
  return item;
}

const place = ({ id }) => `${page.dataset.api}/${id.startsWith("run_") ? "runs" : "submissions"}/${encodeURIComponent(id)}`;

async function look(one, state, acts) {
  let told = null;
  try {
    const reply = await fetch(place(one), { cache: "no-store" });
    told = reply.ok ? await reply.json() : { status: reply.status === 404 ? "gone" : "" };
  } catch {
    told = { status: "" };
  }
  const word = JSON.parse(page.dataset.words)[told.status];
  const unseen = word && one.seen && one.seen !== told.status ? " New since your last visit." : "";
  state.textContent = word ? `${word}.${unseen}` : told.status === "gone" ? "The service does not know it any more." : "The service does not answer now.";
  if (word) update(one.id, { seen: told.status });
  if (told.status === "changes_requested") acts.append(element("a", "See what to change", { href: `${page.dataset.root}/submissions/?id=${one.id}` }));
  if (one.token && OPEN.has(told.status)) acts.append(withdrawal(one));
  acts.append(pressed("Forget it here", () => {
    keep("mine", sent().filter(({ id }) => id !== one.id));
    open();
    say("Forgotten here.");
  }));
}

function pressed(words, act) {
  const button = element("button", words, { type: "button", className: "plain" });
  button.addEventListener("click", () => act(button));
  return button;
}

// Final, and so asked twice, on the same button.
function withdrawal(one) {
  return pressed("Withdraw it", async (button) => {
    if (button.ariaDisabled) return; // a double click is no answer
    if (!button.dataset.sure) {
      button.dataset.sure = "asked";
      button.textContent = "Withdraw it for good?";
      button.ariaDisabled = "true"; // and keeps the focus
      setTimeout(() => (button.ariaDisabled = null), 800);
      return;
    }
    button.disabled = true;
    try {
      const reply = await fetch(place(one), { method: "DELETE", headers: { Authorization: `Bearer ${one.token}` } });
      const problem = reply.ok ? {} : await reply.json();
      if (reply.ok) update(one.id, { seen: "withdrawn" });
      say(reply.ok ? "Withdrawn." : problem.detail ?? "It was not withdrawn.");
    } catch {
      say("The service does not answer; it was not withdrawn.");
    }
    open();
    document.querySelector(`#sent-rows a[href$="=${one.id}"]`)?.focus(); // the button is gone
  });
}

document.getElementById("export")?.addEventListener("click", () => {
  const all = Object.fromEntries(Object.keys(localStorage).filter((name) => OURS.test(name)).map((name) => [name, kept(name)]));
  const href = URL.createObjectURL(new Blob([JSON.stringify(all, null, 2), "\n"], { type: "application/json" }));
  element("a", "", { href, download: "playbooks-mine.json" }).click();
});

document.getElementById("import")?.addEventListener("change", async ({ target }) => {
  try {
    const all = JSON.parse(await target.files[0].text());
    const known = Object.entries(all).filter(([name]) => OURS.test(name));
    const here = new Set(sent().map(({ id }) => id));
    const more = (Array.isArray(all.mine) ? all.mine : []).filter((one) => !here.has(one?.id));
    for (const [name, value] of known) if (name !== "mine" && kept(name) === null) keep(name, value);
    keep("mine", [...sent(), ...more].slice(0, MOST));
    say(`Read: ${more.length} receipts that were not here.`);
  } catch {
    say("This is no file of this page.");
  }
  target.value = "";
  open();
});

if (page) open();
