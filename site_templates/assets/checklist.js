// The steps as a list to tick off, kept in this browser for each playbook, and only for the version that was followed.

import { keep, kept } from "./kept.js";
import { say } from "./say.js";

const board = document.querySelector(".progress");

if (board) {
  const { slug, version } = board.dataset;
  const name = `checked:${slug}`;
  const boxes = [...document.querySelectorAll(".steps .tick input")];
  const told = board.querySelector("p");
  const before = kept(name) ?? {};
  const current = before.version === version;

  const tell = () => {
    const done = boxes.filter((box) => box.checked).length;
    told.textContent = `${done} of ${boxes.length} steps checked.`;
    board.querySelector("button").disabled = !done;
  };
  const keepAll = () => {
    const done = boxes.flatMap((box, at) => (box.checked ? [at + 1] : []));
    if (!keep(name, done.length ? { version, done } : null)) told.textContent += " This browser keeps nothing.";
  };

  for (const [at, box] of boxes.entries()) {
    box.checked = current && (before.done ?? []).includes(at + 1);
    box.addEventListener("change", () => {
      tell();
      keepAll();
      say(told.textContent);
    });
  }
  tell();
  if (before.version && !current) {
    told.textContent += " The playbook has changed since you ticked some; begin again with this version.";
  }
  board.querySelector("button").addEventListener("click", () => {
    for (const box of boxes) box.checked = false;
    keepAll();
    tell();
    say("No step is checked now.");
    boxes[0]?.focus();
  });
}
