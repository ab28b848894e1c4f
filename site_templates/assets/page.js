// What every page has: the theme button, and the keys. `/` goes to the search field, `?` shows the keys, letters
// press what a page names them for, arrows go through what was found. Single letters can be switched off, for those who speak to their browser.

import { keep, kept } from "./kept.js";
import { say } from "./say.js";

const NEXT = { system: "light", light: "dark", dark: "system" };
const top = document.documentElement;
const button = document.getElementById("theme");
const dialog = document.getElementById("the-keys");
const letters = dialog.querySelector("input");
const LINKS = ".results h2 a, .rows .name";
const TYPED = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

// What is asked for now and then is loaded then.
for (const button of document.querySelectorAll("[data-load]")) {
  button.addEventListener("click", () => import(button.dataset.load).then(({ begin }) => begin(button)));
}

// The theme

function showTheme() {
  const theme = top.dataset.theme ?? "system";
  button.dataset.now = theme;
  button.setAttribute("aria-label", `Theme: ${theme}`);
  button.title = `Theme: ${theme}; press for ${NEXT[theme]}`;
}

button.addEventListener("click", () => {
  const theme = NEXT[top.dataset.theme ?? "system"];
  if (theme === "system") delete top.dataset.theme;
  else top.dataset.theme = theme;
  keep("theme", theme === "system" ? null : theme);
  showTheme();
  say(`Theme: ${theme}`);
});
showTheme();

// The keys

letters.checked = kept("letters") !== false;
letters.addEventListener("change", () => keep("letters", letters.checked ? null : false));
document.getElementById("show-keys").addEventListener("click", () => dialog.showModal());

function toSearch() {
  const field = document.getElementById("q");
  if (field) field.select();
  else location.assign(`${dialog.dataset.root}/search/#q`);
}

// From one link of a list to the next; from the search field to the first, and back to it.
function step(by, from) {
  const links = [...document.querySelectorAll(LINKS)].filter((link) => link.checkVisibility());
  const at = links.indexOf(from);
  if (at < 0 && !(from.id === "q" && by > 0)) return false;
  const to = links[at + by];
  if (to) to.focus();
  else if (at === 0 && by < 0) document.getElementById("q")?.select();
  return Boolean(to) || at >= 0;
}

// What a page names a key for, by `aria-keyshortcuts`, is pressed; of a fold the first field is gone to.
function press(key) {
  const named = document.querySelectorAll(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
  const to = [...named].find((one) => one.checkVisibility());
  if (to?.tagName !== "SUMMARY") to?.click();
  else {
    to.parentElement.open = true;
    [...to.parentElement.querySelectorAll("textarea")].find((field) => field.checkVisibility())?.focus();
  }
  return Boolean(to);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || dialog.open) return;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by) {
    if (step(by, event.target)) event.preventDefault();
    return;
  }
  if (event.key === "Escape") event.target.blur?.(); // out of a field, so that letters are keys again
  if (!letters.checked || event.target.closest?.(TYPED)) return;
  if (event.key === "/") toSearch();
  else if (event.key === "?") dialog.showModal();
  else if (!press(event.key)) return;
  event.preventDefault();
});
