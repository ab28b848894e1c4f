// One tab for each agent that a prompt is written for. The choice is kept for every playbook, and an address names one:
// `#prompt-<agent>` or `?agent=<agent>`. Without scripts all prompts stand one below the other.

import { keep, kept } from "./kept.js";

const list = document.querySelector(".tabs");
const tabs = [...(list?.querySelectorAll("button") ?? [])];
const panelOf = (tab) => document.getElementById(tab.dataset.panel);
const called = (agent) => tabs.find((tab) => agent && tab.dataset.agent === agent);

function choose(chosen) {
  for (const tab of tabs) {
    const on = tab === chosen;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    panelOf(tab).hidden = !on;
  }
}

// What a reader does is kept, and shown in the address, which may then be handed on.
function pick(tab) {
  choose(tab);
  tab.focus();
  keep("agent", tab.dataset.agent || null);
  try {
    history.replaceState(history.state, "", `#${tab.dataset.panel}`);
  } catch {
    // A browser that counts these calls refuses for a while.
  }
}

function fromFragment() {
  const id = location.hash.slice(1);
  return tabs.find((tab) => tab.dataset.panel === id);
}

function keyed(event) {
  const at = tabs.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  pick(tabs.at(to % tabs.length));
}

if (tabs.length) {
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "The prompt for");
  for (const tab of tabs) {
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", tab.dataset.panel);
    const panel = panelOf(tab);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () => pick(tab));
  }
  list.addEventListener("keydown", keyed);
  const linked = fromFragment();
  const asked = new URLSearchParams(location.search).get("agent");
  choose(linked ?? called(asked) ?? called(kept("agent")) ?? tabs[0]);
  panelOf(tabs[0]).parentElement.dataset.ready = "";
  linked && panelOf(linked).scrollIntoView();
  addEventListener("hashchange", () => {
    const tab = fromFragment();
    if (!tab) return;
    choose(tab);
    panelOf(tab).scrollIntoView();
  });
}
