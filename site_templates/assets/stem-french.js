// The stems of words in French: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouyâàëéêèïîôûù";
const step1Suffixes = [
  "issements", "issement", "atrices", "atrice", "ateurs", "ations", "logies", "usions", "utions",
  "ements", "amment", "emment", "ances", "iqUes", "ismes", "ables", "istes", "ateur", "ation", "logie",
  "usion", "ution", "ences", "ement", "euses", "ments", "ance", "iqUe", "isme", "able", "iste", "ence",
  "ités", "ives", "eaux", "euse", "ment", "eux", "ité", "ive", "ifs", "aux", "if",
];
const step2aSuffixes = [
  "issaIent", "issantes", "iraIent", "issante", "issants", "issions", "irions", "issais", "issait",
  "issant", "issent", "issiez", "issons", "irais", "irait", "irent", "iriez", "irons", "iront",
  "isses", "issez", "îmes", "îtes", "irai", "iras", "irez", "isse", "ies", "ira", "ît", "ie", "ir",
  "is", "it", "i",
];
const step2bSuffixes = [
  "eraIent", "assions", "erions", "assent", "assiez", "èrent", "erais", "erait", "eriez", "erons",
  "eront", "aIent", "antes", "asses", "ions", "erai", "eras", "erez", "âmes", "âtes", "ante", "ants",
  "asse", "ées", "era", "iez", "ais", "ait", "ant", "ée", "és", "er", "ez", "ât", "ai", "as", "é", "a",
];
const step4Suffixes = ["ière", "Ière", "ion", "ier", "Ier", "e", "ë"];

