// Copies what stands on the page, or a file beside it: buttons with `data-copy` (the id of what is copied as text; without
// one the prompt that is shown) or `data-copy-from` (an address). Success and failure are shown on the button and said aloud.

import { say } from "./say.js";

const SHOWN = 2500; // milliseconds that a button says what became of it

for (const button of document.querySelectorAll("[data-copy], [data-copy-from]")) {
  button.addEventListener("click", () => copy(button));
}
for (const button of document.querySelectorAll("[data-share]")) button.addEventListener("click", () => share(button));

// By what the device shares with; where it has nothing, the address is copied.
async function share(button) {
  const page = { title: document.querySelector("h1").textContent, url: document.querySelector("link[rel=canonical]")?.href ?? location.href };
  try {
    if (navigator.share) return await navigator.share(page);
    await write(page.url);
    shown(button, "Address copied");
    say("Copied the address of this page.");
  } catch (error) {
    if (error.name === "AbortError") return; // somebody thought better of it
    shown(button, "Not shared");
    say("Could not share this page. Copy its address from the browser.");
  }
}

async function copy(button) {
  const what = button.dataset.what;
  const source = button.dataset.copy === "" ? shownPrompt() : document.getElementById(button.dataset.copy);
  try {
    await (source ? write(source.textContent) : writeFetched(button.dataset.copyFrom));
    const open = source ? openInputs(source) : [];
    shown(button, open.length ? `Copied, ${open.length} to fill in` : "Copied");
    const left = open.length ? ` Not filled in yet: ${open.join(", ")}.` : "";
    say(`Copied ${what}.${left}`);
  } catch {
    shown(button, "Not copied");
    say(`Could not copy ${what}. Select the text and copy it by hand.`);
  }
}

const shownPrompt = () => [...document.querySelectorAll(".prompt")].find((prompt) => prompt.checkVisibility());

async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    byCommand(text); // a page without TLS, or a browser that asks and was told no
  }
}

// The text may still be on its way when the browser has to be told: it takes a promise.
async function writeFetched(address) {
  const text = fetch(address).then((answer) => {
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    return answer.text();
  });
  try {
    const blob = text.then((body) => new Blob([body], { type: "text/plain" }));
    blob.catch(() => {}); // told below
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  } catch {
    byCommand(await text);
  }
}

function byCommand(text) {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "vh";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus({ preventScroll: true });
  if (!done) throw new Error("the browser refuses to copy");
}

function openInputs(source) {
  const names = [...source.querySelectorAll("[data-input]:not(.filled)")].map((mark) => mark.dataset.input);
  return [...new Set(names)].map((name) => name.replaceAll("_", " "));
}

function shown(button, words) {
  button.dataset.label ??= button.textContent;
  button.textContent = words;
  clearTimeout(Number(button.dataset.timer));
  button.dataset.timer = setTimeout(() => (button.textContent = button.dataset.label), SHOWN);
}
