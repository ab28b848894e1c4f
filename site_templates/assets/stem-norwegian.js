// The stems of words in Norwegian: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouyæåø";
const sEnding = "bcdfghjlmnoprtvyz";
const step1Suffixes = [
  "hetenes", "hetene", "hetens", "heter", "heten", "endes", "ande", "ende", "edes", "enes", "erte",
  "ede", "ane", "ene", "ens", "ers", "ets", "het", "ast", "ert", "en", "ar", "er", "as", "es", "et",
  "a", "e", "s",
];
const step2Suffixes = ["dt", "vt"];
const step3Suffixes = ["hetslov", "eleg", "elig", "elov", "slov", "leg", "eig", "lig", "els", "lov", "ig"];

function stemmed(word) {
  let r1, suffix;
  word = word.toLowerCase();
  r1 = r1Scandinavian(word, vowels);
  for (suffix of step1Suffixes) {
    if (ends(r1, suffix)) {
      if (["erte", "ert"].includes(suffix)) {
        word = word.slice(0, -suffix.length) + "er";
        r1 = r1.slice(0, -suffix.length) + "er";
      } else if (suffix === "s") {
        if ((sEnding.includes(at(word, -2))) || ((at(word, -2) === "k") && (!vowels.includes(at(word, -3))))) {
          word = word.slice(0, -1);
          r1 = r1.slice(0, -1);
        }
      } else {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
      }
      break;
    }
  }
  for (suffix of step2Suffixes) {
    if (ends(r1, suffix)) {
      word = word.slice(0, -1);
      r1 = r1.slice(0, -1);
      break;
    }
  }
  for (suffix of step3Suffixes) {
    if (ends(r1, suffix)) {
      word = word.slice(0, -suffix.length);
      break;
    }
  }
  return word;
}

function r1Scandinavian(word, vowels) {
  let r1, i;
  r1 = "";
  for (i of range(1, word.length)) {
    if ((!vowels.includes(at(word, i))) && (vowels.includes(at(word, i - 1)))) {
      if ((word.slice(0, i + 1).length < 3) && (word.slice(0, i + 1).length > 0)) {
        r1 = word.slice(3);
      } else if (word.slice(0, i + 1).length >= 3) {
        r1 = word.slice(i + 1);
      } else {
        return word;
      }
      break;
    }
  }
  return r1;
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
