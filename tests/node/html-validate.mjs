// What html-validate holds every built page against: all its recommended rules, those of accessibility and of whole
// documents. Each departure has its reason beside it.
export default {
  root: true,
  extends: ["html-validate:recommended", "html-validate:a11y", "html-validate:browser", "html-validate:document"],
  rules: {
    // HTML is not case-sensitive here, and the living standard's own examples are in lower case.
    "doctype-style": ["error", { style: "lowercase" }],
    // All style sheets and scripts are our own, from our own origin, with their digest in their name.
    "require-sri": ["error", { target: "crossorigin" }],
    // A page is called what its record is called, whole; the models bound that, not the width of a page of results.
    "long-title": ["error", { maxlength: 160 }],
    // The first results under the search box, by the pattern of a combobox: they are links, and a select holds none.
    "prefer-native-element": ["error", { exclude: ["listbox"] }],
  },
};
