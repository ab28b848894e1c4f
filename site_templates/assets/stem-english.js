// The stems of words in English: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouy";
const doubleConsonants = ["bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"];
const liEnding = "cdeghkmnrt";
const step0Suffixes = ["'s'", "'s", "'"];
const step1aSuffixes = ["sses", "ied", "ies", "us", "ss", "s"];
const step1bSuffixes = ["eedly", "ingly", "edly", "eed", "ing", "ed"];
const step2Suffixes = [
  "ization", "ational", "fulness", "ousness", "iveness", "tional", "biliti", "lessli", "entli",
  "ation", "alism", "aliti", "ousli", "iviti", "fulli", "enci", "anci", "abli", "izer", "ator", "alli",
  "bli", "ogi", "li",
];
const step3Suffixes = ["ational", "tional", "alize", "icate", "iciti", "ative", "ical", "ness", "ful"];
const step4Suffixes = [
  "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive",
  "ize", "ion", "al", "er", "ic",
];
const step5Suffixes = ["e", "l"];
const specialWords = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ["sky", "sky"],
  ["news", "news"],
  ["howe", "howe"],
  ["atlas", "atlas"],
  ["cosmos", "cosmos"],
  ["bias", "bias"],
  ["andes", "andes"],
  ["inning", "inning"],
  ["innings", "inning"],
  ["outing", "outing"],
  ["outings", "outing"],
  ["canning", "canning"],
  ["cannings", "canning"],
  ["herring", "herring"],
  ["herrings", "herring"],
  ["earring", "earring"],
  ["earrings", "earring"],
  ["proceed", "proceed"],
  ["proceeds", "proceed"],
  ["proceeded", "proceed"],
  ["proceeding", "proceed"],
  ["exceed", "exceed"],
  ["exceeds", "exceed"],
  ["exceeded", "exceed"],
  ["exceeding", "exceed"],
  ["succeed", "succeed"],
  ["succeeds", "succeed"],
  ["succeeded", "succeed"],
  ["succeeding", "succeed"],
]);

