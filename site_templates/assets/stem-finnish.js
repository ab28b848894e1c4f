// The stems of words in Finnish: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouyäö";
const restrictedVowels = "aeiouäö";
const longVowels = ["aa", "ee", "ii", "oo", "uu", "ää", "öö"];
const consonants = "bcdfghjklmnpqrstvwxz";
const doubleConsonants = [
  "bb", "cc", "dd", "ff", "gg", "hh", "jj", "kk", "ll", "mm", "nn", "pp", "qq", "rr", "ss", "tt", "vv",
  "ww", "xx", "zz",
];
const step1Suffixes = ["kaan", "kään", "sti", "kin", "han", "hän", "ko", "kö", "pa", "pä"];
const step2Suffixes = ["nsa", "nsä", "mme", "nne", "si", "ni", "an", "än", "en"];
const step3Suffixes = [
  "siin", "tten", "seen", "han", "hen", "hin", "hon", "hän", "hön", "den", "tta", "ttä", "ssa", "ssä",
  "sta", "stä", "lla", "llä", "lta", "ltä", "lle", "ksi", "ine", "ta", "tä", "na", "nä", "a", "ä", "n",
];
const step4Suffixes = [
  "impi", "impa", "impä", "immi", "imma", "immä", "mpi", "mpa", "mpä", "mmi", "mma", "mmä", "eja",
  "ejä",
];

