import tseslint from "typescript-eslint";

export default tseslint.config({ ignores: ["dist", "*.mjs"] }, {
  files: ["**/*.{js,ts}"],
  languageOptions: { parser: tseslint.parser },
  plugins: { "@typescript-eslint": tseslint.plugin },
  rules: {
    "@typescript-eslint/no-explicit-any": "error",
    "@typescript-eslint/no-non-null-assertion": "error",
    "@typescript-eslint/ban-ts-comment": "error",
  },
});
