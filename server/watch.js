// Live reload under `serve --watch`: loads the page anew when a build changed it, and shows problems over it until they
// are mended. A page that a save does not touch stays as it is.
"use strict";

const known = document.querySelector("link[data-page]").dataset.page;
let seen = document.currentScript.dataset.build;

new EventSource("/-/watch").onmessage = async (event) => {
  const told = JSON.parse(event.data);
  document.getElementById("watch")?.remove();
  const count = (list) => (list.length === 1 ? "1 problem" : `${list.length} problems`);
  const lists = [
    ["watch-problems", told.problems, count(told.problems)],
    ["watch-merge", told.before_merge, `${count(told.before_merge)} before a merge (check --for-merge)`],
  ];
  if (told.problems.length || told.before_merge.length) show(lists.filter(([, list]) => list.length));
  if (String(told.build) !== seen) {
    seen = String(told.build);
    if ((await served()) !== known) location.reload();
  }
};

async function served() {
  const page = await (await fetch(location.href, { cache: "no-store" })).text();
  return page.match(/data-page="(\w+)"/)?.[1];
}

function show(lists) {
  const box = document.createElement("aside");
  box.id = "watch";
  box.setAttribute("role", lists[0][0] === "watch-problems" ? "alert" : "status");
  for (const [name, problems, title] of lists) {
    const part = document.createElement("details");
    part.id = name;
    part.open = name === "watch-problems";
    const head = document.createElement("summary");
    head.textContent = title;
    const list = document.createElement("ul");
    for (const problem of problems) {
      const item = document.createElement("li");
      item.textContent = problem;
      list.append(item);
    }
    part.append(head, list);
    box.append(part);
  }
  document.body.append(box);
}