function stemmed(word) {
  let step3Success, suffix, i, r1, r2;
  word = word.toLowerCase();
  step3Success = false;
  [r1, r2] = r1r2Standard(word, vowels);
  for (suffix of step1Suffixes) {
    if (ends(r1, suffix)) {
      if (suffix === "sti") {
        if (r2.includes(suffix)) {
          word = word.slice(0, -3);
          r1 = r1.slice(0, -3);
          r2 = r2.slice(0, -3);
        }
      } else if ("ntaeiouyäö".includes(at(word, -suffix.length - 1))) {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
      }
      break;
    }
  }
  for (suffix of step2Suffixes) {
    if (ends(r1, suffix)) {
      if (suffix === "si") {
        if (at(word, -3) !== "k") {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        }
      } else if (suffix === "ni") {
        word = word.slice(0, -2);
        r1 = r1.slice(0, -2);
        r2 = r2.slice(0, -2);
        if (ends(word, "kse")) {
          word = word.slice(0, -3) + "ksi";
        }
        if (ends(r1, "kse")) {
          r1 = r1.slice(0, -3) + "ksi";
        }
        if (ends(r2, "kse")) {
          r2 = r2.slice(0, -3) + "ksi";
        }
      } else if (suffix === "an") {
        if ((["ta", "na"].includes(word.slice(-4, -2))) || (["ssa", "sta", "lla", "lta"].includes(word.slice(-5, -2)))) {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        }
      } else if (suffix === "än") {
        if ((["tä", "nä"].includes(word.slice(-4, -2))) || (["ssä", "stä", "llä", "ltä"].includes(word.slice(-5, -2)))) {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        }
      } else if (suffix === "en") {
        if (["lle", "ine"].includes(word.slice(-5, -2))) {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        }
      } else {
        word = word.slice(0, -3);
        r1 = r1.slice(0, -3);
        r2 = r2.slice(0, -3);
      }
      break;
    }
  }
  for (suffix of step3Suffixes) {
    if (ends(r1, suffix)) {
      if (["han", "hen", "hin", "hon", "hän", "hön"].includes(suffix)) {
        if (((suffix === "han") && (at(word, -4) === "a")) || ((suffix === "hen") && (at(word, -4) === "e")) || ((suffix === "hin") && (at(word, -4) === "i")) || ((suffix === "hon") && (at(word, -4) === "o")) || ((suffix === "hän") && (at(word, -4) === "ä")) || ((suffix === "hön") && (at(word, -4) === "ö"))) {
          word = word.slice(0, -3);
          r1 = r1.slice(0, -3);
          r2 = r2.slice(0, -3);
          step3Success = true;
        }
      } else if (["siin", "den", "tten"].includes(suffix)) {
        if ((at(word, -suffix.length - 1) === "i") && (restrictedVowels.includes(at(word, -suffix.length - 2)))) {
          word = word.slice(0, -suffix.length);
          r1 = r1.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          step3Success = true;
        } else {
          continue;
        }
      } else if (suffix === "seen") {
        if (longVowels.includes(word.slice(-6, -4))) {
          word = word.slice(0, -4);
          r1 = r1.slice(0, -4);
          r2 = r2.slice(0, -4);
          step3Success = true;
        } else {
          continue;
        }
      } else if (["a", "ä"].includes(suffix)) {
        if ((vowels.includes(at(word, -2))) && (consonants.includes(at(word, -3)))) {
          word = word.slice(0, -1);
          r1 = r1.slice(0, -1);
          r2 = r2.slice(0, -1);
          step3Success = true;
        }
      } else if (["tta", "ttä"].includes(suffix)) {
        if (at(word, -4) === "e") {
          word = word.slice(0, -3);
          r1 = r1.slice(0, -3);
          r2 = r2.slice(0, -3);
          step3Success = true;
        }
      } else if (suffix === "n") {
        word = word.slice(0, -1);
        r1 = r1.slice(0, -1);
        r2 = r2.slice(0, -1);
        step3Success = true;
        if ((word.slice(-2) === "ie") || (longVowels.includes(word.slice(-2)))) {
          word = word.slice(0, -1);
          r1 = r1.slice(0, -1);
          r2 = r2.slice(0, -1);
        }
      } else {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
        step3Success = true;
      }
      break;
    }
  }
  for (suffix of step4Suffixes) {
    if (ends(r2, suffix)) {
      if (["mpi", "mpa", "mpä", "mmi", "mma", "mmä"].includes(suffix)) {
        if (word.slice(-5, -3) !== "po") {
          word = word.slice(0, -3);
          r1 = r1.slice(0, -3);
          r2 = r2.slice(0, -3);
        }
      } else {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
      }
      break;
    }
  }
  if (step3Success && (r1.length >= 1) && ("ij".includes(at(r1, -1)))) {
    word = word.slice(0, -1);
    r1 = r1.slice(0, -1);
  } else if (!step3Success && (r1.length >= 2) && (at(r1, -1) === "t") && (vowels.includes(at(r1, -2)))) {
    word = word.slice(0, -1);
    r1 = r1.slice(0, -1);
    r2 = r2.slice(0, -1);
    if (ends(r2, "imma")) {
      word = word.slice(0, -4);
      r1 = r1.slice(0, -4);
    } else if (ends(r2, "mma") && (r2.slice(-5, -3) !== "po")) {
      word = word.slice(0, -3);
      r1 = r1.slice(0, -3);
    }
  }
  if (longVowels.includes(r1.slice(-2))) {
    word = word.slice(0, -1);
    r1 = r1.slice(0, -1);
  }
  if ((r1.length >= 2) && (consonants.includes(at(r1, -2))) && ("aäei".includes(at(r1, -1)))) {
    word = word.slice(0, -1);
    r1 = r1.slice(0, -1);
  }
  if (ends(r1, ["oj", "uj"])) {
    word = word.slice(0, -1);
    r1 = r1.slice(0, -1);
  }
  if (ends(r1, "jo")) {
    word = word.slice(0, -1);
    r1 = r1.slice(0, -1);
  }
  for (i of range(1, word.length)) {
    if (vowels.includes(at(word, -i))) {
      continue;
    } else {
      if (i === 1) {
        if (doubleConsonants.includes(word.slice(-i - 1))) {
          word = word.slice(0, -1);
        }
      } else if (doubleConsonants.includes(word.slice(-i - 1, -i + 1))) {
        word = word.slice(0, -i) + word.slice(-i + 1);
      }
      break;
    }
  }
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
