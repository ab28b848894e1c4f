// Problems at their fields: each under what it is about, all in a summary with links, and the first one in focus.

import { boxOf } from "./form-values.js";

const summary = () => document.getElementById("errors");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function clearErrors(form) {
  form.querySelectorAll(".error").forEach((said) => said.remove());
  for (const element of form.querySelectorAll("[aria-invalid]")) {
    element.removeAttribute("aria-invalid");
    describe(element, (names) => names.filter((name) => !name.endsWith("-error")));
  }
  summary().hidden = true;
  summary().querySelector("ul").replaceChildren();
}

function describe(element, change) {
  const names = change((element.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean));
  if (names.length) element.setAttribute("aria-describedby", names.join(" "));
  else element.removeAttribute("aria-describedby");
}

// Where a pointer leads in the form: the control itself, or what is nearest above it.
export function placeOf(form, pointer) {
  for (let at = pointer; at; at = at.slice(0, at.lastIndexOf("/"))) {
    const named = ["choice", "list", "object"].map((kind) => `[data-${kind}="${CSS.escape(at)}"]`).join(",");
    const found = boxOf(form, at) ?? form.querySelector(named);
    if (found && !found.closest("[hidden]:not(form)")) return found;
  }
  return null;
}

const ownLabel = (place) =>
  place.getAttribute("aria-label") ?? place.dataset.label ?? place.closest("[data-label]")?.dataset.label ?? "";

// A form has a title, and so has the playbook in it.
function labelOf(place) {
  const whole = place.closest("[data-object]");
  return whole && whole !== place ? `${whole.dataset.label}: ${ownLabel(place).toLowerCase()}` : ownLabel(place);
}

// `problems` are those of an answer, { pointer, detail }, or of this page, which may name their `place` themselves.
// `heading` says what happened as a whole.
export function showErrors(form, heading, problems) {
  clearErrors(form);
  const placed = problems.map((problem) => ({ ...problem, place: problem.place ?? placeOf(form, problem.pointer) }));
  const found = placed.sort(byPlace);
  summary().querySelector("strong").textContent = heading;
  summary().querySelector("ul").append(...found.map(listed));
  form.querySelectorAll(".warning").forEach((said) => said.remove());
  for (const problem of found) if (problem.place) mark(problem);
  summary().hidden = false;
  const first = found.find(({ place }) => place);
  if (first) focusOn(first.place);
  else summary().focus();
}

function byPlace({ place: one }, { place: other }) {
  if (!one || !other) return Boolean(other) - Boolean(one);
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : Number(one !== other);
}

function listed({ place, pointer, detail }) {
  const item = document.createElement("li");
  if (!place) {
    item.textContent = capital([pointer.slice(1).replaceAll("/", " "), detail].filter(Boolean).join(" "));
    return item;
  }
  const link = document.createElement("a");
  link.href = `#${place.id}`;
  link.textContent = capital(`${labelOf(place)} ${detail}`.trim());
  link.addEventListener("click", (event) => {
    event.preventDefault();
    focusOn(place);
  });
  item.append(link);
  return item;
}

function mark({ place, detail }) {
  const id = `${place.id}-error`;
  const already = document.getElementById(id);
  if (already) {
    already.append(document.createElement("br"), capital(detail));
    return;
  }
  const said = document.createElement("p");
  said.className = "error";
  said.id = id;
  said.textContent = capital(detail);
  if (place.tagName === "FIELDSET") place.querySelector("legend").after(said);
  else if (place.type === "checkbox") place.parentElement.before(said);
  else place.before(said);
  place.setAttribute("aria-invalid", "true");
  describe(place, (names) => [id, ...names]);
}

// What was wrong with a field and is not any more goes at once, there and in the summary, and the summary with its last.
export function clearMended(form, place) {
  const wrong = place.closest("[aria-invalid]"); // itself, or the list or choice that it stands in
  if (!wrong) return;
  wrong.removeAttribute("aria-invalid");
  document.getElementById(`${wrong.id}-error`)?.remove();
  describe(wrong, (names) => names.filter((name) => name !== `${wrong.id}-error`));
  for (const link of summary().querySelectorAll(`a[href="#${CSS.escape(wrong.id)}"]`)) link.closest("li").remove();
  if (!summary().querySelector("li")) summary().hidden = true;
}

function focusOn(place) {
  for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  const target = place.tagName === "FIELDSET" ? place.querySelector("input, textarea") : place;
  target?.focus();
  target?.scrollIntoView({ block: "center" });
}
