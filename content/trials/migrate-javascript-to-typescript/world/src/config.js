import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const defaults = require("../defaults.json");

export function feeFor(days, fees = defaults.fees) {
  const step = fees.find((one) => one.upTo === null || days <= one.upTo);
  return step ? step.cents : 0;
}
