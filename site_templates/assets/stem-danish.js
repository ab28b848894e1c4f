// The stems of words in Danish: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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
const consonants = "bcdfghjklmnpqrstvwxz";
const doubleConsonants = [
  "bb", "cc", "dd", "ff", "gg", "hh", "jj", "kk", "ll", "mm", "nn", "pp", "qq", "rr", "ss", "tt", "vv",
  "ww", "xx", "zz",
];
const sEnding = "abcdfghjklmnoprtvyzå";
const step1Suffixes = [
  "erendes", "erende", "hedens", "ethed", "erede", "heden", "heder", "endes", "ernes", "erens",
  "erets", "ered", "ende", "erne", "eren", "erer", "heds", "enes", "eres", "eret", "hed", "ene", "ere",
  "ens", "ers", "ets", "en", "er", "es", "et", "e", "s",
];
const step2Suffixes = ["gd", "dt", "gt", "kt"];
const step3Suffixes = ["elig", "løst", "lig", "els", "ig"];

function stemmed(word) {
  let r1, suffix, doubleCons;
  word = word.toLowerCase();
  r1 = r1Scandinavian(word, vowels);
  for (suffix of step1Suffixes) {
    if (ends(r1, suffix)) {
      if (suffix === "s") {
        if (sEnding.includes(at(word, -2))) {
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
  if (ends(r1, "igst")) {
    word = word.slice(0, -2);
    r1 = r1.slice(0, -2);
  }
  for (suffix of step3Suffixes) {
    if (ends(r1, suffix)) {
      if (suffix === "løst") {
        word = word.slice(0, -1);
        r1 = r1.slice(0, -1);
      } else {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        if (ends(r1, step2Suffixes)) {
          word = word.slice(0, -1);
          r1 = r1.slice(0, -1);
        }
      }
      break;
    }
  }
  for (doubleCons of doubleConsonants) {
    if (ends(word, doubleCons) && (word.length > 3)) {
      word = word.slice(0, -1);
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
