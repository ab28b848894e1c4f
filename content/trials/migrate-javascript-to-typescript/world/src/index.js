export { addDays, dayOf, daysBetween } from "./dates.js";
export { Desk } from "./desk.js";
export { describe } from "./events.js";
export { makeId, parseId } from "./ids.js";
export { overdue } from "./report/overdue.js";
export { State } from "./state.js";
export { load, save } from "./store.js";
