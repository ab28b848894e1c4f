// Filters and sorts a list of playbooks over all its rows, not only over those of the page in view. What is chosen
// stands in the address. The list works without it; text is only ever set as text.

const box = document.querySelector(".narrow");
const PER_PAGE = 100;
const ANY_AGENT = "any-agent"; // what names it is for every agent that is asked for, and comes after what names that one
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const at = (id) => document.getElementById(id);
const fields = box ? [...box.elements].filter((field) => field.name) : [];
const of = box ? JSON.parse(box.dataset.of) : {};
let loaded = null;
let turn = 0;

// The address and the fields

function fromAddress() {
  const given = new URLSearchParams(location.search);
  return Object.fromEntries([...fields.map(({ name }) => name), "page"].map((name) => [name, (given.get(name) ?? "").trim()]));
}

function address(asked) {
  const rest = new URLSearchParams(Object.entries(asked).filter(([, value]) => value)).toString();
  return `${box.dataset.place}${rest && "?"}${rest}`;
}

// What the address names and no list has is shown as it is: the reader sees why nothing is found.
function showFields(asked) {
  for (const field of fields) {
    const value = asked[field.name];
    field.querySelector("[data-strange]")?.remove();
    if (value && ![...field.options].some((option) => option.value === value)) {
      const option = new Option(`“${value}”`, value);
      option.dataset.strange = "";
      field.append(option);
    }
    field.value = value;
  }
}

// The rows

async function allRows() {
  loaded ??= fetch(box.dataset.rows).then((answer) => {
    if (!answer.ok) throw new Error(`the rows answered ${answer.status}`);
    return answer.json();
  });
  try {
    return await loaded;
  } catch (error) {
    loaded = null; // asked for again next time
    throw error;
  }
}

function filtersOf({ rows, words }, asked) {
  const wanted = { ...asked, ...of };
  const place = (name, slug) => words[name].findIndex((one) => one === slug || one[0] === slug);
  const some = { proven: (row) => rows.proven[row], some: (row) => rows.runs[row] > 0, none: (row) => !rows.runs[row], failing: (row) => rows.failing[row] };
  const tests = [];
  for (const name of ["category", "task", "risk"]) {
    const number = place(name, wanted[name]);
    if (wanted[name]) tests.push((row) => rows[name][row] === number);
  }
  const agent = place("agents", wanted.agent);
  const anyAgent = of.agent || agent < 0 ? agent : place("agents", ANY_AGENT);
  if (wanted.agent) tests.push((row) => rows.agents[row].includes(agent) || rows.agents[row].includes(anyAgent));
  const floor = place("trust", wanted.min_trust);
  if (wanted.min_trust) tests.push((row) => floor >= 0 && rows.trust[row] >= floor);
  if (wanted.minutes) tests.push((row) => rows.most[row] !== null && rows.most[row] <= Number(wanted.minutes));
  if (wanted.runs) tests.push(Object.hasOwn(some, wanted.runs) ? some[wanted.runs] : () => false);
  return tests;
}

// Rows come by category and in readers' order; what is equal keeps it.
function orderOf({ rows, words }, asked) {
  const byTitle = (a, b) => rows.title[a].localeCompare(rows.title[b], "en") || (rows.slug[a] < rows.slug[b] ? -1 : 1);
  const latest = (column) => (a, b) => (rows[column][b] ?? "").localeCompare(rows[column][a] ?? "");
  const orders = {
    trust: (a, b) => rows.status[a] - rows.status[b] || rows.trust[b] - rows.trust[a] || rows.proven[b] - rows.proven[a] || byTitle(a, b),
    last_run: latest("last"),
    updated: latest("updated"),
    title: byTitle,
    time: (a, b) => (rows.least[a] ?? Infinity) - (rows.least[b] ?? Infinity) || 0,
    risk: (a, b) => rows.risk[a] - rows.risk[b],
  };
  const usual = Object.keys(of).length ? orders.trust : () => 0;
  const agent = words.agents.findIndex(([slug]) => slug === asked.agent);
  const others = (row) => Number(agent >= 0 && !rows.agents[row].includes(agent));
  return Object.hasOwn(orders, asked.sort) ? orders[asked.sort] : (a, b) => others(a) - others(b) || usual(a, b);
}

function found(all, asked) {
  const tests = filtersOf(all, asked);
  const kept = all.rows.slug.map((_, row) => row).filter((row) => tests.every((test) => test(row)));
  return kept.sort(orderOf(all, asked));
}

// What is shown

