// Live reload under `serve --watch`: loads the page anew after a build, and shows problems over it until they are mended.
"use strict";

const known = document.currentScript.dataset.build;
const events = new EventSource("/-/watch");

events.onmessage = (event) => {
  const told = JSON.parse(event.data);
  if (told.problems.length) {
    show(told.problems);
  } else if (String(told.build) !== known) {
    location.reload();
  } else {
    document.getElementById("watch-problems")?.remove();
  }
};

function show(problems) {
  document.getElementById("watch-problems")?.remove();
  const box = document.createElement("aside");
  box.id = "watch-problems";
  box.setAttribute("role", "alert");
  const head = document.createElement("h2");
  head.textContent = problems.length === 1 ? "1 problem: the page is as it was" : `${problems.length} problems: the page is as it was`;
  const list = document.createElement("ul");
  for (const problem of problems) {
    const item = document.createElement("li");
    item.textContent = problem;
    list.append(item);
  }
  box.append(head, list);
  document.body.append(box);
}
