// What was typed survives a reload: kept in this browser under the address that it was begun at, dropped after a month.

import { draftOf, fill } from "./form-values.js";
import { keep as put, kept } from "./kept.js";

const PREFIX = "draft:";
const MONTH = 30 * 24 * 3600 * 1000;

export function drafting(form) {
  const name = `${PREFIX}${form.dataset.form}:${location.search.slice(0, 500)}`;
  let timer = 0;

  function keep() {
    const values = draftOf(form);
    put(name, { at: Date.now(), values });
  }
  return {
    // Fills in what was kept; whether there was anything.
    restore() {
      forgetOld();
      const before = kept(name);
      if (!before?.values) return false;
      fill(form, before.values);
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
      put(name, null);
    },
  };
}

function forgetOld() {
  try {
    for (const one of Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))) {
      if (!(kept(one)?.at > Date.now() - MONTH)) put(one, null);
    }
  } catch {
    // A browser without a storage keeps no drafts.
  }
}
