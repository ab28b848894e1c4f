export function groupBy(list, key) {
  const groups = new Map();
  for (const one of list) {
    const name = key(one);
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}

export function countBy(list, key) {
  return new Map([...groupBy(list, key)].map(([name, group]) => [name, group.length]));
}
