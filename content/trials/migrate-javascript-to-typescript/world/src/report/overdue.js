import { feeFor } from "../config.js";
import { daysBetween } from "../dates.js";
import { formatCents } from "../money.js";

export function overdue(state, today) {
  return [...state.loans.values()]
    .filter((loan) => loan.due < today)
    .map((loan) => ({ ...loan, late: daysBetween(loan.due, today) }))
    .sort((a, b) => b.late - a.late);
}

export function render(state, events, today) {
  return overdue(state, today).map((loan) => `${loan.item}: ${loan.late} days, ${formatCents(feeFor(loan.late))}`);
}