function stemmed(word) {
  let i, step1aVowelFound, step1bVowelFound, r1, r2, suffix, letter;
  word = word.toLowerCase();
  if (specialWords.has(word)) {
    return specialWords.get(word);
  }
  word = word.replaceAll("’", "'").replaceAll("‘", "'").replaceAll("‛", "'");
  if (begins(word, "'")) {
    word = word.slice(1);
  }
  if (begins(word, "y")) {
    word = "Y" + word.slice(1);
  }
  for (i of range(1, word.length)) {
    if ((vowels.includes(at(word, i - 1))) && (at(word, i) === "y")) {
      word = word.slice(0, i) + "Y" + word.slice(i + 1);
    }
  }
  step1aVowelFound = false;
  step1bVowelFound = false;
  r1 = "";
  r2 = "";
  if (begins(word, ["gener", "commun", "arsen"])) {
    if (begins(word, ["gener", "arsen"])) {
      r1 = word.slice(5);
    } else {
      r1 = word.slice(6);
    }
    for (i of range(1, r1.length)) {
      if ((!vowels.includes(at(r1, i))) && (vowels.includes(at(r1, i - 1)))) {
        r2 = r1.slice(i + 1);
        break;
      }
    }
  } else {
    [r1, r2] = r1r2Standard(word, vowels);
  }
  for (suffix of step0Suffixes) {
    if (ends(word, suffix)) {
      word = word.slice(0, -suffix.length);
      r1 = r1.slice(0, -suffix.length);
      r2 = r2.slice(0, -suffix.length);
      break;
    }
  }
  for (suffix of step1aSuffixes) {
    if (ends(word, suffix)) {
      if (suffix === "sses") {
        word = word.slice(0, -2);
        r1 = r1.slice(0, -2);
        r2 = r2.slice(0, -2);
      } else if (["ied", "ies"].includes(suffix)) {
        if (word.slice(0, -suffix.length).length > 1) {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        } else {
          word = word.slice(0, -1);
          r1 = r1.slice(0, -1);
          r2 = r2.slice(0, -1);
        }
      } else if (suffix === "s") {
        for (letter of word.slice(0, -2)) {
          if (vowels.includes(letter)) {
            step1aVowelFound = true;
            break;
          }
        }
        if (step1aVowelFound) {
          word = word.slice(0, -1);
          r1 = r1.slice(0, -1);
          r2 = r2.slice(0, -1);
        }
      }
      break;
    }
  }
  for (suffix of step1bSuffixes) {
    if (ends(word, suffix)) {
      if (["eed", "eedly"].includes(suffix)) {
        if (ends(r1, suffix)) {
          word = word.slice(0, -suffix.length) + "ee";
          if (r1.length >= suffix.length) {
            r1 = r1.slice(0, -suffix.length) + "ee";
          } else {
            r1 = "";
          }
          if (r2.length >= suffix.length) {
            r2 = r2.slice(0, -suffix.length) + "ee";
          } else {
            r2 = "";
          }
        }
      } else {
        for (letter of word.slice(0, -suffix.length)) {
          if (vowels.includes(letter)) {
            step1bVowelFound = true;
            break;
          }
        }
        if (step1bVowelFound) {
          word = word.slice(0, -suffix.length);
          r1 = r1.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          if (ends(word, ["at", "bl", "iz"])) {
            word = word + "e";
            r1 = r1 + "e";
            if ((word.length > 5) || (r1.length >= 3)) {
              r2 = r2 + "e";
            }
          } else if (ends(word, doubleConsonants)) {
            word = word.slice(0, -1);
            r1 = r1.slice(0, -1);
            r2 = r2.slice(0, -1);
          } else if (((r1 === "") && (word.length >= 3) && (!vowels.includes(at(word, -1))) && (!"wxY".includes(at(word, -1))) && (vowels.includes(at(word, -2))) && (!vowels.includes(at(word, -3)))) || ((r1 === "") && (word.length === 2) && (vowels.includes(at(word, 0))) && (!vowels.includes(at(word, 1))))) {
            word = word + "e";
            if (r1.length > 0) {
              r1 = r1 + "e";
            }
            if (r2.length > 0) {
              r2 = r2 + "e";
            }
          }
        }
      }
      break;
    }
  }
  if ((word.length > 2) && ("yY".includes(at(word, -1))) && (!vowels.includes(at(word, -2)))) {
    word = word.slice(0, -1) + "i";
    if (r1.length >= 1) {
      r1 = r1.slice(0, -1) + "i";
    } else {
      r1 = "";
    }
    if (r2.length >= 1) {
      r2 = r2.slice(0, -1) + "i";
    } else {
      r2 = "";
    }
  }
  for (suffix of step2Suffixes) {
    if (ends(word, suffix)) {
      if (ends(r1, suffix)) {
        if (suffix === "tional") {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        } else if (["enci", "anci", "abli"].includes(suffix)) {
          word = word.slice(0, -1) + "e";
          if (r1.length >= 1) {
            r1 = r1.slice(0, -1) + "e";
          } else {
            r1 = "";
          }
          if (r2.length >= 1) {
            r2 = r2.slice(0, -1) + "e";
          } else {
            r2 = "";
          }
        } else if (suffix === "entli") {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        } else if (["izer", "ization"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "ize";
          if (r1.length >= suffix.length) {
            r1 = r1.slice(0, -suffix.length) + "ize";
          } else {
            r1 = "";
          }
          if (r2.length >= suffix.length) {
            r2 = r2.slice(0, -suffix.length) + "ize";
          } else {
            r2 = "";
          }
        } else if (["ational", "ation", "ator"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "ate";
          if (r1.length >= suffix.length) {
            r1 = r1.slice(0, -suffix.length) + "ate";
          } else {
            r1 = "";
          }
          if (r2.length >= suffix.length) {
            r2 = r2.slice(0, -suffix.length) + "ate";
          } else {
            r2 = "e";
          }
        } else if (["alism", "aliti", "alli"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "al";
          if (r1.length >= suffix.length) {
            r1 = r1.slice(0, -suffix.length) + "al";
          } else {
            r1 = "";
          }
          if (r2.length >= suffix.length) {
            r2 = r2.slice(0, -suffix.length) + "al";
          } else {
            r2 = "";
          }
        } else if (suffix === "fulness") {
          word = word.slice(0, -4);
          r1 = r1.slice(0, -4);
          r2 = r2.slice(0, -4);
        } else if (["ousli", "ousness"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "ous";
          if (r1.length >= suffix.length) {
            r1 = r1.slice(0, -suffix.length) + "ous";
          } else {
            r1 = "";
          }
          if (r2.length >= suffix.length) {
            r2 = r2.slice(0, -suffix.length) + "ous";
          } else {
            r2 = "";
          }
        } else if (["iveness", "iviti"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "ive";
          if (r1.length >= suffix.length) {
            r1 = r1.slice(0, -suffix.length) + "ive";
          } else {
            r1 = "";
          }
          if (r2.length >= suffix.length) {
            r2 = r2.slice(0, -suffix.length) + "ive";
          } else {
            r2 = "e";
          }
        } else if (["biliti", "bli"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "ble";
          if (r1.length >= suffix.length) {
            r1 = r1.slice(0, -suffix.length) + "ble";
          } else {
            r1 = "";
          }
          if (r2.length >= suffix.length) {
            r2 = r2.slice(0, -suffix.length) + "ble";
          } else {
            r2 = "";
          }
        } else if ((suffix === "ogi") && (at(word, -4) === "l")) {
          word = word.slice(0, -1);
          r1 = r1.slice(0, -1);
          r2 = r2.slice(0, -1);
        } else if (["fulli", "lessli"].includes(suffix)) {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        } else if ((suffix === "li") && (liEnding.includes(at(word, -3)))) {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        }
      }
      break;
    }
  }
  for (suffix of step3Suffixes) {
    if (ends(word, suffix)) {
      if (ends(r1, suffix)) {
        if (suffix === "tional") {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        } else if (suffix === "ational") {
          word = word.slice(0, -suffix.length) + "ate";
          if (r1.length >= suffix.length) {
            r1 = r1.slice(0, -suffix.length) + "ate";
          } else {
            r1 = "";
          }
          if (r2.length >= suffix.length) {
            r2 = r2.slice(0, -suffix.length) + "ate";
          } else {
            r2 = "";
          }
        } else if (suffix === "alize") {
          word = word.slice(0, -3);
          r1 = r1.slice(0, -3);
          r2 = r2.slice(0, -3);
        } else if (["icate", "iciti", "ical"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "ic";
          if (r1.length >= suffix.length) {
            r1 = r1.slice(0, -suffix.length) + "ic";
          } else {
            r1 = "";
          }
          if (r2.length >= suffix.length) {
            r2 = r2.slice(0, -suffix.length) + "ic";
          } else {
            r2 = "";
          }
        } else if (["ful", "ness"].includes(suffix)) {
          word = word.slice(0, -suffix.length);
          r1 = r1.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
        } else if ((suffix === "ative") && ends(r2, suffix)) {
          word = word.slice(0, -5);
          r1 = r1.slice(0, -5);
          r2 = r2.slice(0, -5);
        }
      }
      break;
    }
  }
  for (suffix of step4Suffixes) {
    if (ends(word, suffix)) {
      if (ends(r2, suffix)) {
        if (suffix === "ion") {
          if ("st".includes(at(word, -4))) {
            word = word.slice(0, -3);
            r1 = r1.slice(0, -3);
            r2 = r2.slice(0, -3);
          }
        } else {
          word = word.slice(0, -suffix.length);
          r1 = r1.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
        }
      }
      break;
    }
  }
  if (ends(r2, "l") && (at(word, -2) === "l")) {
    word = word.slice(0, -1);
  } else if (ends(r2, "e")) {
    word = word.slice(0, -1);
  } else if (ends(r1, "e")) {
    if ((word.length >= 4) && ((vowels.includes(at(word, -2))) || ("wxY".includes(at(word, -2))) || (!vowels.includes(at(word, -3))) || (vowels.includes(at(word, -4))))) {
      word = word.slice(0, -1);
    }
  }
  word = word.replaceAll("Y", "y");
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
