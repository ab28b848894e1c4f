// Says something to readers who listen to the page: the one region of it that is read out when it changes.

const region = document.getElementById("said");
let timer = 0;

export function say(text) {
  region.textContent = "";
  clearTimeout(timer);
  timer = setTimeout(() => (region.textContent = text), 60); // the same words twice are a change too
}
