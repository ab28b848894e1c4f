// The stems of words in Romanian: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouăâî";
const step0Suffixes = [
  "iilor", "ului", "elor", "iile", "ilor", "atei", "aţie", "aţia", "aua", "ele", "iua", "iei", "ile",
  "ul", "ea", "ii",
];
const step1Suffixes = [
  "abilitate", "abilitati", "abilităţi", "ibilitate", "abilităi", "ivitate", "ivitati", "ivităţi",
  "icitate", "icitati", "icităţi", "icatori", "ivităi", "icităi", "icator", "aţiune", "atoare",
  "ătoare", "iţiune", "itoare", "iciva", "icive", "icivi", "icivă", "icala", "icale", "icali", "icală",
  "ativa", "ative", "ativi", "ativă", "atori", "ători", "itiva", "itive", "itivi", "itivă", "itori",
  "iciv", "ical", "ativ", "ator", "ător", "itiv", "itor",
];
const step2Suffixes = [
  "abila", "abile", "abili", "abilă", "ibila", "ibile", "ibili", "ibilă", "atori", "itate", "itati",
  "ităţi", "abil", "ibil", "oasa", "oasă", "oase", "anta", "ante", "anti", "antă", "ator", "ităi",
  "iune", "iuni", "isme", "ista", "iste", "isti", "istă", "işti", "ata", "ată", "ati", "ate", "uta",
  "ută", "uti", "ute", "ita", "ită", "iti", "ite", "ica", "ice", "ici", "ică", "osi", "oşi", "ant",
  "iva", "ive", "ivi", "ivă", "ism", "ist", "at", "ut", "it", "ic", "os", "iv",
];
const step3Suffixes = [
  "seserăţi", "aserăţi", "iserăţi", "âserăţi", "userăţi", "seserăm", "aserăm", "iserăm", "âserăm",
  "userăm", "serăţi", "seseşi", "seseră", "ească", "arăţi", "urăţi", "irăţi", "ârăţi", "aseşi",
  "aseră", "iseşi", "iseră", "âseşi", "âseră", "useşi", "useră", "serăm", "sesem", "indu", "ându",
  "ează", "eşti", "eşte", "ăşti", "ăşte", "eaţi", "iaţi", "arăm", "urăm", "irăm", "ârăm", "asem",
  "isem", "âsem", "usem", "seşi", "seră", "sese", "are", "ere", "ire", "âre", "ind", "ând", "eze",
  "ezi", "esc", "ăsc", "eam", "eai", "eau", "iam", "iai", "iau", "aşi", "ară", "uşi", "ură", "işi",
  "iră", "âşi", "âră", "ase", "ise", "âse", "use", "aţi", "eţi", "iţi", "âţi", "sei", "ez", "am", "ai",
  "au", "ea", "ia", "ui", "âi", "ăm", "em", "im", "âm", "se",
];

