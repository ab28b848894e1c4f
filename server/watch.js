// Live reload under `serve --watch`: loads the page anew when a build changed it, and shows problems over it until they
// are mended. A page that a save does not touch stays as it is.
"use strict";

const known = document.currentScript.dataset.build;
const first = read();
let seen = known;

new EventSource("/-/watch").onmessage = async (event) => {
  const told = JSON.parse(event.data);
  document.getElementById("watch-problems")?.remove();
  if (told.problems.length) show(told.problems);
  if (String(told.build) !== seen) {
    seen = String(told.build);
    const [before, now] = [await first, await read()];
    if (before.build !== known || before.text !== now.text) location.reload();
  }
};

async function read() {
  const page = await (await fetch(location.href, { cache: "no-store" })).text();
  return { build: page.match(/data-build="(\d+)"/)?.[1], text: page.replace(/data-build="\d+"/, "") };
}

function show(problems) {
  const box = document.createElement("aside");
  box.id = "watch-problems";
  box.setAttribute("role", "alert");
  const head = document.createElement("h2");
  head.textContent = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const list = document.createElement("ul");
  for (const problem of problems) {
    const item = document.createElement("li");
    item.textContent = problem;
    list.append(item);
  }
  box.append(head, list);
  document.body.append(box);
}
