import minimist from "minimist";
import { defaults } from "./config.js";
import { dayOf } from "./dates.js";
import { Desk } from "./desk.js";
import { describe } from "./events.js";
import { State } from "./state.js";
import { load, save } from "./store.js";

export async function main(argv, print = console.log) {
  const options = minimist(argv, { string: ["file", "today", "note"] });
  const [command, ...rest] = options._;
  const file = options.file ?? defaults.file;
  const events = load(file);
  const state = new State();
  for (const event of events) state.apply(event);
  state.changes.on("lent", (event) => print(`desk: ${event.at} ${describe(event)}`));
  const desk = new Desk(state);
  desk.number = events.length;
  if (command === "lend") {
    save(file, desk.lend(rest[0], rest[1], Number(options.days ?? defaults.days)));
  } else if (command === "return") {
    save(file, desk.giveBack(rest[0], options.note));
  } else if (command === "log") {
    for (const event of events) print(describe(event));
  } else {
    const { render } = await import(`./report/${command ?? "summary"}.js`);
    for (const line of render(state, events, options.today ?? dayOf(new Date()))) print(line);
  }
}
