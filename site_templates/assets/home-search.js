// The box on the first page: the first results as one types, from the files of the site. Nothing is loaded before the
// first key. Arrows choose, Enter opens; without a choice Enter sends the form, as it does without scripts.

const field = document.getElementById("q");
const form = field.form;
const list = document.getElementById("quick");
const { root, local, stems } = list.dataset;
const KINDS = { playbook: "Playbook", lesson: "Lesson", agent: "Agent", task: "Job" };
const PAUSE = 80; // milliseconds without a key before a word is looked for
const SHOWN = "5";

let engine = null;
let timer = 0;
let turn = 0;
let chosen = -1;

function choose(at) {
  chosen = at;
  [...list.children].forEach((item, place) => item.setAttribute("aria-selected", String(place === at)));
  if (at < 0) field.removeAttribute("aria-activedescendant");
  else field.setAttribute("aria-activedescendant", list.children[at].id);
}

function show(items) {
  const made = items.map(({ type, slug, title }, at) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const kind = document.createElement("span");
    Object.assign(item, { id: `quick-${at}`, role: "option" });
    Object.assign(link, { href: `${root}/${type}s/${encodeURIComponent(slug)}/`, textContent: title, tabIndex: -1 });
    Object.assign(kind, { className: "n", textContent: KINDS[type] });
    item.append(link, " ", kind);
    return item;
  });
  list.replaceChildren(...made);
  list.hidden = !made.length;
  field.setAttribute("aria-expanded", String(!list.hidden));
  choose(-1);
}

async function look() {
  const mine = ++turn;
  const q = field.value.trim();
  if (!q) return show([]);
  engine ??= Promise.all([import(local), import(stems)]).then(([{ opened, files }, { stem }]) => opened(files(root), stem));
  try {
    const { items } = await (await engine)({ q, profile: "fast", limit: SHOWN });
    if (mine === turn) show(items);
  } catch {
    engine = null; // without the files the form is what it was
    if (mine === turn) show([]);
  }
}

field.setAttribute("role", "combobox");
field.setAttribute("aria-controls", "quick");
field.setAttribute("aria-autocomplete", "list");
field.setAttribute("aria-expanded", "false");
field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(look, PAUSE);
});
field.addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (list.hidden || event.isComposing) return;
  if (by) {
    event.preventDefault();
    const size = list.children.length + 1; // one place is the box itself
    choose(((chosen + 1 + by + size) % size) - 1);
  } else if (event.key === "Enter" && chosen >= 0) {
    event.preventDefault();
    list.children[chosen].firstElementChild.click();
  } else if (event.key === "Escape") {
    event.preventDefault();
    show([]);
  }
});
form.addEventListener("focusout", (event) => {
  if (!form.contains(event.relatedTarget)) setTimeout(() => show([]), 150); // a click on a result comes first
});
