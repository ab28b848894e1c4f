// What was typed survives a reload: kept in this browser under the address that it was begun at, dropped after a month.

import { draftOf, fill } from "./form-values.js";

const PREFIX = "draft:";
const MONTH = 30 * 24 * 3600 * 1000;

export function drafting(form) {
  const name = `${PREFIX}${form.dataset.form}:${location.search.slice(0, 500)}`;
  let timer = 0;

  function keep() {
    const values = draftOf(form);
    attempt(() => localStorage.setItem(name, JSON.stringify({ at: Date.now(), values })));
  }
  return {
    // Fills in what was kept; whether there was anything.
    restore() {
      attempt(forgetOld);
      const kept = attempt(() => JSON.parse(localStorage.getItem(name)));
      if (!kept?.values) return false;
      fill(form, kept.values);
      return true;
    },
    soon() {
      clearTimeout(timer);
      timer = setTimeout(keep, 250);
    },
    now() {
      clearTimeout(timer);
      if (timer) keep();
    },
    drop() {
      clearTimeout(timer);
      timer = 0;
      attempt(() => localStorage.removeItem(name));
    },
  };
}

function forgetOld() {
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
    const at = attempt(() => JSON.parse(localStorage.getItem(key)).at);
    if (!(at > Date.now() - MONTH)) localStorage.removeItem(key);
  }
}

function attempt(action) {
  try {
    return action();
  } catch {
    return null; // a browser without a storage keeps no drafts
  }
}
