// Where a submission or a run report stands, where no server filled the page in: asks the interface itself. Text is only set as text.

const form = document.getElementById("look-up");
const box = document.getElementById("status");
const name = new URLSearchParams(location.search).get("id")?.trim();
const part = (is) => box.querySelector(`[data-is="${is}"]`);
const isRun = name?.startsWith("run_");
const stateOf = (state) => document.querySelector(`[data-state="${CSS.escape((isRun ? "run-" : "") + state)}"]`);
const wordOf = (state) => stateOf(state)?.querySelector("dt").textContent ?? state;
const day = (moment) => new Date(moment).toLocaleString("en", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

async function asked() {
  if (new URL(form.dataset.api, location.href).origin !== location.origin) return null;
  try {
    const reply = await fetch(`${form.dataset.api}/${isRun ? "runs" : "submissions"}/${encodeURIComponent(name)}`, { cache: "no-store" });
    const kind = reply.headers.get("content-type") ?? "";
    if (reply.status === 404 && kind.startsWith("application/problem+json")) return { missing: true };
    return reply.ok && kind.startsWith("application/json") ? await reply.json() : null;
  } catch {
    return null;
  }
}

function element(tag, text, kind = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = kind;
  return made;
}

function step({ status, at, sentences, note }) {
  const made = document.createElement("li");
  made.append(element("h3", wordOf(status)), element("p", `${day(at)} UTC`, "n"));
  made.append(...sentences.map((sentence) => element("p", sentence)));
  if (note) made.append(element("p", `Note: ${note}`, "told"));
  return made;
}

function show(told) {
  part("title").textContent = told.title ?? `A run of ${told.playbook}`;
  part("verdict").textContent = `${wordOf(told.status)}: ${stateOf(told.status)?.querySelector("dd").textContent ?? ""}`;
  part("place").textContent = told.place ?? "";
  part("wanted").replaceChildren(...(told.what_to_change ?? []).map((wanted) => element("li", wanted, "told")));
  part("wanted").hidden = !told.what_to_change;
  part("history").replaceChildren(...told.history.map(step));
}

function say(words) {
  part("title").hidden = part("past").hidden = part("wanted").hidden = true;
  part("verdict").textContent = words;
}

async function look() {
  document.getElementById("id").value = /^(?:edt|pbl)_/.test(name) ? "" : name;
  if (name.startsWith("edt_")) say("This is an edit token: keep it to yourself, and look up the id that begins with sub_.");
  else {
    const told = await asked();
    if (told?.missing) say(`There is no ${isRun ? "report" : "submission"} with this id.`);
    else if (told) show(told);
    else say("The service does not answer here; try again in a moment.");
  }
  box.hidden = false;
}

if (name && box && !("answered" in form.dataset)) look();
