// The stems of words in Portuguese: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouáéíóúâêô";
const step1Suffixes = [
  "amentos", "imentos", "uciones", "amento", "imento", "adoras", "adores", "aço~es", "logías",
  "ências", "amente", "idades", "ismos", "istas", "adora", "aça~o", "antes", "ância", "logía", "ución",
  "ência", "mente", "idade", "ezas", "icos", "icas", "ismo", "ável", "ível", "ista", "osos", "osas",
  "ador", "ante", "ivas", "ivos", "iras", "eza", "ico", "ica", "oso", "osa", "iva", "ivo", "ira",
];
const step2Suffixes = [
  "aríamos", "eríamos", "iríamos", "ássemos", "êssemos", "íssemos", "aríeis", "eríeis", "iríeis",
  "ásseis", "ésseis", "ísseis", "áramos", "éramos", "íramos", "ávamos", "aremos", "eremos", "iremos",
  "ariam", "eriam", "iriam", "assem", "essem", "issem", "ara~o", "era~o", "ira~o", "arias", "erias",
  "irias", "ardes", "erdes", "irdes", "asses", "esses", "isses", "astes", "estes", "istes", "áreis",
  "areis", "éreis", "ereis", "íreis", "ireis", "áveis", "íamos", "armos", "ermos", "irmos", "aria",
  "eria", "iria", "asse", "esse", "isse", "aste", "este", "iste", "arei", "erei", "irei", "aram",
  "eram", "iram", "avam", "arem", "erem", "irem", "ando", "endo", "indo", "adas", "idas", "arás",
  "aras", "erás", "eras", "irás", "avas", "ares", "eres", "ires", "íeis", "ados", "idos", "ámos",
  "amos", "emos", "imos", "iras", "ada", "ida", "ará", "ara", "erá", "era", "irá", "ava", "iam", "ado",
  "ido", "ias", "ais", "eis", "ira", "ia", "ei", "am", "em", "ar", "er", "ir", "as", "es", "is", "eu",
  "iu", "ou",
];
const step4Suffixes = ["os", "a", "i", "o", "á", "í", "ó"];

function stemmed(word) {
  let step1Success, step2Success, rv, suffix, r1, r2;
  word = word.toLowerCase();
  step1Success = false;
  step2Success = false;
  word = word.replaceAll("ã", "a~").replaceAll("õ", "o~");
  [r1, r2] = r1r2Standard(word, vowels);
  rv = rvStandard(word, vowels);
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
      } else if ((["ira", "iras"].includes(suffix)) && ends(rv, suffix) && (word.slice(-suffix.length - 1, -suffix.length) === "e")) {
        step1Success = true;
        word = word.slice(0, -suffix.length) + "ir";
        rv = rv.slice(0, -suffix.length) + "ir";
      } else if (ends(r2, suffix)) {
        step1Success = true;
        if (["logía", "logías"].includes(suffix)) {
          word = word.slice(0, -2);
          rv = rv.slice(0, -2);
        } else if (["ución", "uciones"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "u";
          rv = rv.slice(0, -suffix.length) + "u";
        } else if (["ência", "ências"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "ente";
          rv = rv.slice(0, -suffix.length) + "ente";
        } else if (suffix === "mente") {
          word = word.slice(0, -5);
          r2 = r2.slice(0, -5);
          rv = rv.slice(0, -5);
          if (ends(r2, ["ante", "avel", "ível"])) {
            word = word.slice(0, -4);
            rv = rv.slice(0, -4);
          }
        } else if (["idade", "idades"].includes(suffix)) {
          word = word.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
          if (ends(r2, ["ic", "iv"])) {
            word = word.slice(0, -2);
            rv = rv.slice(0, -2);
          } else if (ends(r2, "abil")) {
            word = word.slice(0, -4);
            rv = rv.slice(0, -4);
          }
        } else if (["iva", "ivo", "ivas", "ivos"].includes(suffix)) {
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
    for (suffix of step2Suffixes) {
      if (ends(rv, suffix)) {
        step2Success = true;
        word = word.slice(0, -suffix.length);
        rv = rv.slice(0, -suffix.length);
        break;
      }
    }
  }
  if (step1Success || step2Success) {
    if (ends(rv, "i") && (at(word, -2) === "c")) {
      word = word.slice(0, -1);
      rv = rv.slice(0, -1);
    }
  }
  if (!step1Success && !step2Success) {
    for (suffix of step4Suffixes) {
      if (ends(rv, suffix)) {
        word = word.slice(0, -suffix.length);
        rv = rv.slice(0, -suffix.length);
        break;
      }
    }
  }
  if (ends(rv, ["e", "é", "ê"])) {
    word = word.slice(0, -1);
    rv = rv.slice(0, -1);
    if ((ends(word, "gu") && ends(rv, "u")) || (ends(word, "ci") && ends(rv, "i"))) {
      word = word.slice(0, -1);
    }
  } else if (ends(word, "ç")) {
    word = word.slice(0, -1) + "c";
  }
  word = word.replaceAll("a~", "ã").replaceAll("o~", "õ");
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
