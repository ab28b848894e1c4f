// The stems of words in Hungarian: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const vowels = "aeiouöüáéíóõúû";
const digraphs = ["cs", "dz", "dzs", "gy", "ly", "ny", "ty", "zs"];
const doubleConsonants = [
  "bb", "cc", "ccs", "dd", "ff", "gg", "ggy", "jj", "kk", "ll", "lly", "mm", "nn", "nny", "pp", "rr",
  "ss", "ssz", "tt", "tty", "vv", "zz", "zzs",
];
const step1Suffixes = ["al", "el"];
const step2Suffixes = [
  "képpen", "onként", "enként", "anként", "képp", "ként", "ban", "ben", "nak", "nek", "val", "vel",
  "tól", "tõl", "ról", "rõl", "ból", "bõl", "hoz", "hez", "höz", "nál", "nél", "ért", "kor", "ba",
  "be", "ra", "re", "ig", "at", "et", "ot", "öt", "ul", "ül", "vá", "vé", "en", "on", "an", "ön", "n",
  "t",
];
const step3Suffixes = ["ánként", "án", "én"];
const step4Suffixes = ["astul", "estül", "ástul", "éstül", "stul", "stül"];
const step5Suffixes = ["á", "é"];
const step6Suffixes = ["oké", "öké", "aké", "eké", "áké", "áéi", "éké", "ééi", "ké", "éi", "éé", "é"];
const step7Suffixes = [
  "ájuk", "éjük", "ünk", "unk", "juk", "jük", "ánk", "énk", "nk", "uk", "ük", "em", "om", "am", "od",
  "ed", "ad", "öd", "ja", "je", "ám", "ád", "ém", "éd", "m", "d", "a", "e", "o", "á", "é",
];
const step8Suffixes = [
  "jaitok", "jeitek", "jaink", "jeink", "aitok", "eitek", "áitok", "éitek", "jaim", "jeim", "jaid",
  "jeid", "eink", "aink", "itek", "jeik", "jaik", "áink", "éink", "aim", "eim", "aid", "eid", "jai",
  "jei", "ink", "aik", "eik", "áim", "áid", "áik", "éim", "éid", "éik", "im", "id", "ai", "ei", "ik",
  "ái", "éi", "i",
];
const step9Suffixes = ["ák", "ék", "ök", "ok", "ek", "ak", "k"];

function stemmed(word) {
  let r1, suffix, doubleCons;
  word = word.toLowerCase();
  r1 = r1Hungarian(word, vowels, digraphs);
  if (ends(r1, step1Suffixes)) {
    for (doubleCons of doubleConsonants) {
      if (word.slice(-2 - doubleCons.length, -2) === doubleCons) {
        word = word.slice(0, -4) + at(word, -3);
        if (r1.slice(-2 - doubleCons.length, -2) === doubleCons) {
          r1 = r1.slice(0, -4) + at(r1, -3);
        }
        break;
      }
    }
  }
  for (suffix of step2Suffixes) {
    if (ends(word, suffix)) {
      if (ends(r1, suffix)) {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
        if (ends(r1, "á")) {
          word = word.slice(0, -1) + "a";
          r1 = r1.slice(0, -1) + "a";
        } else if (ends(r1, "é")) {
          word = word.slice(0, -1) + "e";
          r1 = r1.slice(0, -1) + "e";
        }
      }
      break;
    }
  }
  for (suffix of step3Suffixes) {
    if (ends(r1, suffix)) {
      if (suffix === "én") {
        word = word.slice(0, -2) + "e";
        r1 = r1.slice(0, -2) + "e";
      } else {
        word = word.slice(0, -suffix.length) + "a";
        r1 = r1.slice(0, -suffix.length) + "a";
      }
      break;
    }
  }
  for (suffix of step4Suffixes) {
    if (ends(r1, suffix)) {
      if (suffix === "ástul") {
        word = word.slice(0, -5) + "a";
        r1 = r1.slice(0, -5) + "a";
      } else if (suffix === "éstül") {
        word = word.slice(0, -5) + "e";
        r1 = r1.slice(0, -5) + "e";
      } else {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
      }
      break;
    }
  }
  for (suffix of step5Suffixes) {
    if (ends(r1, suffix)) {
      for (doubleCons of doubleConsonants) {
        if (word.slice(-1 - doubleCons.length, -1) === doubleCons) {
          word = word.slice(0, -3) + at(word, -2);
          if (r1.slice(-1 - doubleCons.length, -1) === doubleCons) {
            r1 = r1.slice(0, -3) + at(r1, -2);
          }
          break;
        }
      }
    }
  }
  for (suffix of step6Suffixes) {
    if (ends(r1, suffix)) {
      if (["áké", "áéi"].includes(suffix)) {
        word = word.slice(0, -3) + "a";
        r1 = r1.slice(0, -3) + "a";
      } else if (["éké", "ééi", "éé"].includes(suffix)) {
        word = word.slice(0, -suffix.length) + "e";
        r1 = r1.slice(0, -suffix.length) + "e";
      } else {
        word = word.slice(0, -suffix.length);
        r1 = r1.slice(0, -suffix.length);
      }
      break;
    }
  }
  for (suffix of step7Suffixes) {
    if (ends(word, suffix)) {
      if (ends(r1, suffix)) {
        if (["ánk", "ájuk", "ám", "ád", "á"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "a";
          r1 = r1.slice(0, -suffix.length) + "a";
        } else if (["énk", "éjük", "ém", "éd", "é"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "e";
          r1 = r1.slice(0, -suffix.length) + "e";
        } else {
          word = word.slice(0, -suffix.length);
          r1 = r1.slice(0, -suffix.length);
        }
      }
      break;
    }
  }
  for (suffix of step8Suffixes) {
    if (ends(word, suffix)) {
      if (ends(r1, suffix)) {
        if (["áim", "áid", "ái", "áink", "áitok", "áik"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "a";
          r1 = r1.slice(0, -suffix.length) + "a";
        } else if (["éim", "éid", "éi", "éink", "éitek", "éik"].includes(suffix)) {
          word = word.slice(0, -suffix.length) + "e";
          r1 = r1.slice(0, -suffix.length) + "e";
        } else {
          word = word.slice(0, -suffix.length);
          r1 = r1.slice(0, -suffix.length);
        }
      }
      break;
    }
  }
  for (suffix of step9Suffixes) {
    if (ends(word, suffix)) {
      if (ends(r1, suffix)) {
        if (suffix === "ák") {
          word = word.slice(0, -2) + "a";
        } else if (suffix === "ék") {
          word = word.slice(0, -2) + "e";
        } else {
          word = word.slice(0, -suffix.length);
        }
      }
      break;
    }
  }
  return word;
}

function r1Hungarian(word, vowels, digraphs) {
  let r1, digraph, i;
  r1 = "";
  if (vowels.includes(at(word, 0))) {
    for (digraph of digraphs) {
      if (word.slice(1).includes(digraph)) {
        r1 = word.slice(word.indexOf(at(digraph, -1)) + 1);
        return r1;
      }
    }
    for (i of range(1, word.length)) {
      if (!vowels.includes(at(word, i))) {
        r1 = word.slice(i + 1);
        break;
      }
    }
  } else {
    for (i of range(1, word.length)) {
      if (vowels.includes(at(word, i))) {
        r1 = word.slice(i + 1);
        break;
      }
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
