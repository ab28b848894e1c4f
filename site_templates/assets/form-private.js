// The search for private data before anything is sent: the library's own patterns, read from a table in the page.
// The functions below are those of library/rules/privacy.py by their names; a test holds both to the same texts.

const NOT_OF_THE_WORLD =
  /^(?:0|127|169\.254|192\.0\.[02]|198\.51\.100|203\.0\.113|198\.1[89]|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|2[2-5]\d)\./;

// Gives the search of a table: `find(text)` answers with the kinds found, each as { kind, words, refused }.
export function searching(table) {
  const patterns = Object.fromEntries(
    Object.entries(table.patterns).map(([name, [source, flags]]) => [name, new RegExp(source, flags)]),
  );
  const shapes = table.shapes.map((shape) => ({ ...shape, sought: new RegExp(shape.pattern, `${shape.flags}g`) }));
  const real = judges(patterns, table.ibans);

  return function find(given) {
    const text = plain(given, patterns.odd);
    const lower = text.toLowerCase();
    const worth = patterns.first.test(text) || patterns.pass.test(lower) || lower.includes(" dot ");
    const found = new Map();
    const taken = new Uint8Array(text.length);
    for (const shape of worth ? shapes : []) {
      const hinted = !shape.hints.length || shape.hints.some((hint) => lower.includes(hint));
      if (!hinted || (shape.when && !patterns[shape.when].test(text))) continue;
      for (const match of text.matchAll(shape.sought)) {
        const [start, end] = [match.index, match.index + match[0].length];
        if (taken.subarray(start, end).includes(1) || (shape.accept && !real[shape.accept](match))) continue;
        taken.fill(1, start, end);
        found.set(shape.kind, { kind: shape.kind, words: shape.words, refused: shape.refused });
      }
    }
    return [...found.values()];
  };
}

function plain(text, odd) {
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  const same = { "\u3002": ".", "\u2212": "-" };
  return text.normalize("NFKC").replace(new RegExp(odd.source, "gu"), (sign) => {
    if (/\p{Nd}/u.test(sign)) return figure(sign);
    return same[sign] ?? (/\p{Pd}/u.test(sign) ? "-" : "");
  });
}

// The value of a figure of another script: they stand in tens, beginning with nought.
function figure(sign) {
  let steps = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(sign.codePointAt(0) - steps - 1))) steps += 1;
  return String(steps % 10);
}

const digitsOf = (text) => text.replace(/\D/g, "");
const lastGroup = (match) =>
  Object.entries(match.groups ?? {}).findLast(([name, value]) => name.startsWith("g") && value !== undefined)?.[1] ?? match[0];
const whole = (pattern, text) => new RegExp(`^(?:${pattern.source})$`, pattern.flags).test(text);
const begins = (pattern, text) => new RegExp(`^(?:${pattern.source})`, pattern.flags).exec(text);
const kindsOf = (text, kinds) => kinds.filter((kind) => kind.test(text)).length;
const SIGNS = [/[a-z]/, /[A-Z]/, /[0-9]/];
const OTHER = /[^\p{L}\p{N}_\-.:/]/u;

function judges({ placeholder, code, name_in_code, turns, no_person, fictional, country, american, date, brands, nobody }, ibans) {
  const realNumber = (digits) =>
    new Set(digits).size > 2 && !"01234567890123456789".includes(digits) && !fictional.test(digits);
  const luhn = (groups) => {
    const digits = groups.join("");
    const lengths = groups.map((group) => group.length);
    if (!whole(brands, digits) || (Math.min(...lengths) < 3 && Math.max(...lengths) > 1)) return false;
    const doubled = [...digits].reverse().map((digit, index) => Number(index % 2 ? "0246813579"[digit] : digit));
    return doubled.reduce((sum, digit) => sum + digit, 0) % 10 === 0;
  };
  const mixed = (match) => {
    const token = lastGroup(match);
    return kindsOf(token, SIGNS) >= 2 && new Set(token).size >= 8 && !placeholder.test(token);
  };
  return {
    mixed,
    person: (match) => {
      const before = match.input.slice(Math.max(0, match.index - 80), match.index);
      return !no_person.test(match[0]) && !/:\/\/[^\s/?]{0,80}$/.test(before);
    },
    card: (match) => {
      const groups = match[0].split(/[ -]/);
      if (groups.length > 12) return luhn(groups);
      return groups.some((_, end) => groups.some((_, start) => start <= end && luhn(groups.slice(start, end + 1))));
    },
    iban: (match) => {
      const length = ibans[match[0].slice(0, 2).toUpperCase()] ?? 0;
      let letters = "";
      for (const part of match[0].toUpperCase().split(/[ -]/)) if (letters.length < length) letters += part;
      if (!length || letters.length !== length) return false;
      const moved = letters.slice(4) + letters.slice(0, 4);
      const figures = [...moved].map((sign) => parseInt(sign, 36)).join("");
      return [...figures].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
    },
    abroad: (match) => {
      const digits = digitsOf(match[0]).replace(/^00/, "");
      if (digits[0] === "1" || !/^[+0]/.test(match[0])) return whole(american, digits) && realNumber(digits);
      const known = begins(country, digits);
      const possible = known && digits.length >= 9 && digits.length <= 15 && !digits.startsWith("00", known[0].length);
      return Boolean(possible) && !/^00.* 00/.test(match[0]) && realNumber(digits);
    },
    national: (match) => {
      const groups = match[0].match(/\d+/g).map(Number);
      const counting = groups.slice(1).every((after, index) => after - groups[index] === 1);
      const dated = begins(date, match[0]) || (Math.max(...groups.slice(0, 2)) < 100 && /\b(?:19|20)\d\d\b/.test(match[0]));
      const digits = digitsOf(match[0]);
      return !counting && !dated && digits.length >= 9 && digits.length <= 12 && realNumber(digits);
    },
    labelled: (match) => {
      const digits = digitsOf(match.groups.g1);
      return digits.length >= 7 && digits.length <= 15 && realNumber(digits) && !begins(date, match.groups.g1);
    },
    random: (match) => {
      const value = lastGroup(match);
      return mixed(match) && [...value.matchAll(new RegExp(turns.source, `${turns.flags}g`))].length >= 4 && !begins(code, value);
    },
    chosen_password: (match) => {
      const value = lastGroup(match).replace(/\.+$/, "");
      if (placeholder.test(value) || begins(code, value) || whole(name_in_code, value)) return false;
      const called = ["(", "["].includes(match.input[match.index + match[0].length]);
      const more = kindsOf(value, [...SIGNS, OTHER]) >= 2;
      return more && !called && new Set(value).size >= 6 && kindsOf(value, [/[0-9]/, OTHER]) > 0;
    },
    somebody: (match) => !whole(nobody, lastGroup(match).replace(/\.+$/, "")),
    address: (match) => {
      const four = match[0].split(".");
      if (four.length === 1) return /^[23][0-9a-f]{3}:/i.test(match[0]) && !/^2001:0?db8:/i.test(match[0]);
      return four.every((part) => part <= 255 && !/^0\d/.test(part)) && !NOT_OF_THE_WORLD.test(match[0]);
    },
  };
}
