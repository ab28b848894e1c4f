import { Emitter } from "./emitter.js";

export class State {
  changes = new Emitter();
  loans = new Map();
  fines = {};

  apply(event) {
    switch (event.kind) {
      case "lent":
        this.loans.set(event.item, { ...event, extended: 0 });
        break;
      case "extended": {
        const loan = this.loans.get(event.item);
        loan.due = event.due;
        loan.extended += 1;
        break;
      }
      case "returned":
        this.loans.delete(event.item);
        break;
      case "fined":
        this.fines[event.person] = (this.fines[event.person] ?? 0) + event.cents;
        break;
    }
    this.changes.emit(event.kind, event);
  }
}
