// The stems of English words, as the index was made with them: Snowball's English rules in the reading of Whoosh 2.7.4,
// its slips included. `tests/site/test_search_engine.py` holds both to the same stems for every word of English.

const VOWELS = "aeiouy";
const LI = "cdeghkmnrt";
const SPECIAL = {
  skis: "ski", skies: "sky", dying: "die", lying: "lie", tying: "tie", idly: "idl", gently: "gentl", ugly: "ugli",
  early: "earli", only: "onli", singly: "singl", sky: "sky", news: "news", howe: "howe", atlas: "atlas",
  cosmos: "cosmos", bias: "bias", andes: "andes", inning: "inning", innings: "inning", outing: "outing",
  outings: "outing", canning: "canning", cannings: "canning", herring: "herring", herrings: "herring",
  earring: "earring", earrings: "earring", proceed: "proceed", proceeds: "proceed", proceeded: "proceed",
  proceeding: "proceed", exceed: "exceed", exceeds: "exceed", exceeded: "exceed", exceeding: "exceed",
  succeed: "succeed", succeeds: "succeed", succeeded: "succeed", succeeding: "succeed",
};
// An ending, what takes its place, and what stands in the second region where that is shorter than the ending.
const STEP2 = [
  ["ization", "ize"], ["ational", "ate", "e"], ["fulness", "ful"], ["ousness", "ous"], ["iveness", "ive", "e"],
  ["tional", "tion"], ["biliti", "ble"], ["lessli", "less"], ["entli", "ent"], ["ation", "ate", "e"], ["alism", "al"],
  ["aliti", "al"], ["ousli", "ous"], ["iviti", "ive", "e"], ["fulli", "ful"], ["enci", "ence"], ["anci", "ance"],
  ["abli", "able"], ["izer", "ize"], ["ator", "ate", "e"], ["alli", "al"], ["bli", "ble"], ["ogi", "og"], ["li", ""],
];
const STEP3 = [
  ["ational", "ate"], ["tional", "tion"], ["alize", "al"], ["icate", "ic"], ["iciti", "ic"], ["ative", ""],
  ["ical", "ic"], ["ness", ""], ["ful", ""],
];
const STEP4 = "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic".split(" ");
const KEPT = { tional: 2, fulness: 4, entli: 2, fulli: 2, lessli: 2, ogi: 1, li: 2, alize: 3 }; // of these so many letters go
const LAST = new Set(["enci", "anci", "abli"]); // of these the last letter becomes an e

const vowel = (letter) => letter !== undefined && VOWELS.includes(letter);
const cut = (text, count) => text.slice(0, Math.max(0, text.length - count));
const after = (text) => {
  for (let i = 1; i < text.length; i++) if (!vowel(text[i]) && vowel(text[i - 1])) return text.slice(i + 1);
  return "";
};

export function stem(given) {
  if (Object.hasOwn(SPECIAL, given)) return SPECIAL[given];
  let word = given.startsWith("y") ? `Y${given.slice(1)}` : given;
  for (let i = 1; i < word.length; i++) {
    if (vowel(word[i - 1]) && word[i] === "y") word = `${word.slice(0, i)}Y${word.slice(i + 1)}`;
  }
  const start = /^(?:gener|commun|arsen)/.exec(word);
  let r1 = start ? word.slice(start[0].length) : after(word);
  let r2 = after(r1);
  const drop = (count) => ([word, r1, r2] = [cut(word, count), cut(r1, count), cut(r2, count)]);
  const put = (count, end, short = "") => {
    word = cut(word, count) + end;
    r1 = r1.length >= count ? cut(r1, count) + end : "";
    r2 = r2.length >= count ? cut(r2, count) + end : short;
  };

  const plural = /(?:sses|ied|ies|us|ss|s)$/.exec(word)?.[0];
  if (plural === "sses") drop(2);
  else if (plural === "ied" || plural === "ies") drop(word.length > 4 ? 2 : 1);
  else if (plural === "s" && [...word.slice(0, -2)].some(vowel)) drop(1);

  const past = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word)?.[0];
  if (past === "eed" || past === "eedly") {
    if (r1.endsWith(past)) put(past.length, "ee");
  } else if (past && [...word.slice(0, -past.length)].some(vowel)) {
    drop(past.length);
    const [a, b, c] = [word.at(-3), word.at(-2), word.at(-1)];
    if (/(?:at|bl|iz)$/.test(word)) {
      word += "e";
      r1 += "e";
      if (word.length > 5 || r1.length >= 3) r2 += "e";
    } else if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(word)) drop(1);
    else if (
      (r1 === "" && word.length >= 3 && !vowel(c) && !"wxY".includes(c) && vowel(b) && !vowel(a)) ||
      (r1 === "" && word.length === 2 && vowel(word[0]) && !vowel(word[1]))
    ) {
      word += "e";
      if (r2) r2 += "e";
    }
  }
  if (word.length > 2 && "yY".includes(word.at(-1)) && !vowel(word.at(-2))) put(1, "i");

  const step = (rules) => {
    const rule = rules.find(([end]) => word.endsWith(end));
    if (!rule || !r1.endsWith(rule[0])) return;
    const [end, to, short] = rule;
    if (end === "ogi" ? word.at(-4) !== "l" : end === "li" ? !LI.includes(word.at(-3)) : false) return;
    if (end === "ative" && !r2.endsWith(end)) return;
    if (KEPT[end]) drop(KEPT[end]);
    else if (LAST.has(end)) put(1, "e");
    else if (to) put(end.length, to, short);
    else drop(end.length);
  };
  step(STEP2);
  step(STEP3);
  const end = STEP4.find((ending) => word.endsWith(ending));
  if (end && r2.endsWith(end) && (end !== "ion" || "st".includes(word.at(-4)))) drop(end.length);

  if (r2.endsWith("l") && word.at(-2) === "l") word = cut(word, 1);
  else if (r2.endsWith("e")) word = cut(word, 1);
  else if (r1.endsWith("e") && word.length >= 4) {
    const [a, b, c] = [word.at(-4), word.at(-3), word.at(-2)];
    if (vowel(c) || "wxY".includes(c) || !vowel(b) || vowel(a)) word = cut(word, 1);
  }
  return word.replaceAll("Y", "y");
}
