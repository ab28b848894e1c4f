// The stems of words in Italian: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouàèìòù";
const step0Suffixes = [
  "gliela", "gliele", "glieli", "glielo", "gliene", "sene", "mela", "mele", "meli", "melo", "mene",
  "tela", "tele", "teli", "telo", "tene", "cela", "cele", "celi", "celo", "cene", "vela", "vele",
  "veli", "velo", "vene", "gli", "ci", "la", "le", "li", "lo", "mi", "ne", "si", "ti", "vi",
];
const step1Suffixes = [
  "atrice", "atrici", "azione", "azioni", "uzione", "uzioni", "usione", "usioni", "amento", "amenti",
  "imento", "imenti", "amente", "abile", "abili", "ibile", "ibili", "mente", "atore", "atori", "logia",
  "logie", "anza", "anze", "iche", "ichi", "ismo", "ismi", "ista", "iste", "isti", "istà", "istè",
  "istì", "ante", "anti", "enza", "enze", "ico", "ici", "ica", "ice", "oso", "osi", "osa", "ose",
  "ità", "ivo", "ivi", "iva", "ive",
];
const step2Suffixes = [
  "erebbero", "irebbero", "assero", "assimo", "eranno", "erebbe", "eremmo", "ereste", "eresti",
  "essero", "iranno", "irebbe", "iremmo", "ireste", "iresti", "iscano", "iscono", "issero", "arono",
  "avamo", "avano", "avate", "eremo", "erete", "erono", "evamo", "evano", "evate", "iremo", "irete",
  "irono", "ivamo", "ivano", "ivate", "ammo", "ando", "asse", "assi", "emmo", "enda", "ende", "endi",
  "endo", "erai", "erei", "Yamo", "iamo", "immo", "irai", "irei", "isca", "isce", "isci", "isco",
  "ano", "are", "ata", "ate", "ati", "ato", "ava", "avi", "avo", "erà", "ere", "erò", "ete", "eva",
  "evi", "evo", "irà", "ire", "irò", "ita", "ite", "iti", "ito", "iva", "ivi", "ivo", "ono", "uta",
  "ute", "uti", "uto", "ar", "ir",
];

function stemmed(word) {
  let step1Success, i, rv, suffix, r1, r2;
  word = word.toLowerCase();
  step1Success = false;
  word = word.replaceAll("á", "à").replaceAll("é", "è").replaceAll("í", "ì").replaceAll("ó", "ò").replaceAll("ú", "ù");
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
  }
  [r1, r2] = r1r2Standard(word, vowels);
  rv = rvStandard(word, vowels);
  for (suffix of step0Suffixes) {
    if (ends(rv, suffix)) {
      if (["ando", "endo"].includes(rv.slice(-suffix.length - 4, -suffix.length))) {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
        rv = rv.slice(0, -suffix.length);
      } else if (["ar", "er", "ir"].includes(rv.slice(-suffix.length - 2, -suffix.length))) {
        word = word.slice(0, -suffix.length) + "e";
        r1 = r1.slice(0, -suffix.length) + "e";
        r2 = r2.slice(0, -suffix.length) + "e";
        rv = rv.slice(0, -suffix.length) + "e";
      }
      break;
    }
  }
  for (suffix of step1Suffixes) {
    if (ends(word, suffix)) {
      if ((suffix === "amente") && ends(r1, suffix)) {
        step1Success = true;
        word = word.slice(0, -6);
        r2 = r2.slice(0, -6);
        rv = rv.slice(0, -6);
        if (ends(r2, "iv")) {
          word = word.slice(0, -2);
          r2 = r2.slice(0, -2);
          rv = rv.slice(0, -2);
          if (ends(r2, "at")) {
            word = word.slice(0, -2);
            rv = rv.slice(0, -2);
          }
        } else if (ends(r2, ["os", "ic"])) {
          word = word.slice(0, -2);
          rv = rv.slice(0, -2);
        } else if (ends(r2, "abil")) {
          word = word.slice(0, -4);
          rv = rv.slice(0, -4);
        }
      } else if ((["amento", "amenti", "imento", "imenti"].includes(suffix)) && ends(rv, suffix)) {
        step1Success = true;
        word = word.slice(0, -6);
        rv = rv.slice(0, -6);
      } else if (ends(r2, suffix)) {
        step1Success = true;
        if (["azione", "azioni", "atore", "atori"].includes(suffix)) {
          word = word.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
          if (ends(r2, "ic")) {
            word = word.slice(0, -2);
            rv = rv.slice(0, -2);
          }
        } else if (["logia", "logie"].includes(suffix)) {
          word = word.slice(0, -2);
          rv = word.slice(0, -2);
        } else if (["uzione", "uzioni", "usione", "usioni"].includes(suffix)) {
          word = word.slice(0, -5);
          rv = rv.slice(0, -5);
        } else if (["enza", "enze"].includes(suffix)) {
          word = word.slice(0, -2) + "te";
          rv = rv.slice(0, -2) + "te";
        } else if (suffix === "ità") {
          word = word.slice(0, -3);
          r2 = r2.slice(0, -3);
          rv = rv.slice(0, -3);
          if (ends(r2, ["ic", "iv"])) {
            word = word.slice(0, -2);
            rv = rv.slice(0, -2);
          } else if (ends(r2, "abil")) {
            word = word.slice(0, -4);
            rv = rv.slice(0, -4);
          }
        } else if (["ivo", "ivi", "iva", "ive"].includes(suffix)) {
          word = word.slice(0, -3);
          r2 = r2.slice(0, -3);
          rv = rv.slice(0, -3);
          if (ends(r2, "at")) {
            word = word.slice(0, -2);
            r2 = r2.slice(0, -2);
            rv = rv.slice(0, -2);
            if (ends(r2, "ic")) {
              word = word.slice(0, -2);
              rv = rv.slice(0, -2);
            }
          }
        } else {
          word = word.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
        }
      }
      break;
    }
  }
  if (!step1Success) {
    for (suffix of step2Suffixes) {
      if (ends(rv, suffix)) {
        word = word.slice(0, -suffix.length);
        rv = rv.slice(0, -suffix.length);
        break;
      }
    }
  }
  if (ends(rv, ["a", "e", "i", "o", "à", "è", "ì", "ò"])) {
    word = word.slice(0, -1);
    rv = rv.slice(0, -1);
    if (ends(rv, "i")) {
      word = word.slice(0, -1);
      rv = rv.slice(0, -1);
    }
  }
  if (ends(rv, ["ch", "gh"])) {
    word = word.slice(0, -1);
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
