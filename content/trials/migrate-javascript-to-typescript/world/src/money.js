export function formatCents(cents, currency = "EUR") {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.abs(cents);
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")} ${currency}`;
}

export function sumCents(list) {
  return list.reduce((sum, one) => sum + one.cents, 0);
}
