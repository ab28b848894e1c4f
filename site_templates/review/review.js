/* Keys for editors, and a way from a problem to its line. Everything on these pages works without this. */

(() => {
  "use strict";
  const one = (selector) => document.querySelector(selector);

  /* A problem leads to its line in the text. */
  for (const problem of document.querySelectorAll("[data-line]")) {
    const place = document.getElementById(problem.dataset.for);
    const words = problem.querySelector("b");
    if (!place || !words) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words.textContent;
    button.addEventListener("click", () => {
      const lines = place.value.split("\n");
      const line = Math.min(Number(problem.dataset.line), lines.length) - 1;
      const start = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);
      place.focus();
      place.setSelectionRange(start, start + lines[line].length);
      place.scrollTop = (place.scrollHeight / lines.length) * Math.max(0, line - 3);
    });
    words.replaceWith(button);
  }

  /* What was typed and not saved is not lost by a click on a link. */
  const form = one("form.about-item");
  let typed = false;
  form?.addEventListener("input", () => { typed = true; });
  form?.addEventListener("submit", () => { typed = false; });
  window.addEventListener("beforeunload", (event) => { if (typed) event.preventDefault(); });

  const step = (by) => {
    const rows = [...document.querySelectorAll("#queue .name")];
    if (!rows.length) return;
    const at = rows.indexOf(document.activeElement);
    rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)].focus();
  };
  const goTo = (...names) => {
    const place = names.map((name) => document.getElementById(`to-${name}`)).find(Boolean);
    if (!place) return;
    if (place instanceof HTMLDetailsElement) place.open = true;
    place.querySelector("input, textarea, button")?.focus();
    place.scrollIntoView({ block: "nearest" });
  };
  const showKeys = () => {
    const keys = one("#keys");
    if (keys) keys.open ? keys.close() : keys.showModal();
  };
  const acts = {
    j: () => step(1),
    k: () => step(-1),
    a: () => goTo("accept", "approve"),
    r: () => goTo("reject"),
    c: () => goTo("request-changes"),
    "?": showKeys,
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "s" && (event.ctrlKey || event.metaKey) && !event.altKey) {
      const save = one("[data-save]");
      if (save) {
        event.preventDefault();
        save.click();
      }
      return;
    }
    const typing = event.target instanceof Element && event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(acts, event.key)) return;
    event.preventDefault();
    acts[event.key]();
  });
})();
