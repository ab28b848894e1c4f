// The stems of words in Russian: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
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

const perfectiveGerundSuffixes = ["ivshis'", "yvshis'", "vshis'", "ivshi", "yvshi", "vshi", "iv", "yv", "v"];
const adjectivalSuffixes = [
  "ui^ushchi^ui^u", "ui^ushchi^ai^a", "ui^ushchimi", "ui^ushchymi", "ui^ushchego", "ui^ushchogo",
  "ui^ushchemu", "ui^ushchomu", "ui^ushchikh", "ui^ushchykh", "ui^ushchui^u", "ui^ushchaia",
  "ui^ushchoi^u", "ui^ushchei^u", "i^ushchi^ui^u", "i^ushchi^ai^a", "ui^ushchee", "ui^ushchie",
  "ui^ushchye", "ui^ushchoe", "ui^ushchei`", "ui^ushchii`", "ui^ushchyi`", "ui^ushchoi`", "ui^ushchem",
  "ui^ushchim", "ui^ushchym", "ui^ushchom", "i^ushchimi", "i^ushchymi", "i^ushchego", "i^ushchogo",
  "i^ushchemu", "i^ushchomu", "i^ushchikh", "i^ushchykh", "i^ushchui^u", "i^ushchai^a", "i^ushchoi^u",
  "i^ushchei^u", "i^ushchee", "i^ushchie", "i^ushchye", "i^ushchoe", "i^ushchei`", "i^ushchii`",
  "i^ushchyi`", "i^ushchoi`", "i^ushchem", "i^ushchim", "i^ushchym", "i^ushchom", "shchi^ui^u",
  "shchi^ai^a", "ivshi^ui^u", "ivshi^ai^a", "yvshi^ui^u", "yvshi^ai^a", "shchimi", "shchymi",
  "shchego", "shchogo", "shchemu", "shchomu", "shchikh", "shchykh", "shchui^u", "shchai^a", "shchoi^u",
  "shchei^u", "ivshimi", "ivshymi", "ivshego", "ivshogo", "ivshemu", "ivshomu", "ivshikh", "ivshykh",
  "ivshui^u", "ivshai^a", "ivshoi^u", "ivshei^u", "yvshimi", "yvshymi", "yvshego", "yvshogo",
  "yvshemu", "yvshomu", "yvshikh", "yvshykh", "yvshui^u", "yvshai^a", "yvshoi^u", "yvshei^u",
  "vshi^ui^u", "vshi^ai^a", "shchee", "shchie", "shchye", "shchoe", "shchei`", "shchii`", "shchyi`",
  "shchoi`", "shchem", "shchim", "shchym", "shchom", "ivshee", "ivshie", "ivshye", "ivshoe", "ivshei`",
  "ivshii`", "ivshyi`", "ivshoi`", "ivshem", "ivshim", "ivshym", "ivshom", "yvshee", "yvshie",
  "yvshye", "yvshoe", "yvshei`", "yvshii`", "yvshyi`", "yvshoi`", "yvshem", "yvshim", "yvshym",
  "yvshom", "vshimi", "vshymi", "vshego", "vshogo", "vshemu", "vshomu", "vshikh", "vshykh", "vshui^u",
  "vshai^a", "vshoi^u", "vshei^u", "emi^ui^u", "emi^ai^a", "nni^ui^u", "nni^ai^a", "vshee", "vshie",
  "vshye", "vshoe", "vshei`", "vshii`", "vshyi`", "vshoi`", "vshem", "vshim", "vshym", "vshom",
  "emimi", "emymi", "emego", "emogo", "ememu", "emomu", "emikh", "emykh", "emui^u", "emai^a", "emoi^u",
  "emei^u", "nnimi", "nnymi", "nnego", "nnogo", "nnemu", "nnomu", "nnikh", "nnykh", "nnui^u", "nnai^a",
  "nnoi^u", "nnei^u", "emee", "emie", "emye", "emoe", "emei`", "emii`", "emyi`", "emoi`", "emem",
  "emim", "emym", "emom", "nnee", "nnie", "nnye", "nnoe", "nnei`", "nnii`", "nnyi`", "nnoi`", "nnem",
  "nnim", "nnym", "nnom", "i^ui^u", "i^ai^a", "imi", "ymi", "ego", "ogo", "emu", "omu", "ikh", "ykh",
  "ui^u", "ai^a", "oi^u", "ei^u", "ee", "ie", "ye", "oe", "ei`", "ii`", "yi`", "oi`", "em", "im", "ym",
  "om",
];
const reflexiveSuffixes = ["si^a", "s'"];
const verbSuffixes = [
  "esh'", "ei`te", "ui`te", "ui^ut", "ish'", "ete", "i`te", "i^ut", "nno", "ila", "yla", "ena", "ite",
  "ili", "yli", "ilo", "ylo", "eno", "i^at", "uet", "eny", "it'", "yt'", "ui^u", "la", "na", "li",
  "em", "lo", "no", "et", "ny", "t'", "ei`", "ui`", "il", "yl", "im", "ym", "en", "it", "yt", "i^u",
  "i`", "l", "n",
];
const nounSuffixes = [
  "ii^ami", "ii^akh", "i^ami", "ii^am", "i^akh", "ami", "iei`", "i^am", "iem", "akh", "ii^u", "'i^u",
  "ii^a", "'i^a", "ev", "ov", "ie", "'e", "ei", "ii", "ei`", "oi`", "ii`", "em", "am", "om", "i^u",
  "i^a", "a", "e", "i", "i`", "o", "u", "y", "'",
];
const superlativeSuffixes = ["ei`she", "ei`sh"];
const derivationalSuffixes = ["ost'", "ost"];

