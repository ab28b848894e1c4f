// Compares any two versions of a playbook, out of the site's own files; which they are stands in the address
// (`?from=…&to=…`), which can be sent to somebody. Without scripts each version is shown beside the present one.

import { difference } from "./suggest.js";

const form = document.getElementById("compare");
const shown = document.getElementById("compared");
const made = (tag, ...inside) => {
  const element = document.createElement(tag);
  element.append(...inside);
  return element;
};
const json = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
};

// The passages of a version by what they are called.
const passages = (text) =>
  new Map([
    ["Title", text.title],
    ["Prompt", text.prompt],
    ...text.variants.map((one) => [`Prompt for ${one.agent}`, one.prompt]),
    ...text.steps.map((one) => [`Step: ${one.title}`, `${one.detail}\nCheck: ${one.check}`]),
    ["Where a person decides", text.human_checkpoints.join("\n")],
  ]);

function* compared(before, after) {
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name) ?? "", after.get(name) ?? ""];
    if (old === now) continue;
    const done = before.has(name) ? (after.has(name) ? "Changed" : "Removed") : "Added";
    const tag = Object.assign(made("span", done), { className: "tag" });
    yield made("h3", `${name} `, tag);
    const parts = difference(old, now).map(([kind, text]) => (kind ? made(kind, text) : text));
    yield Object.assign(made("div", ...parts), { className: "diff" });
  }
}

async function show() {
  const [from, to] = [form.from.value, form.to.value];
  try {
    const [list, book] = await Promise.all([json(form.dataset.versions), json(form.dataset.book)]);
    const texts = new Map(list.items.map((item) => [item.version, item.version === list.present ? book : item.text]));
    const [before, after] = [texts.get(from), texts.get(to)];
    if (!before || !after) throw new Error("no text");
    const found = [...compared(passages(before), passages(after))];
    shown.replaceChildren(made("h2", `From ${from} to ${to}`), ...(found.length ? found : [made("p", "Both say the same.")]));
  } catch {
    shown.replaceChildren(made("p", "These two could not be read now. Below, each stands beside the present one."));
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  history.replaceState(null, "", `?from=${form.from.value}&to=${form.to.value}`);
  show();
});

const asked = new URLSearchParams(location.search);
const known = [...form.to.options].map((option) => option.value);
if (["from", "to"].every((name) => known.includes(asked.get(name)))) {
  for (const name of ["from", "to"]) form[name].value = asked.get(name);
  show();
}
