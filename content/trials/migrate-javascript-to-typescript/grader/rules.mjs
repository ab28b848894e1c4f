// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
import { createRequire } from "node:module";

const require = createRequire(process.env.TOOLS + "/node_modules/");
const tseslint = require("typescript-eslint");
const ts = require("typescript");
const names = [
  "no-explicit-any", "no-non-null-assertion", "no-require-imports", "no-unsafe-argument", "no-unsafe-assignment", "no-unsafe-call",
  "no-unsafe-function-type", "no-unsafe-member-access", "no-unsafe-return", "no-unsafe-type-assertion",
];

/** A declaration of what the language or a package declares itself, unless it makes it unknown. */
const again = {
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    const theirs = (one) => /[\\/]node_modules[\\/]/.test(one.getSourceFile().fileName);
    const symbol = (node) => program.getTypeChecker().getSymbolAtLocation(esTreeNodeToTSNodeMap.get(node.id));
    const report = (node) => context.report({ node, message: "it is declared by the language or by a package" });
    return {
      TSInterfaceDeclaration(node) {
        for (const one of node.body.body) {
          const ours = esTreeNodeToTSNodeMap.get(one);
          const same = [...(symbol(node)?.members?.values() ?? [])].find((member) => member.declarations?.includes(ours));
          if (same?.declarations.some(theirs) && ours.type?.kind !== ts.SyntaxKind.UnknownKeyword) report(one);
        }
      },
      TSDeclareFunction(node) {
        if (symbol(node)?.declarations?.some(theirs)) report(node);
      },
    };
  },
};
export default [{
  files: ["**/*.ts"],
  languageOptions: { parser: tseslint.parser, parserOptions: { project: "tsconfig.json" } },
  plugins: { "@typescript-eslint": tseslint.plugin, own: { rules: { again } } },
  rules: {
    ...Object.fromEntries(names.map((name) => ["@typescript-eslint/" + name, "error"])),
    "@typescript-eslint/ban-ts-comment": ["error", { "ts-expect-error": true }],
    "no-restricted-syntax": ["error", "TSTypePredicate", "[definite=true]"],
    "own/again": "error",
  },
}, {
  files: ["src/**/*.ts"],
  rules: {
    "no-restricted-syntax": [
      "error", "TSTypePredicate", "[definite=true]", "TSDeclareFunction[declare!=true]", "MethodDefinition > TSEmptyBodyFunctionExpression",
    ],
  },
}];
