// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
import { createRequire } from "node:module";

const tseslint = createRequire(process.env.TOOLS + "/node_modules/")("typescript-eslint");
const names = [
  "no-explicit-any", "no-non-null-assertion", "no-require-imports", "no-unsafe-argument", "no-unsafe-assignment", "no-unsafe-call",
  "no-unsafe-function-type", "no-unsafe-member-access", "no-unsafe-return", "no-unsafe-type-assertion",
];
export default [{
  files: ["**/*.ts"],
  languageOptions: { parser: tseslint.parser, parserOptions: { project: "tsconfig.json" } },
  plugins: { "@typescript-eslint": tseslint.plugin },
  rules: {
    ...Object.fromEntries(names.map((name) => ["@typescript-eslint/" + name, "error"])),
    "@typescript-eslint/ban-ts-comment": ["error", { "ts-expect-error": true }],
    "no-restricted-syntax": ["error", "TSTypePredicate", "[definite=true]"],
  },
}];