function stemmed(word) {
  let step1Success, step2Success, i, rv, suffix, r1, r2, replacementDone;
  word = word.toLowerCase();
  step1Success = false;
  step2Success = false;
  for (i of range(1, word.length - 1)) {
    if ((vowels.includes(at(word, i - 1))) && (vowels.includes(at(word, i + 1)))) {
      if (at(word, i) === "u") {
        word = word.slice(0, i) + "U" + word.slice(i + 1);
      } else if (at(word, i) === "i") {
        word = word.slice(0, i) + "I" + word.slice(i + 1);
      }
    }
  }
  [r1, r2] = r1r2Standard(word, vowels);
  rv = rvStandard(word, vowels);
  for (suffix of step0Suffixes) {
    if (ends(word, suffix)) {
      if (r1.includes(suffix)) {
        if (["ul", "ului"].includes(suffix)) {
          word = word.slice(0, -suffix.length);
          if (rv.includes(suffix)) {
            rv = rv.slice(0, -suffix.length);
          } else {
            rv = "";
          }
        } else if ((suffix === "aua") || (suffix === "atei") || ((suffix === "ile") && (word.slice(-5, -3) !== "ab"))) {
          word = word.slice(0, -2);
        } else if (["ea", "ele", "elor"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "e";
          if (rv.includes(suffix)) {
            rv = rv.slice(0, -suffix.length) + "e";
          } else {
            rv = "";
          }
        } else if (["ii", "iua", "iei", "iile", "iilor", "ilor"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "i";
          if (rv.includes(suffix)) {
            rv = rv.slice(0, -suffix.length) + "i";
          } else {
            rv = "";
          }
        } else if (["aţie", "aţia"].includes(suffix)) {
          word = word.slice(0, -1);
        }
      }
      break;
    }
  }
  while (true) {
    replacementDone = false;
    for (suffix of step1Suffixes) {
      if (ends(word, suffix)) {
        if (r1.includes(suffix)) {
          step1Success = true;
          replacementDone = true;
          if (["abilitate", "abilitati", "abilităi", "abilităţi"].includes(suffix)) {
            word = word.slice(0, -suffix.length) + "abil";
          } else if (suffix === "ibilitate") {
            word = word.slice(0, -5);
          } else if (["ivitate", "ivitati", "ivităi", "ivităţi"].includes(suffix)) {
            word = word.slice(0, -suffix.length) + "iv";
          } else if ([
            "icitate", "icitati", "icităi", "icităţi", "icator", "icatori", "iciv", "iciva", "icive", "icivi",
            "icivă", "ical", "icala", "icale", "icali", "icală",
          ].includes(suffix)) {
            word = word.slice(0, -suffix.length) + "ic";
          } else if ([
            "ativ", "ativa", "ative", "ativi", "ativă", "aţiune", "atoare", "ator", "atori", "ătoare", "ător",
            "ători",
          ].includes(suffix)) {
            word = word.slice(0, -suffix.length) + "at";
            if (r2.includes(suffix)) {
              r2 = r2.slice(0, -suffix.length) + "at";
            }
          } else if (["itiv", "itiva", "itive", "itivi", "itivă", "iţiune", "itoare", "itor", "itori"].includes(suffix)) {
            word = word.slice(0, -suffix.length) + "it";
            if (r2.includes(suffix)) {
              r2 = r2.slice(0, -suffix.length) + "it";
            }
          }
        } else {
          step1Success = false;
        }
        break;
      }
    }
    if (!replacementDone) {
      break;
    }
  }
  for (suffix of step2Suffixes) {
    if (ends(word, suffix)) {
      if (r2.includes(suffix)) {
        step2Success = true;
        if (["iune", "iuni"].includes(suffix)) {
          if (at(word, -5) === "ţ") {
            word = word.slice(0, -5) + "t";
          }
        } else if (["ism", "isme", "ist", "ista", "iste", "isti", "istă", "işti"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "ist";
        } else {
          word = word.slice(0, -suffix.length);
        }
      }
      break;
    }
  }
  if (!step1Success && !step2Success) {
    for (suffix of step3Suffixes) {
      if (ends(word, suffix)) {
        if (rv.includes(suffix)) {
          if ([
            "seserăţi", "seserăm", "serăţi", "seseşi", "seseră", "serăm", "sesem", "seşi", "seră", "sese", "aţi",
            "eţi", "iţi", "âţi", "sei", "ăm", "em", "im", "âm", "se",
          ].includes(suffix)) {
            word = word.slice(0, -suffix.length);
            rv = rv.slice(0, -suffix.length);
          } else if (!begins(rv, suffix) && (!"aeioăâî".includes(at(rv, rv.indexOf(suffix) - 1)))) {
            word = word.slice(0, -suffix.length);
          }
          break;
        }
      }
    }
  }
  for (suffix of ["ie", "a", "e", "i", "ă"]) {
    if (ends(word, suffix)) {
      if (rv.includes(suffix)) {
        word = word.slice(0, -suffix.length);
      }
      break;
    }
  }
  word = word.replaceAll("I", "i").replaceAll("U", "u");
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

function rvStandard(word, vowels) {
  let rv, i;
  rv = "";
  if (word.length >= 2) {
    if (!vowels.includes(at(word, 1))) {
      for (i of range(2, word.length)) {
        if (vowels.includes(at(word, i))) {
          rv = word.slice(i + 1);
          break;
        }
      }
    } else if (vowels.includes(word.slice(0, 2))) {
      for (i of range(2, word.length)) {
        if (!vowels.includes(at(word, i))) {
          rv = word.slice(i + 1);
          break;
        }
      }
    } else {
      rv = word.slice(3);
    }
  }
  return rv;
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
