// The stems of words in Dutch: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
// by `python -m tools.stemmers`; a change here is lost. Copyright (C) 2001-2012 NLTK Project, by Peter Michael Stahl
// and Peter Ljunglöf, after Martin Porter; Apache License 2.0, http://www.apache.org/licenses/LICENSE-2.0

const at = (text, index) => {
  const found = text.at(index);
  if (found === undefined) throw new RangeError("there is no such letter");
  return found;
};
const begins = (text, some) => [some].flat().some((one) => text.startsWith(one));
const ends = (text, some) => [some].flat().some((one) => text.endsWith(one));
const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);

const vowels = "aeiouyè";
const step1Suffixes = ["heden", "ene", "en", "se", "s"];
const step3bSuffixes = ["baar", "lijk", "bar", "end", "ing", "ig"];

function stemmed(word) {
  let step2Success, i, suffix, r1, r2;
  word = word.toLowerCase();
  step2Success = false;
  word = word.replaceAll("ä", "a").replaceAll("á", "a").replaceAll("ë", "e").replaceAll("é", "e").replaceAll("í", "i").replaceAll("ï", "i").replaceAll("ö", "o").replaceAll("ó", "o").replaceAll("ü", "u").replaceAll("ú", "u");
  if (begins(word, "y")) {
    word = "Y" + word.slice(1);
  }
  for (i of range(1, word.length)) {
    if ((vowels.includes(at(word, i - 1))) && (at(word, i) === "y")) {
      word = word.slice(0, i) + "Y" + word.slice(i + 1);
    }
  }
  for (i of range(1, word.length - 1)) {
    if ((vowels.includes(at(word, i - 1))) && (at(word, i) === "i") && (vowels.includes(at(word, i + 1)))) {
      word = word.slice(0, i) + "I" + word.slice(i + 1);
    }
  }
  [r1, r2] = r1r2Standard(word, vowels);
  for (i of range(1, word.length)) {
    if ((!vowels.includes(at(word, i))) && (vowels.includes(at(word, i - 1)))) {
      if ((word.slice(0, i + 1).length < 3) && (word.slice(0, i + 1).length > 0)) {
        r1 = word.slice(3);
      } else if (word.slice(0, i + 1).length === 0) {
        return word;
      }
      break;
    }
  }
  for (suffix of step1Suffixes) {
    if (ends(r1, suffix)) {
      if (suffix === "heden") {
        word = word.slice(0, -5) + "heid";
        r1 = r1.slice(0, -5) + "heid";
        if (ends(r2, "heden")) {
          r2 = r2.slice(0, -5) + "heid";
        }
      } else if ((["ene", "en"].includes(suffix)) && !ends(word, "heden") && (!vowels.includes(at(word, -suffix.length - 1))) && (word.slice(-suffix.length - 3, -suffix.length) !== "gem")) {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
        if (ends(word, ["kk", "dd", "tt"])) {
          word = word.slice(0, -1);
          r1 = r1.slice(0, -1);
          r2 = r2.slice(0, -1);
        }
      } else if ((["se", "s"].includes(suffix)) && (!vowels.includes(at(word, -suffix.length - 1))) && (at(word, -suffix.length - 1) !== "j")) {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
      }
      break;
    }
  }
  if (ends(r1, "e") && (!vowels.includes(at(word, -2)))) {
    step2Success = true;
    word = word.slice(0, -1);
    r1 = r1.slice(0, -1);
    r2 = r2.slice(0, -1);
    if (ends(word, ["kk", "dd", "tt"])) {
      word = word.slice(0, -1);
      r1 = r1.slice(0, -1);
      r2 = r2.slice(0, -1);
    }
  }
  if (ends(r2, "heid") && (at(word, -5) !== "c")) {
    word = word.slice(0, -4);
    r1 = r1.slice(0, -4);
    r2 = r2.slice(0, -4);
    if (ends(r1, "en") && (!vowels.includes(at(word, -3))) && (word.slice(-5, -2) !== "gem")) {
      word = word.slice(0, -2);
      r1 = r1.slice(0, -2);
      r2 = r2.slice(0, -2);
      if (ends(word, ["kk", "dd", "tt"])) {
        word = word.slice(0, -1);
        r1 = r1.slice(0, -1);
        r2 = r2.slice(0, -1);
      }
    }
  }
  for (suffix of step3bSuffixes) {
    if (ends(r2, suffix)) {
      if (["end", "ing"].includes(suffix)) {
        word = word.slice(0, -3);
        r2 = r2.slice(0, -3);
        if (ends(r2, "ig") && (at(word, -3) !== "e")) {
          word = word.slice(0, -2);
        } else if (ends(word, ["kk", "dd", "tt"])) {
          word = word.slice(0, -1);
        }
      } else if ((suffix === "ig") && (at(word, -3) !== "e")) {
        word = word.slice(0, -2);
      } else if (suffix === "lijk") {
        word = word.slice(0, -4);
        r1 = r1.slice(0, -4);
        if (ends(r1, "e") && (!vowels.includes(at(word, -2)))) {
          word = word.slice(0, -1);
          if (ends(word, ["kk", "dd", "tt"])) {
            word = word.slice(0, -1);
          }
        }
      } else if (suffix === "baar") {
        word = word.slice(0, -4);
      } else if ((suffix === "bar") && step2Success) {
        word = word.slice(0, -3);
      }
      break;
    }
  }
  if (word.length >= 4) {
    if ((!vowels.includes(at(word, -1))) && (at(word, -1) !== "I")) {
      if (["aa", "ee", "oo", "uu"].includes(word.slice(-3, -1))) {
        if (!vowels.includes(at(word, -4))) {
          word = word.slice(0, -3) + at(word, -3) + at(word, -1);
        }
      }
    }
  }
  word = word.replaceAll("I", "i").replaceAll("Y", "y");
  return word;
}

function r1r2Standard(word, vowels) {
  let r1, r2, i;
  r1 = "";
  r2 = "";
  for (i of range(1, word.length)) {
    if ((!vowels.includes(at(word, i))) && (vowels.includes(at(word, i - 1)))) {
      r1 = word.slice(i + 1);
      break;
    }
  }
  for (i of range(1, r1.length)) {
    if ((!vowels.includes(at(r1, i))) && (vowels.includes(at(r1, i - 1)))) {
      r2 = r1.slice(i + 1);
      break;
    }
  }
  return [r1, r2];
}

// A word too short for what is looked for in it is its own stem.
export function stem(word) {
  try {
    return stemmed(word);
  } catch (error) {
    if (error instanceof RangeError) return word;
    throw error;
  }
}