function stemmed(word) {
  let chrExceeded, i, step1Success, adjectivalRemoved, verbRemoved, undoubleSuccess, superlativeRemoved, suffix, rv, r2;
  chrExceeded = false;
  for (i of range(0, word.length)) {
    if (at(word, i).codePointAt(0) > 255) {
      chrExceeded = true;
      break;
    }
  }
  if (chrExceeded) {
    word = cyrillicToRoman(word);
  }
  step1Success = false;
  adjectivalRemoved = false;
  verbRemoved = false;
  undoubleSuccess = false;
  superlativeRemoved = false;
  [rv, r2] = regionsRussian(word);
  for (suffix of perfectiveGerundSuffixes) {
    if (ends(rv, suffix)) {
      if (["v", "vshi", "vshis'"].includes(suffix)) {
        if ((rv.slice(-suffix.length - 3, -suffix.length) === "i^a") || (rv.slice(-suffix.length - 1, -suffix.length) === "a")) {
          word = word.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
          step1Success = true;
          break;
        }
      } else {
        word = word.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
        rv = rv.slice(0, -suffix.length);
        step1Success = true;
        break;
      }
    }
  }
  if (!step1Success) {
    for (suffix of reflexiveSuffixes) {
      if (ends(rv, suffix)) {
        word = word.slice(0, -suffix.length);
        r2 = r2.slice(0, -suffix.length);
        rv = rv.slice(0, -suffix.length);
        break;
      }
    }
    for (suffix of adjectivalSuffixes) {
      if (ends(rv, suffix)) {
        if ([
          "i^ushchi^ui^u", "i^ushchi^ai^a", "i^ushchui^u", "i^ushchai^a", "i^ushchoi^u", "i^ushchei^u",
          "i^ushchimi", "i^ushchymi", "i^ushchego", "i^ushchogo", "i^ushchemu", "i^ushchomu", "i^ushchikh",
          "i^ushchykh", "shchi^ui^u", "shchi^ai^a", "i^ushchee", "i^ushchie", "i^ushchye", "i^ushchoe",
          "i^ushchei`", "i^ushchii`", "i^ushchyi`", "i^ushchoi`", "i^ushchem", "i^ushchim", "i^ushchym",
          "i^ushchom", "vshi^ui^u", "vshi^ai^a", "shchui^u", "shchai^a", "shchoi^u", "shchei^u", "emi^ui^u",
          "emi^ai^a", "nni^ui^u", "nni^ai^a", "shchimi", "shchymi", "shchego", "shchogo", "shchemu", "shchomu",
          "shchikh", "shchykh", "vshui^u", "vshai^a", "vshoi^u", "vshei^u", "shchee", "shchie", "shchye",
          "shchoe", "shchei`", "shchii`", "shchyi`", "shchoi`", "shchem", "shchim", "shchym", "shchom",
          "vshimi", "vshymi", "vshego", "vshogo", "vshemu", "vshomu", "vshikh", "vshykh", "emui^u", "emai^a",
          "emoi^u", "emei^u", "nnui^u", "nnai^a", "nnoi^u", "nnei^u", "vshee", "vshie", "vshye", "vshoe",
          "vshei`", "vshii`", "vshyi`", "vshoi`", "vshem", "vshim", "vshym", "vshom", "emimi", "emymi",
          "emego", "emogo", "ememu", "emomu", "emikh", "emykh", "nnimi", "nnymi", "nnego", "nnogo", "nnemu",
          "nnomu", "nnikh", "nnykh", "emee", "emie", "emye", "emoe", "emei`", "emii`", "emyi`", "emoi`",
          "emem", "emim", "emym", "emom", "nnee", "nnie", "nnye", "nnoe", "nnei`", "nnii`", "nnyi`", "nnoi`",
          "nnem", "nnim", "nnym", "nnom",
        ].includes(suffix)) {
          if ((rv.slice(-suffix.length - 3, -suffix.length) === "i^a") || (rv.slice(-suffix.length - 1, -suffix.length) === "a")) {
            word = word.slice(0, -suffix.length);
            r2 = r2.slice(0, -suffix.length);
            rv = rv.slice(0, -suffix.length);
            adjectivalRemoved = true;
            break;
          }
        } else {
          word = word.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
          adjectivalRemoved = true;
          break;
        }
      }
    }
    if (!adjectivalRemoved) {
      for (suffix of verbSuffixes) {
        if (ends(rv, suffix)) {
          if ([
            "la", "na", "ete", "i`te", "li", "i`", "l", "em", "n", "lo", "no", "et", "i^ut", "ny", "t'", "esh'",
            "nno",
          ].includes(suffix)) {
            if ((rv.slice(-suffix.length - 3, -suffix.length) === "i^a") || (rv.slice(-suffix.length - 1, -suffix.length) === "a")) {
              word = word.slice(0, -suffix.length);
              r2 = r2.slice(0, -suffix.length);
              rv = rv.slice(0, -suffix.length);
              verbRemoved = true;
              break;
            }
          } else {
            word = word.slice(0, -suffix.length);
            r2 = r2.slice(0, -suffix.length);
            rv = rv.slice(0, -suffix.length);
            verbRemoved = true;
            break;
          }
        }
      }
    }
    if (!adjectivalRemoved && !verbRemoved) {
      for (suffix of nounSuffixes) {
        if (ends(rv, suffix)) {
          word = word.slice(0, -suffix.length);
          r2 = r2.slice(0, -suffix.length);
          rv = rv.slice(0, -suffix.length);
          break;
        }
      }
    }
  }
  if (ends(rv, "i")) {
    word = word.slice(0, -1);
    r2 = r2.slice(0, -1);
  }
  for (suffix of derivationalSuffixes) {
    if (ends(r2, suffix)) {
      word = word.slice(0, -suffix.length);
      break;
    }
  }
  if (ends(word, "nn")) {
    word = word.slice(0, -1);
    undoubleSuccess = true;
  }
  if (!undoubleSuccess) {
    for (suffix of superlativeSuffixes) {
      if (ends(word, suffix)) {
        word = word.slice(0, -suffix.length);
        superlativeRemoved = true;
        break;
      }
    }
    if (ends(word, "nn")) {
      word = word.slice(0, -1);
    }
  }
  if (!undoubleSuccess && !superlativeRemoved) {
    if (ends(word, "'")) {
      word = word.slice(0, -1);
    }
  }
  if (chrExceeded) {
    word = romanToCyrillic(word);
  }
  return word;
}

