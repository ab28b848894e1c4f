const DAY = 24 * 60 * 60 * 1000;

export function dayOf(date) {
  return date.toISOString().slice(0, 10);
}

export function addDays(day, days) {
  return dayOf(new Date(Date.parse(day) + days * DAY));
}

export function daysBetween(from, to) {
  return Math.round((new Date(to) - new Date(from)) / DAY);
}
