import { countBy } from "../collect.js";
import { formatCents, sumCents } from "../money.js";

export function render(state, events) {
  const kinds = countBy(events, (event) => event.kind);
  const returned = events.filter((event) => event.kind === "return");
  const fines = events.filter((event) => event.kind === "fined");
  return [
    `events: ${[...kinds].map(([kind, count]) => `${kind} ${count}`).join(", ")}`,
    `returned: ${returned.length}`,
    `out: ${state.loans.size}`,
    `fines: ${formatCents(sumCents(fines))}`,
  ];
}
