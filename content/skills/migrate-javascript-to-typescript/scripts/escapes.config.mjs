// Every way out of the type checker, for `npx eslint --no-inline-config -c escapes.config.mjs src`. It needs types: PROJECT
// names the tsconfig, if it is not tsconfig.json. `import()` of a computed path, require and JSON.parse are seen by what
// becomes of their any. An overload is in it, since nothing holds its implementation to what it says.
import tseslint from "typescript-eslint";

const rules = [
  "no-empty-object-type", "no-explicit-any", "no-non-null-assertion", "no-require-imports", "no-unsafe-argument",
  "no-unsafe-assignment", "no-unsafe-call", "no-unsafe-declaration-merging", "no-unsafe-enum-comparison",
  "no-unsafe-function-type", "no-unsafe-member-access", "no-unsafe-return", "no-unsafe-type-assertion", "no-unsafe-unary-minus",
];
const banned = ["TSTypePredicate", "[definite=true]"];
const overloads = ["TSDeclareFunction[declare!=true]", "MethodDefinition > TSEmptyBodyFunctionExpression"];
const declarations = ["**/*.d.ts", "**/*.d.mts", "**/*.d.cts"];
const files = ["**/*.{ts,tsx,mts,cts}"];

export default tseslint.config(
  {
    files,
    languageOptions: { parser: tseslint.parser, parserOptions: { project: process.env.PROJECT ?? "tsconfig.json" } },
    plugins: { "@typescript-eslint": tseslint.plugin },
    rules: {
      ...Object.fromEntries(rules.map((name) => [`@typescript-eslint/${name}`, "error"])),
      "@typescript-eslint/ban-ts-comment": ["error", { "ts-expect-error": true, "ts-ignore": true, "ts-nocheck": true }],
      "no-restricted-syntax": ["error", ...banned],
    },
  },
  { files, ignores: declarations, rules: { "no-restricted-syntax": ["error", ...banned, ...overloads] } },
);
