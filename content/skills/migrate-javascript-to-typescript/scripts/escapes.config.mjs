// Every way out of the type checker, for `npx eslint --no-inline-config -c escapes.config.mjs src types`: name the folder
// of your declarations too. It needs types: PROJECT names the tsconfig, if it is not tsconfig.json. `import()` of a computed
// path, require and JSON.parse are seen by what becomes of their any. An overload is in it, since nothing holds its
// implementation to what it says; so are two kinds of promises that the compiler takes unasked, below.
import tseslint from "typescript-eslint";
import ts from "typescript";

const rules = [
  "no-empty-object-type", "no-explicit-any", "no-non-null-assertion", "no-require-imports", "no-unsafe-argument",
  "no-unsafe-assignment", "no-unsafe-call", "no-unsafe-declaration-merging", "no-unsafe-enum-comparison",
  "no-unsafe-function-type", "no-unsafe-member-access", "no-unsafe-return", "no-unsafe-type-assertion", "no-unsafe-unary-minus",
];
const banned = ["TSTypePredicate", "[definite=true]"];
const overloads = ["TSDeclareFunction[declare!=true]", "MethodDefinition > TSEmptyBodyFunctionExpression"];
const declarations = ["**/*.d.ts", "**/*.d.mts", "**/*.d.cts"];
const files = ["**/*.{ts,tsx,mts,cts}"];

/** Whether a statement sets this.NAME on every way through it. */
function sets(node, name) {
  switch (node?.type) {
    case "BlockStatement":
      return node.body.some((one) => sets(one, name));
    case "IfStatement":
      return sets(node.consequent, name) && sets(node.alternate, name);
    case "ExpressionStatement":
      return sets(node.expression, name);
    case "AssignmentExpression": {
      const { object, property } = node.left;
      return (node.operator === "=" && object?.type === "ThisExpression" && property.name === name) || sets(node.right, name);
    }
    default:
      return false;
  }
}

/** `declare field: Type` where no constructor sets the field and Type is never undefined. */
const unset = {
  create: (context) => ({
    "PropertyDefinition[declare=true][optional!=true]"(node) {
      const type = context.sourceCode.parserServices.getTypeAtLocation(node);
      const open = ts.TypeFlags.Undefined | ts.TypeFlags.Any | ts.TypeFlags.Unknown;
      const start = node.parent.body.find((one) => one.kind === "constructor");
      if ([type, ...(type.types ?? [])].some((one) => one.flags & open) || sets(start?.value.body, node.key.name)) return;
      context.report({ node, message: "`declare` hides that no constructor sets this field: say that it can be undefined" });
    },
  }),
};

/** A declaration that says anew what the language or a package declares; one that makes it unknown is welcome. */
const again = {
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    const theirs = (one) => /[\\/]node_modules[\\/]/.test(one.getSourceFile().fileName);
    const report = (node, name) => context.report({ node, message: `${name} is declared by the language or by a package` });
    const symbol = (node) => program.getTypeChecker().getSymbolAtLocation(esTreeNodeToTSNodeMap.get(node.id));
    return {
      TSInterfaceDeclaration(node) {
        for (const one of node.body.body) {
          const ours = esTreeNodeToTSNodeMap.get(one);
          const members = [...(symbol(node)?.members?.values() ?? [])];
          const all = members.find((member) => member.declarations?.includes(ours))?.declarations ?? [];
          if (all.some(theirs) && ours.type?.kind !== ts.SyntaxKind.UnknownKeyword) report(one, node.id.name);
        }
      },
      TSDeclareFunction(node) {
        if (symbol(node)?.declarations?.some(theirs)) report(node, node.id.name);
      },
      "TSModuleDeclaration > Literal.id"(node) {
        const file = esTreeNodeToTSNodeMap.get(node).getSourceFile();
        const found = ts.resolveModuleName(node.value, file.fileName, program.getCompilerOptions(), ts.sys).resolvedModule;
        if (!ts.isExternalModule(file) && found && /ts/.test(found.extension)) report(node, node.value);
      },
    };
  },
};

export default tseslint.config(
  {
    files,
    languageOptions: { parser: tseslint.parser, parserOptions: { project: process.env.PROJECT ?? "tsconfig.json" } },
    plugins: { "@typescript-eslint": tseslint.plugin, promises: { rules: { unset, again } } },
    rules: {
      ...Object.fromEntries(rules.map((name) => [`@typescript-eslint/${name}`, "warn"])),
      "@typescript-eslint/ban-ts-comment": ["warn", { "ts-expect-error": true, "ts-ignore": true, "ts-nocheck": true }],
      "no-restricted-syntax": ["warn", ...banned],
      "promises/unset": "warn",
      "promises/again": "warn",
    },
  },
  { files, ignores: declarations, rules: { "no-restricted-syntax": ["warn", ...banned, ...overloads] } },
);
