// What a page keeps in this browser, as JSON: for good, or for as long as the tab is open. Nothing is sent anywhere.

export const forGood = "localStorage";
export const forNow = "sessionStorage";

// What was kept under a name; null where there is nothing, where it is damaged, or where the browser keeps nothing.
export function kept(name, where = forGood) {
  try {
    return JSON.parse(window[where].getItem(name));
  } catch {
    return null;
  }
}

// Keeps a value under a name, or forgets the name where the value is null; says whether it could.
export function keep(name, value, where = forGood) {
  try {
    if (value === null) window[where].removeItem(name);
    else window[where].setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