function rowPart(blank, { rows, words }, row) {
  const made = blank.cloneNode(true);
  const set = (place, text) => (made.querySelector(place).textContent = text);
  const name = made.querySelector(".name");
  name.href = `${box.dataset.root}/playbooks/${encodeURIComponent(rows.slug[row])}/`;
  name.textContent = rows.title[row];
  const status = words.status[rows.status[row]];
  if (status !== "active") name.after(" ", tag(capital(status), "tag"));
  if (rows.failing[row]) name.parentNode.append(" ", tag("Newly failing", "tag bad"));
  const marks = rows.marks[row].map((number) => words.marks[number]);
  made.querySelector(".marks").replaceChildren(...marks.flatMap(([kind, text]) => [tag(text, kind), " "]));
  const risk = words.risk[rows.risk[row]];
  made.querySelector(".risk").className = `risk ${risk}`;
  made.querySelector(".risk").firstChild.data = capital(risk);
  const [year, month, day] = (rows.last[row] ?? "").split("-").map(Number);
  for (const [kind, text] of [["took", rows.time[row]], ["when", month && `${day} ${MONTHS[month - 1]} ${year}`]]) {
    made.querySelector(`.${kind}`).className = text ? kind : `${kind} blank`;
    made.querySelector(`.${kind}`).lastChild.replaceWith(text || "–");
  }
  return made;
}

function tag(text, kind) {
  const made = document.createElement("span");
  made.className = kind;
  made.textContent = text;
  return made;
}

function pager(asked, page, pages) {
  const made = document.createElement("p");
  made.className = "pager";
  for (const [label, to] of [["Previous", page - 1], ["Next", page + 1]]) {
    if (to < 1 || to > pages) continue;
    const link = document.createElement("a");
    link.href = address({ ...asked, page: to > 1 ? String(to) : "" });
    link.textContent = label;
    made.append(link, " ");
  }
  return made;
}

function show(all, asked) {
  const rows = found(all, asked);
  const whole = found(all, {}).length;
  const pages = Math.max(1, Math.ceil(rows.length / PER_PAGE));
  const page = Math.min(Math.max(1, Number.parseInt(asked.page, 10) || 1), pages);
  const first = (page - 1) * PER_PAGE;
  const part = at("t-rows").content.cloneNode(true);
  const list = part.querySelector(".rows");
  const blank = list.firstElementChild;
  list.replaceChildren(...rows.slice(first, first + PER_PAGE).map((row) => rowPart(blank, all, row)));
  const shown = rows.length ? [part] : [];
  if (pages > 1) shown.push(pager(asked, page, pages));
  at("narrowed").replaceChildren(...shown);
  const number = (n) => n.toLocaleString("en");
  const range = pages > 1 ? `: ${number(first + 1)} to ${number(Math.min(first + PER_PAGE, rows.length))}` : "";
  const said = `${number(rows.length)} of ${number(whole)} playbook${whole === 1 ? "" : "s"}${range}.${rows.length ? "" : blamed(all, asked)}`;
  tell(said, rows.length ? "Show all, in their usual order" : "Nothing is left. Show all");
}

// Of several filters the one that leaves nothing: the first without which something would be left.
function blamed(all, asked) {
  const chosen = fields.filter(({ name }) => asked[name] && name !== "sort");
  for (const field of chosen) {
    const left = chosen.length > 1 ? found(all, { ...asked, [field.name]: "" }).length : 0;
    if (left) return ` Without “${field.labels[0].textContent}” there would be ${left}.`;
  }
  return "";
}

function tell(said, way) {
  const link = document.createElement("a");
  link.href = box.dataset.place;
  link.textContent = way;
  at("narrowed-count").replaceChildren(said, " ", link);
}

async function follow() {
  const mine = ++turn;
  const asked = fromAddress();
  showFields(asked);
  const plain = !Object.values(asked).some(Boolean);
  if (!plain) {
    try {
      const all = await allRows();
      if (mine === turn) show(all, asked);
    } catch {
      if (mine === turn) tell("The whole list could not be fetched, so nothing is filtered.", "Show all");
      return;
    }
  } else at("narrowed-count").replaceChildren();
  if (mine !== turn) return;
  at("narrowed").hidden = plain;
  at("all").hidden = !plain;
}

if (box) {
  box.addEventListener("change", () => {
    history.pushState(null, "", address(Object.fromEntries(fields.map(({ name, value }) => [name, value]))));
    follow();
  });
  document.querySelector("main").addEventListener("click", (event) => {
    const link = event.target.closest?.("#narrowed .pager a, #narrowed-count a");
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !plain) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    follow();
    at("narrowed-count").focus();
  });
  addEventListener("popstate", follow);
  addEventListener("pageshow", () => showFields(fromAddress())); // a browser puts back what was chosen before
  follow();
}
