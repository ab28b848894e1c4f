import { formatCents } from "./money.js";

export function describe(event) {
  switch (event.kind) {
    case "lent":
      return `${event.item} to ${event.person} until ${event.due}`;
    case "extended":
      return `${event.item} until ${event.due}${event.by ? ` by ${event.by}` : ""}`;
    case "returned":
      return `${event.item} is back${event.note === null ? "" : `: ${event.note}`}`;
    case "fined":
      return `${event.person} owes ${formatCents(event.cents)} for loan ${event.loan}`;
    default:
      return unknownEvent(event);
  }
}

function unknownEvent(event) {
  throw new Error(`unknown event ${JSON.stringify(event)}`);
}
