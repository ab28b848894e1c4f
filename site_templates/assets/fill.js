// Puts what a reader types for a prompt's `{{inputs}}` into every prompt of the page, so that it is copied filled in.
// The words stay in this tab: kept until it is closed or the fields are cleared, and never sent.

import { forNow, keep, kept } from "./kept.js";
import { say } from "./say.js";

const box = document.querySelector(".fill");

if (box) {
  const name = `filled:${box.dataset.slug}`;
  const fields = [...box.querySelectorAll("textarea")];
  const before = kept(name, forNow) ?? {};
  if (Object.keys(before).length) box.parentElement.open = true;

  const fillIn = (field) => {
    const { input } = field.dataset;
    for (const mark of document.querySelectorAll(`mark[data-input="${CSS.escape(input)}"]`)) {
      mark.dataset.blank ??= mark.textContent;
      mark.textContent = field.value || mark.dataset.blank;
      mark.classList.toggle("filled", Boolean(field.value));
    }
  };
  const keepAll = () => {
    const typed = fields.filter((field) => field.value).map((field) => [field.dataset.input, field.value]);
    keep(name, typed.length ? Object.fromEntries(typed) : null, forNow);
  };

  for (const field of fields) {
    const value = before[field.dataset.input];
    if (typeof value === "string") field.value = value;
    fillIn(field);
    field.addEventListener("input", () => {
      fillIn(field);
      keepAll();
    });
  }
  // Who opens the fold with a mouse is in the first field at once; on a phone that would bring a keyboard over its meaning.
  box.parentElement.querySelector("summary").addEventListener("click", () => {
    if (!box.parentElement.open && matchMedia("(pointer: fine)").matches) requestAnimationFrame(() => fields[0].focus());
  });
  box.querySelector("button").addEventListener("click", () => {
    for (const field of fields) {
      field.value = "";
      fillIn(field);
    }
    keepAll();
    fields[0].focus();
    say("The fields are empty.");
  });
}
