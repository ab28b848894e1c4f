// The stems of words in German: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouyäöü";
const sEnding = "bdfghklmnrt";
const stEnding = "bdfghklmnt";
const step1Suffixes = ["ern", "em", "er", "en", "es", "e", "s"];
const step2Suffixes = ["est", "en", "er", "st"];
const step3Suffixes = ["isch", "lich", "heit", "keit", "end", "ung", "ig", "ik"];

function stemmed(word) {
  let i, suffix, r1, r2;
  word = word.toLowerCase();
  word = word.replaceAll("ß", "ss");
  for (i of range(1, word.length - 1)) {
    if ((vowels.includes(at(word, i - 1))) && (vowels.includes(at(word, i + 1)))) {
      if (at(word, i) === "u") {
        word = word.slice(0, i) + "U" + word.slice(i + 1);
      } else if (at(word, i) === "y") {
        word = word.slice(0, i) + "Y" + word.slice(i + 1);
      }
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
      if ((["en", "es", "e"].includes(suffix)) && (word.slice(-suffix.length - 4, -suffix.length) === "niss")) {
        word = word.slice(0, -suffix.length - 1);
        r1 = r1.slice(0, -suffix.length - 1);
        r2 = r2.slice(0, -suffix.length - 1);
      } else if (suffix === "s") {
        if (sEnding.includes(at(word, -2))) {
          word = word.slice(0, -1);
          r1 = r1.slice(0, -1);
          r2 = r2.slice(0, -1);
        }
      } else {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
      }
      break;
    }
  }
  for (suffix of step2Suffixes) {
    if (ends(r1, suffix)) {
      if (suffix === "st") {
        if ((stEnding.includes(at(word, -3))) && (word.slice(0, -3).length >= 3)) {
          word = word.slice(0, -2);
          r1 = r1.slice(0, -2);
          r2 = r2.slice(0, -2);
        }
      } else {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
      }
      break;
    }
  }
  for (suffix of step3Suffixes) {
    if (ends(r2, suffix)) {
      if (["end", "ung"].includes(suffix)) {
        if ((r2.slice(-suffix.length - 2, -suffix.length).includes("ig")) && (!r2.slice(-suffix.length - 3, -suffix.length - 2).includes("e"))) {
          word = word.slice(0, -suffix.length - 2);
        } else {
          word = word.slice(0, -suffix.length);
        }
      } else if ((["ig", "ik", "isch"].includes(suffix)) && (!r2.slice(-suffix.length - 1, -suffix.length).includes("e"))) {
        word = word.slice(0, -suffix.length);
      } else if (["lich", "heit"].includes(suffix)) {
        if ((r1.slice(-suffix.length - 2, -suffix.length).includes("er")) || (r1.slice(-suffix.length - 2, -suffix.length).includes("en"))) {
          word = word.slice(0, -suffix.length - 2);
        } else {
          word = word.slice(0, -suffix.length);
        }
      } else if (suffix === "keit") {
        if (r2.slice(-suffix.length - 4, -suffix.length).includes("lich")) {
          word = word.slice(0, -suffix.length - 4);
        } else if (r2.slice(-suffix.length - 2, -suffix.length).includes("ig")) {
          word = word.slice(0, -suffix.length - 2);
        } else {
          word = word.slice(0, -suffix.length);
        }
      }
      break;
    }
  }
  word = word.replaceAll("ä", "a").replaceAll("ö", "o").replaceAll("ü", "u").replaceAll("U", "u").replaceAll("Y", "y");
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
