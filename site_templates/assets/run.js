// A playbook one stage at a time: the prompt, each step, the end. Where one is, since when, and at which step a check
// failed, is kept in this browser for the version that is run, and goes into the report that the reader sends.

import { forGood, keep, kept } from "./kept.js";

const run = document.querySelector(".run");
const { slug, version } = run.dataset;
const name = `run:${slug}`;
const stages = [...run.querySelectorAll(".stage")];
const wrong = document.getElementById("wrong");
const places = [...run.querySelectorAll(".toc a")]; // one for each stage
const buttons = Object.fromEntries([...run.querySelectorAll("[data-go]")].map((one) => [one.dataset.go, one]));
const fresh = () => ({ version, at: 0, began: null, failed: null });
let state = read();

// What is kept may be damaged, or come from a file: numbers that are no stage of this run are left out.
function read() {
  const before = kept(name, forGood);
  const stage = (at) => (Number.isInteger(at) && at >= 0 && at < stages.length ? at : null);
  if (before?.version !== version || stage(before.at) === null) return fresh();
  return { version, at: before.at, began: Number(before.began) || null, failed: stage(before.failed) };
}

function show(focus) {
  const last = stages.length - 1;
  stages.forEach((stage, at) => (stage.hidden = at !== state.at));
  const inStep = state.at > 0 && state.at < last;
  const failed = inStep && state.failed === state.at;
  places.forEach((place, at) => (at === state.at ? place.setAttribute("aria-current", "step") : place.removeAttribute("aria-current")));
  if (wrong) {
    wrong.hidden = !inStep;
    wrong.open = failed;
  }
  buttons.back.hidden = state.at === 0;
  buttons.wrong.hidden = !inStep;
  buttons.on.hidden = state.at === last;
  buttons.end.hidden = !failed;
  buttons.wrong.textContent = failed ? "It did not fail" : "The check failed";
  buttons.on.textContent = state.at === 0 ? "Handed over: to step 1" : "The check passed";
  // which step it is, its own head says
  document.getElementById("run-at").textContent = failed ? "Noted: its check failed." : "";
  if (focus) {
    stages[state.at].focus({ preventScroll: true });
    run.scrollIntoView();
  }
  if (state.at === last) fillReport();
}

function move(to) {
  state.at = Math.min(Math.max(to, 0), stages.length - 1);
  state.began ??= state.at > 0 ? Date.now() : null;
  keep(name, state.at ? state : null);
  show(true);
}

// Each stage is an entry of the browser's history: its Back goes to the stage before, not out of the run. One that is
// shown already is no new entry.
function go(to) {
  const before = state.at;
  move(to);
  if (state.at !== before) history.pushState({ stage: state.at }, "");
}
history.replaceState({ stage: state.at }, "");
addEventListener("popstate", ({ state: entry }) => {
  if (Number.isInteger(entry?.stage)) move(entry.stage);
});

places.forEach((place, at) => {
  place.addEventListener("click", (event) => {
    event.preventDefault();
    go(at);
  });
});
buttons.on.addEventListener("click", () => go(state.at + 1));
buttons.back.addEventListener("click", () => go(state.at - 1));
buttons.end.addEventListener("click", () => go(stages.length - 1));
buttons.wrong.addEventListener("click", () => {
  state.failed = state.failed === state.at ? null : state.at; // pressed again, it is taken back
  keep(name, state);
  show(false);
  if (!wrong || !state.failed) return;
  wrong.querySelector("summary").focus({ preventScroll: true });
  wrong.scrollIntoView(); // the foot would lie over it
});

// The end: what is known goes into the address of the form, where it can be changed.
function fillReport() {
  const agent = kept("agent", forGood);
  const minutes = state.began && Math.max(1, Math.round((Date.now() - state.began) / 60000));
  const title = state.failed && stages[state.failed].querySelector("h2").lastChild.textContent.trim();
  for (const link of run.querySelectorAll("[data-outcome]")) {
    const to = new URL(link.href);
    if (typeof agent === "string" && agent) to.searchParams.set("agent", agent);
    if (minutes && minutes < 100000) to.searchParams.set("duration_minutes", minutes);
    to.searchParams.delete("what_changed");
    if (title && link.dataset.outcome !== "worked") {
      const ended = link.dataset.outcome === "failed" ? "failed" : "failed at first";
      to.searchParams.set("what_changed", `The check of step ${state.failed} (${title}) ${ended}.`);
    }
    link.href = to.href;
  }
}

// Links that open the filled prompt elsewhere; one that is too long for its address is copied instead.
for (const link of run.querySelectorAll("[data-open]")) {
  link.addEventListener("click", (event) => {
    const shown = [...run.querySelectorAll(".variant")].find((variant) => variant.checkVisibility());
    const to = link.dataset.open + encodeURIComponent(shown.querySelector(".prompt").textContent);
    event.preventDefault();
    if (to.length > Number(link.dataset.longest)) shown.querySelector("[data-copy]").click();
    else location.assign(to);
  });
}

// Another tab moves on: this one follows.
addEventListener("storage", (event) => {
  if (event.key !== name) return;
  const before = state.at;
  state = read();
  show(false);
  if (state.at !== before) run.scrollIntoView();
});

show(false);
run.dataset.ready = ""; // until here nothing of it is seen, so that nothing moves
