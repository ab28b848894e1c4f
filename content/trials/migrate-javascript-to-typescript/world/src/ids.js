const SHAPE = /^([a-z]+)-(\d+)$/;

export function makeId(prefix, number) {
  return `${prefix}-${String(number).padStart(4, "0")}`;
}

export function parseId(id) {
  const found = SHAPE.exec(id);
  if (!found) return null;
  const [, prefix, digits] = found;
  return { prefix, number: Number(digits) };
}
