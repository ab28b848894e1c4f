// The stems of words in Spanish: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouáéíóúü";
const step0Suffixes = ["selas", "selos", "sela", "selo", "las", "les", "los", "nos", "me", "se", "la", "le", "lo"];
const step1Suffixes = [
  "amientos", "imientos", "amiento", "imiento", "aciones", "uciones", "adoras", "adores", "ancias",
  "logías", "encias", "amente", "idades", "anzas", "ismos", "ables", "ibles", "istas", "adora",
  "ación", "antes", "ancia", "logía", "ución", "encia", "mente", "anza", "icos", "icas", "ismo",
  "able", "ible", "ista", "osos", "osas", "ador", "ante", "idad", "ivas", "ivos", "ico", "ica", "oso",
  "osa", "iva", "ivo",
];
const step2aSuffixes = ["yeron", "yendo", "yamos", "yais", "yan", "yen", "yas", "yes", "ya", "ye", "yo", "yó"];
const step2bSuffixes = [
  "aríamos", "eríamos", "iríamos", "iéramos", "iésemos", "aríais", "aremos", "eríais", "eremos",
  "iríais", "iremos", "ierais", "ieseis", "asteis", "isteis", "ábamos", "áramos", "ásemos", "arían",
  "arías", "aréis", "erían", "erías", "eréis", "irían", "irías", "iréis", "ieran", "iesen", "ieron",
  "iendo", "ieras", "ieses", "abais", "arais", "aseis", "éamos", "arán", "arás", "aría", "erán",
  "erás", "ería", "irán", "irás", "iría", "iera", "iese", "aste", "iste", "aban", "aran", "asen",
  "aron", "ando", "abas", "adas", "idas", "aras", "ases", "íais", "ados", "idos", "amos", "imos",
  "emos", "ará", "aré", "erá", "eré", "irá", "iré", "aba", "ada", "ida", "ara", "ase", "ían", "ado",
  "ido", "ías", "áis", "éis", "ía", "ad", "ed", "id", "an", "ió", "ar", "er", "ir", "as", "ís", "en",
  "es",
];
const step3Suffixes = ["os", "a", "e", "o", "á", "é", "í", "ó"];

function stemmed(word) {
  let step1Success, rv, suffix, r1, r2, preSuff;
  word = word.toLowerCase();
  step1Success = false;
  [r1, r2] = r1r2Standard(word, vowels);
  rv = rvStandard(word, vowels);
  for (suffix of step0Suffixes) {
    if (ends(word, suffix)) {
      if (ends(rv, suffix)) {
        if (ends(rv.slice(0, -suffix.length), ["iéndo", "ándo", "ár", "ér", "ír"])) {
          word = word.slice(0, -suffix.length).replaceAll("á", "a").replaceAll("é", "e").replaceAll("í", "i");
          r1 = r1.slice(0, -suffix.length).replaceAll("á", "a").replaceAll("é", "e").replaceAll("í", "i");
          r2 = r2.slice(0, -suffix.length).replaceAll("á", "a").replaceAll("é", "e").replaceAll("í", "i");
          rv = rv.slice(0, -suffix.length).replaceAll("á", "a").replaceAll("é", "e").replaceAll("í", "i");
        } else if (ends(rv.slice(0, -suffix.length), ["ando", "iendo", "ar", "er", "ir"])) {
          word = word.slice(0, -suffix.length);
          r1 = r1.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
        } else if (ends(rv.slice(0, -suffix.length), "yendo") && ends(word.slice(0, -suffix.length), "uyendo")) {
          word = word.slice(0, -suffix.length);
          r1 = r1.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
        }
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
        } else if (ends(r2, ["os", "ic", "ad"])) {
          word = word.slice(0, -2);
          rv = rv.slice(0, -2);
        }
      } else if (ends(r2, suffix)) {
        step1Success = true;
        if (["adora", "ador", "ación", "adoras", "adores", "aciones", "ante", "antes", "ancia", "ancias"].includes(suffix)) {
          word = word.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
          if (ends(r2, "ic")) {
            word = word.slice(0, -2);
            rv = rv.slice(0, -2);
          }
        } else if (["logía", "logías"].includes(suffix)) {
          word = word.replaceAll(suffix, "log");
          rv = rv.replaceAll(suffix, "log");
        } else if (["ución", "uciones"].includes(suffix)) {
          word = word.replaceAll(suffix, "u");
          rv = rv.replaceAll(suffix, "u");
        } else if (["encia", "encias"].includes(suffix)) {
          word = word.replaceAll(suffix, "ente");
          rv = rv.replaceAll(suffix, "ente");
        } else if (suffix === "mente") {
          word = word.slice(0, -5);
          r2 = r2.slice(0, -5);
          rv = rv.slice(0, -5);
          if (ends(r2, ["ante", "able", "ible"])) {
            word = word.slice(0, -4);
            rv = rv.slice(0, -4);
          }
        } else if (["idad", "idades"].includes(suffix)) {
          word = word.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
          for (preSuff of ["abil", "ic", "iv"]) {
            if (ends(r2, preSuff)) {
              word = word.slice(0, -preSuff.length);
              rv = rv.slice(0, -preSuff.length);
            }
          }
        } else if (["ivo", "iva", "ivos", "ivas"].includes(suffix)) {
          word = word.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
          if (ends(r2, "at")) {
            word = word.slice(0, -2);
            rv = rv.slice(0, -2);
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
    for (suffix of step2aSuffixes) {
      if (ends(rv, suffix) && (word.slice(-suffix.length - 1, -suffix.length) === "u")) {
        word = word.slice(0, -suffix.length);
        rv = rv.slice(0, -suffix.length);
        break;
      }
    }
    for (suffix of step2bSuffixes) {
      if (ends(rv, suffix)) {
        if (["en", "es", "éis", "emos"].includes(suffix)) {
          word = word.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
          if (ends(word, "gu")) {
            word = word.slice(0, -1);
          }
          if (ends(rv, "gu")) {
            rv = rv.slice(0, -1);
          }
        } else {
          word = word.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
        }
        break;
      }
    }
  }
  for (suffix of step3Suffixes) {
    if (ends(rv, suffix)) {
      if (["e", "é"].includes(suffix)) {
        word = word.slice(0, -suffix.length);
        rv = rv.slice(0, -suffix.length);
        if ((word.length >= 2) && (word.slice(-2) === "gu") && (at(rv, -1) === "u")) {
          word = word.slice(0, -1);
        }
      } else {
        word = word.slice(0, -suffix.length);
      }
      break;
    }
  }
  word = word.replaceAll("á", "a").replaceAll("é", "e").replaceAll("í", "i").replaceAll("ó", "o").replaceAll("ú", "u");
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