function regionsRussian(word) {
  let r1, r2, rv, vowels, i;
  r1 = "";
  r2 = "";
  rv = "";
  vowels = ["A", "U", "E", "a", "e", "i", "o", "u", "y"];
  word = word.replaceAll("i^a", "A").replaceAll("i^u", "U").replaceAll("e`", "E");
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
  for (i of range(0, word.length)) {
    if (vowels.includes(at(word, i))) {
      rv = word.slice(i + 1);
      break;
    }
  }
  r2 = r2.replaceAll("A", "i^a").replaceAll("U", "i^u").replaceAll("E", "e`");
  rv = rv.replaceAll("A", "i^a").replaceAll("U", "i^u").replaceAll("E", "e`");
  return [rv, r2];
}

function cyrillicToRoman(word) {
  word = word.replaceAll("А", "a").replaceAll("а", "a").replaceAll("Б", "b").replaceAll("б", "b").replaceAll("В", "v").replaceAll("в", "v").replaceAll("Г", "g").replaceAll("г", "g").replaceAll("Д", "d").replaceAll("д", "d").replaceAll("Е", "e").replaceAll("е", "e").replaceAll("Ё", "e").replaceAll("ё", "e").replaceAll("Ж", "zh").replaceAll("ж", "zh").replaceAll("З", "z").replaceAll("з", "z").replaceAll("И", "i").replaceAll("и", "i").replaceAll("Й", "i`").replaceAll("й", "i`").replaceAll("К", "k").replaceAll("к", "k").replaceAll("Л", "l").replaceAll("л", "l").replaceAll("М", "m").replaceAll("м", "m").replaceAll("Н", "n").replaceAll("н", "n").replaceAll("О", "o").replaceAll("о", "o").replaceAll("П", "p").replaceAll("п", "p").replaceAll("Р", "r").replaceAll("р", "r").replaceAll("С", "s").replaceAll("с", "s").replaceAll("Т", "t").replaceAll("т", "t").replaceAll("У", "u").replaceAll("у", "u").replaceAll("Ф", "f").replaceAll("ф", "f").replaceAll("Х", "kh").replaceAll("х", "kh").replaceAll("Ц", "t^s").replaceAll("ц", "t^s").replaceAll("Ч", "ch").replaceAll("ч", "ch").replaceAll("Ш", "sh").replaceAll("ш", "sh").replaceAll("Щ", "shch").replaceAll("щ", "shch").replaceAll("Ъ", "''").replaceAll("ъ", "''").replaceAll("Ы", "y").replaceAll("ы", "y").replaceAll("Ь", "'").replaceAll("ь", "'").replaceAll("Э", "e`").replaceAll("э", "e`").replaceAll("Ю", "i^u").replaceAll("ю", "i^u").replaceAll("Я", "i^a").replaceAll("я", "i^a");
  return word;
}

function romanToCyrillic(word) {
  word = word.replaceAll("i^u", "ю").replaceAll("i^a", "я").replaceAll("shch", "щ").replaceAll("kh", "х").replaceAll("t^s", "ц").replaceAll("ch", "ч").replaceAll("e`", "э").replaceAll("i`", "й").replaceAll("sh", "ш").replaceAll("k", "к").replaceAll("e", "е").replaceAll("zh", "ж").replaceAll("a", "а").replaceAll("b", "б").replaceAll("v", "в").replaceAll("g", "г").replaceAll("d", "д").replaceAll("e", "е").replaceAll("z", "з").replaceAll("i", "и").replaceAll("l", "л").replaceAll("m", "м").replaceAll("n", "н").replaceAll("o", "о").replaceAll("p", "п").replaceAll("r", "р").replaceAll("s", "с").replaceAll("t", "т").replaceAll("u", "у").replaceAll("f", "ф").replaceAll("''", "ъ").replaceAll("y", "ы").replaceAll("'", "ь");
  return word;
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
