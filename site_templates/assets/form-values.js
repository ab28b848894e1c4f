// What a form holds, as the JSON that will be sent, and back. Each control knows its place as a JSON pointer.

export const controls = (form) => [...form.querySelectorAll("[data-pointer]")];
const shown = (element) => !element.closest("[data-object][hidden], [data-unless][hidden]");

// The body: what is empty or hidden is left out; a whole number is a number, anything else as it was typed.
export function bodyOf(form) {
  const body = {};
  for (const choice of form.querySelectorAll("[data-choice]")) {
    const picked = choice.querySelector("input:checked");
    if (picked) put(body, choice.dataset.choice, picked.value);
  }
  for (const control of controls(form)) {
    const typed = control.tagName === "TEXTAREA" ? control.value : control.value.trim();
    if (!typed.trim() || !shown(control)) continue;
    put(body, control.dataset.pointer, "number" in control.dataset && /^-?\d{1,15}$/.test(typed) ? Number(typed) : typed);
  }
  return inOrder(form, body);
}

// Lists have no holes: an empty box among full ones moves the ones after it up.
function put(body, pointer, value) {
  const parts = pointer.slice(1).split("/");
  const last = parts.pop();
  let place = body;
  parts.forEach((part, index) => {
    const list = /^\d+$/.test(parts[index + 1] ?? last);
    place = place[part] ??= list ? [] : {};
  });
  if (Array.isArray(place)) place.push(value);
  else place[last] = value;
}

function inOrder(form, body) {
  const places = [...form.querySelectorAll("[data-choice], [data-pointer], [data-object]")];
  const names = places.map(({ dataset: { choice, pointer, object } }) => (choice ?? pointer ?? object).split("/")[1]);
  return Object.fromEntries([...new Set(names)].filter((name) => name in body).map((name) => [name, body[name]]));
}

// The place in the form of each item that is sent: with an empty box before it, item 1 stands in box 2.
export function boxOf(form, pointer) {
  const [, list, number] = /^(.*)\/(\d+)$/.exec(pointer) ?? [];
  const box = list !== undefined && form.querySelector(`[data-list="${CSS.escape(list)}"]`);
  if (!box) return form.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
  return [...box.querySelectorAll("[data-pointer]")].filter((item) => item.value.trim())[number] ?? null;
}

// Everything that was typed or picked, by its place, also what is hidden now.
export function draftOf(form) {
  const kept = {};
  for (const picked of form.querySelectorAll("[data-choice] input:checked")) kept[picked.name] = picked.value;
  for (const { dataset, value } of controls(form)) if (value) kept[dataset.pointer] = value;
  return kept;
}

export function fill(form, values) {
  for (const [pointer, value] of Object.entries(values)) {
    if (typeof value !== "string") continue;
    const choice = form.querySelector(`[data-choice="${CSS.escape(pointer)}"]`);
    const radio = choice && [...choice.querySelectorAll("input")].find((input) => input.value === value);
    if (radio) radio.checked = true;
    const [, list, number] = /^(.*)\/(\d+)$/.exec(pointer) ?? [];
    const box = list !== undefined && form.querySelector(`[data-list="${CSS.escape(list)}"]`);
    while (box && box.querySelectorAll("li").length <= Number(number) && addItem(box));
    const control = form.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
    if (control) control.value = value;
  }
}

// One more box in a list; null where it is full.
export function addItem(box) {
  const items = box.querySelectorAll("li");
  if (items.length >= Number(box.dataset.most)) return null;
  const made = items[0].cloneNode(true);
  const control = made.querySelector("[data-pointer]");
  const number = items.length;
  control.value = "";
  control.id = `${box.id}-${number}`;
  control.dataset.pointer = `${box.dataset.list}/${number}`;
  control.setAttribute("aria-label", `${box.dataset.label} ${number + 1}`);
  for (const name of ["aria-invalid", "aria-describedby"]) control.removeAttribute(name);
  made.querySelectorAll(".error, .warning").forEach((said) => said.remove());
  box.querySelector("ol").append(made);
  box.querySelector("[data-add]").hidden = number + 1 >= Number(box.dataset.most);
  return control;
}
