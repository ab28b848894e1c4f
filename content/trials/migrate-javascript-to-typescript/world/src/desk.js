import { addDays, dayOf } from "./dates.js";
import { makeId } from "./ids.js";

export class Desk {
  constructor(state, clock = () => new Date()) {
    this.state = state;
    this.clock = clock;
    this.number = 0;
  }

  lend(item, person, days) {
    const at = dayOf(this.clock());
    const event = { kind: "lent", id: this.#id(), at, item, person, due: addDays(at, days) };
    this.state.apply(event);
    this.last = event;
    return event;
  }

  lendAgain(days) {
    const { item, person } = this.last;
    return this.lend(item, person, days);
  }

  giveBack(item, note) {
    if (!this.state.loans.has(item)) throw new Error(`${item} is not lent`);
    const event = { kind: "returned", id: this.#id(), at: dayOf(this.clock()), item, note: note ?? null };
    this.state.apply(event);
    return event;
  }

  fine(person, cents, loan) {
    const event = { kind: "fined", id: this.#id(), at: dayOf(this.clock()), person, cents, loan };
    this.state.apply(event);
    return event;
  }

  #id() {
    this.number += 1;
    return makeId("event", this.number);
  }
}