function stemmed(word) {
  let step1Success, rvEndingFound, step2aSuccess, step2bSuccess, i, rv, suffix, r1, r2;
  word = word.toLowerCase();
  step1Success = false;
  rvEndingFound = false;
  step2aSuccess = false;
  step2bSuccess = false;
  for (i of range(1, word.length)) {
    if ((at(word, i - 1) === "q") && (at(word, i) === "u")) {
      word = word.slice(0, i) + "U" + word.slice(i + 1);
    }
  }
  for (i of range(1, word.length - 1)) {
    if ((vowels.includes(at(word, i - 1))) && (vowels.includes(at(word, i + 1)))) {
      if (at(word, i) === "u") {
        word = word.slice(0, i) + "U" + word.slice(i + 1);
      } else if (at(word, i) === "i") {
        word = word.slice(0, i) + "I" + word.slice(i + 1);
      }
    }
    if ((vowels.includes(at(word, i - 1))) || (vowels.includes(at(word, i + 1)))) {
      if (at(word, i) === "y") {
        word = word.slice(0, i) + "Y" + word.slice(i + 1);
      }
    }
  }
  [r1, r2] = r1r2Standard(word, vowels);
  rv = rvFrench(word, vowels);
  for (suffix of step1Suffixes) {
    if (ends(word, suffix)) {
      if (suffix === "eaux") {
        word = word.slice(0, -1);
        step1Success = true;
      } else if (["euse", "euses"].includes(suffix)) {
        if (r2.includes(suffix)) {
          word = word.slice(0, -suffix.length);
          step1Success = true;
        } else if (r1.includes(suffix)) {
          word = word.slice(0, -suffix.length) + "eux";
          step1Success = true;
        }
      } else if ((["ement", "ements"].includes(suffix)) && (rv.includes(suffix))) {
        word = word.slice(0, -suffix.length);
        step1Success = true;
        if ((word.slice(-2) === "iv") && (r2.includes("iv"))) {
          word = word.slice(0, -2);
          if ((word.slice(-2) === "at") && (r2.includes("at"))) {
            word = word.slice(0, -2);
          }
        } else if (word.slice(-3) === "eus") {
          if (r2.includes("eus")) {
            word = word.slice(0, -3);
          } else if (r1.includes("eus")) {
            word = word.slice(0, -1) + "x";
          }
        } else if (["abl", "iqU"].includes(word.slice(-3))) {
          if ((r2.includes("abl")) || (r2.includes("iqU"))) {
            word = word.slice(0, -3);
          }
        } else if (["ièr", "Ièr"].includes(word.slice(-3))) {
          if ((rv.includes("ièr")) || (rv.includes("Ièr"))) {
            word = word.slice(0, -3) + "i";
          }
        }
      } else if ((suffix === "amment") && (rv.includes(suffix))) {
        word = word.slice(0, -6) + "ant";
        rv = rv.slice(0, -6) + "ant";
        rvEndingFound = true;
      } else if ((suffix === "emment") && (rv.includes(suffix))) {
        word = word.slice(0, -6) + "ent";
        rvEndingFound = true;
      } else if ((["ment", "ments"].includes(suffix)) && (rv.includes(suffix)) && !begins(rv, suffix) && (vowels.includes(at(rv, rv.lastIndexOf(suffix) - 1)))) {
        word = word.slice(0, -suffix.length);
        rv = rv.slice(0, -suffix.length);
        rvEndingFound = true;
      } else if ((suffix === "aux") && (r1.includes(suffix))) {
        word = word.slice(0, -2) + "l";
        step1Success = true;
      } else if ((["issement", "issements"].includes(suffix)) && (r1.includes(suffix)) && (!vowels.includes(at(word, -suffix.length - 1)))) {
        word = word.slice(0, -suffix.length);
        step1Success = true;
      } else if ((["ance", "iqUe", "isme", "able", "iste", "eux", "ances", "iqUes", "ismes", "ables", "istes"].includes(suffix)) && (r2.includes(suffix))) {
        word = word.slice(0, -suffix.length);
        step1Success = true;
      } else if ((["atrice", "ateur", "ation", "atrices", "ateurs", "ations"].includes(suffix)) && (r2.includes(suffix))) {
        word = word.slice(0, -suffix.length);
        step1Success = true;
        if (word.slice(-2) === "ic") {
          if (r2.includes("ic")) {
            word = word.slice(0, -2);
          } else {
            word = word.slice(0, -2) + "iqU";
          }
        }
      } else if ((["logie", "logies"].includes(suffix)) && (r2.includes(suffix))) {
        word = word.slice(0, -suffix.length) + "log";
        step1Success = true;
      } else if ((["usion", "ution", "usions", "utions"].includes(suffix)) && (r2.includes(suffix))) {
        word = word.slice(0, -suffix.length) + "u";
        step1Success = true;
      } else if ((["ence", "ences"].includes(suffix)) && (r2.includes(suffix))) {
        word = word.slice(0, -suffix.length) + "ent";
        step1Success = true;
      } else if ((["ité", "ités"].includes(suffix)) && (r2.includes(suffix))) {
        word = word.slice(0, -suffix.length);
        step1Success = true;
        if (word.slice(-4) === "abil") {
          if (r2.includes("abil")) {
            word = word.slice(0, -4);
          } else {
            word = word.slice(0, -2) + "l";
          }
        } else if (word.slice(-2) === "ic") {
          if (r2.includes("ic")) {
            word = word.slice(0, -2);
          } else {
            word = word.slice(0, -2) + "iqU";
          }
        } else if (word.slice(-2) === "iv") {
          if (r2.includes("iv")) {
            word = word.slice(0, -2);
          }
        }
      } else if ((["if", "ive", "ifs", "ives"].includes(suffix)) && (r2.includes(suffix))) {
        word = word.slice(0, -suffix.length);
        step1Success = true;
        if ((word.slice(-2) === "at") && (r2.includes("at"))) {
          word = word.slice(0, -2);
          if (word.slice(-2) === "ic") {
            if (r2.includes("ic")) {
              word = word.slice(0, -2);
            } else {
              word = word.slice(0, -2) + "iqU";
            }
          }
        }
      }
      break;
    }
  }
  if (!step1Success || rvEndingFound) {
    for (suffix of step2aSuffixes) {
      if (ends(word, suffix)) {
        if ((rv.includes(suffix)) && (rv.length > suffix.length) && (!vowels.includes(at(rv, rv.lastIndexOf(suffix) - 1)))) {
          word = word.slice(0, -suffix.length);
          step2aSuccess = true;
        }
        break;
      }
    }
    if (!step2aSuccess) {
      for (suffix of step2bSuffixes) {
        if (ends(rv, suffix)) {
          if ((suffix === "ions") && (r2.includes("ions"))) {
            word = word.slice(0, -4);
            step2bSuccess = true;
          } else if ([
            "eraIent", "erions", "èrent", "erais", "erait", "eriez", "erons", "eront", "erai", "eras", "erez",
            "ées", "era", "iez", "ée", "és", "er", "ez", "é",
          ].includes(suffix)) {
            word = word.slice(0, -suffix.length);
            step2bSuccess = true;
          } else if ([
            "assions", "assent", "assiez", "aIent", "antes", "asses", "âmes", "âtes", "ante", "ants", "asse",
            "ais", "ait", "ant", "ât", "ai", "as", "a",
          ].includes(suffix)) {
            word = word.slice(0, -suffix.length);
            rv = rv.slice(0, -suffix.length);
            step2bSuccess = true;
            if (ends(rv, "e")) {
              word = word.slice(0, -1);
            }
          }
          break;
        }
      }
    }
  }
  if (step1Success || step2aSuccess || step2bSuccess) {
    if (at(word, -1) === "Y") {
      word = word.slice(0, -1) + "i";
    } else if (at(word, -1) === "ç") {
      word = word.slice(0, -1) + "c";
    }
  } else {
    if ((word.length >= 2) && (at(word, -1) === "s") && (!"aiouès".includes(at(word, -2)))) {
      word = word.slice(0, -1);
    }
    for (suffix of step4Suffixes) {
      if (ends(word, suffix)) {
        if (rv.includes(suffix)) {
          if ((suffix === "ion") && (r2.includes(suffix)) && ("st".includes(at(rv, -4)))) {
            word = word.slice(0, -3);
          } else if (["ier", "ière", "Ier", "Ière"].includes(suffix)) {
            word = word.slice(0, -suffix.length) + "i";
          } else if (suffix === "e") {
            word = word.slice(0, -1);
          } else if ((suffix === "ë") && (word.slice(-3, -1) === "gu")) {
            word = word.slice(0, -1);
          }
          break;
        }
      }
    }
  }
  if (ends(word, ["enn", "onn", "ett", "ell", "eill"])) {
    word = word.slice(0, -1);
  }
  for (i of range(1, word.length)) {
    if (!vowels.includes(at(word, -i))) {
      i += 1;
    } else {
      if ((i !== 1) && (["é", "è"].includes(at(word, -i)))) {
        word = word.slice(0, -i) + "e" + word.slice(-i + 1);
      }
      break;
    }
  }
  word = word.replaceAll("I", "i").replaceAll("U", "u").replaceAll("Y", "y");
  return word;
}

function rvFrench(word, vowels) {
  let rv, i;
  rv = "";
  if (word.length >= 2) {
    if (begins(word, ["par", "col", "tap"]) || ((vowels.includes(at(word, 0))) && (vowels.includes(at(word, 1))))) {
      rv = word.slice(3);
    } else {
      for (i of range(1, word.length)) {
        if (vowels.includes(at(word, i))) {
          rv = word.slice(i + 1);
          break;
        }
      }
    }
  }
  return rv;
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
