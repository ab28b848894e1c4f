// Narrows the comparison of agents to those that are ticked; which they are stands in the address (`?agents=`), which can
// be sent to somebody. Without it, and without scripts, all are shown.

const box = document.getElementById("narrow");
const ticks = [...box.querySelectorAll("input")];
const asked = new URLSearchParams(location.search).get("agents");
const chosen = () => ticks.filter((tick) => tick.checked).map((tick) => tick.value);

function show() {
  const agents = chosen();
  const all = !agents.length;
  for (const part of document.querySelectorAll("[data-agent]")) part.hidden = !all && !agents.includes(part.dataset.agent);
  box.querySelector("[role=status]").textContent = all ? "All are shown." : `${agents.length} of ${ticks.length} shown.`;
}

box.addEventListener("change", () => {
  show();
  const address = new URL(location.href);
  address.searchParams.delete("agents");
  const agents = chosen().join(","); // slugs: nothing in them has to be escaped
  address.search = [address.search.slice(1), agents && `agents=${agents}`].filter(Boolean).join("&");
  history.replaceState(null, "", address);
});
for (const tick of ticks) tick.checked = (asked ?? "").split(",").includes(tick.value);
show();
