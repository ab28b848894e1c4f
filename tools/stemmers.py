"""Makes the stemmers of browsers from Whoosh's: `python -m tools.stemmers` writes `stem-*.js`, one for each language.

Whoosh's stemmers are plain functions over strings, and no more is translated here: what no method below knows ends it
with its place. A test makes them anew, and asks both for the stems of real words.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import dedent, indent

from whoosh.lang import snowball, two_letter_code
from whoosh.lang.snowball import bases

from library.records.vocabulary import Language

ASSETS = Path(__file__).resolve().parents[1] / "site_templates/assets"
HEAD = """\
// The stems of words in {name}: Snowball's rules in the reading of Whoosh 2.7.4, slips included. Made from its module
// by `python -m tools.stemmers`; a change here is lost. Copyright (C) 2001-2012 NLTK Project, by Peter Michael Stahl
// and Peter Ljunglöf, after Martin Porter; Apache License 2.0, http://www.apache.org/licenses/LICENSE-2.0

const at = (text, index) => {{
  const found = text.at(index);
  if (found === undefined) throw new RangeError("there is no such letter");
  return found;
}};
const begins = (text, some) => [some].flat().some((one) => text.startsWith(one));
const ends = (text, some) => [some].flat().some((one) => text.endsWith(one));
const range = (from, to) => Array.from({{ length: Math.max(0, to - from) }}, (_, place) => from + place);
"""
TAIL = """
// A word too short for what is looked for in it is its own stem.
export function stem(word) {
  try {
    return stemmed(word);
  } catch (error) {
    if (error instanceof RangeError) return word;
    throw error;
  }
}
"""
CALLS = {
    "lower": "{of}.toLowerCase()",
    "replace": "{of}.replaceAll({sent})",
    "index": "{of}.indexOf({sent})",
    "rindex": "{of}.lastIndexOf({sent})",
    "startswith": "begins({of}, {sent})",
    "endswith": "ends({of}, {sent})",
    "u": "{sent}",
    "len": "{sent}.length",
    "ord": "{sent}.codePointAt(0)",
}
SIGNS: dict[type[ast.AST], str] = {
    ast.Eq: "===",
    ast.NotEq: "!==",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.Add: "+",
    ast.Sub: "-",
    ast.And: " && ",
    ast.Or: " || ",
    ast.Not: "!",
    ast.USub: "-",
}
TABLE = "special_words"  # how the names end of what is a table and no list
WIDE = 100


class NotTranslated(Exception):
    """What no rule here translates."""


class Translator(ast.NodeVisitor):
    """Python's nodes as JavaScript; each method gives the text of one kind."""

    def generic_visit(self, node: ast.AST) -> str:
        """Refuse what there is no method for."""
        raise NotTranslated(f"line {getattr(node, 'lineno', '?')}: {ast.unparse(node)}")

    def visit_Constant(self, node: ast.Constant) -> str:
        if isinstance(node.value, str):
            return '"' + node.value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return str(node.value).lower()

    def visit_Name(self, node: ast.Name) -> str:
        return name_of(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> str:
        return name_of(node.attr)

    def visit_Tuple(self, node: ast.Tuple) -> str:
        items = [self.visit(part) for part in node.elts]
        flat = f"[{', '.join(items)}]"
        if len(flat) <= WIDE:
            return flat
        lines = [""]
        for item in items:
            if len(lines[-1]) + len(item) > WIDE:
                lines.append("")
            lines[-1] += f"{item}, "
        return "[\n" + "".join(f"  {line.rstrip()}\n" for line in lines) + "]"

    def visit_Dict(self, node: ast.Dict) -> str:
        pairs = zip(node.keys, node.values, strict=True)
        rows = (f"  [{self.visit(key)}, {self.visit(value)}],\n" for key, value in pairs if key)
        return f"new Map([\n{''.join(rows)}])"

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        return SIGNS[type(node.op)] + self.grouped(node.operand)

    def visit_BinOp(self, node: ast.BinOp) -> str:
        return f"{self.visit(node.left)} {SIGNS[type(node.op)]} {self.visit(node.right)}"

    def visit_BoolOp(self, node: ast.BoolOp) -> str:
        return SIGNS[type(node.op)].join(map(self.grouped, node.values))

    def grouped(self, node: ast.expr) -> str:
        """An expression, between brackets where it has parts that bind less."""
        inner: str = self.visit(node)
        return f"({inner})" if isinstance(node, ast.BoolOp | ast.Compare | ast.BinOp) else inner

    def visit_Compare(self, node: ast.Compare) -> str:
        one, (sign,), (right,) = self.visit(node.left), node.ops, node.comparators
        if not isinstance(sign, ast.In | ast.NotIn):
            return f"{one} {SIGNS[type(sign)]} {self.visit(right)}"
        way = "has" if isinstance(right, ast.Attribute) and right.attr.endswith(TABLE) else "includes"
        return f"{'!' if isinstance(sign, ast.NotIn) else ''}{self.visit(right)}.{way}({one})"

    def visit_Subscript(self, node: ast.Subscript) -> str:
        of, key = self.visit(node.value), node.slice
        if isinstance(key, ast.Slice):
            places = [self.visit(key.lower) if key.lower else "0", *([self.visit(key.upper)] if key.upper else [])]
            return f"{of}.slice({', '.join(places)})"
        if isinstance(node.value, ast.Attribute) and node.value.attr.endswith(TABLE):
            return f"{of}.get({self.visit(key)})"
        return f"at({of}, {self.visit(key)})"

    def visit_Call(self, node: ast.Call) -> str:
        match node.func:
            case ast.Attribute(ast.Constant(""), "join") if isinstance(node.args[0], ast.Tuple):
                return " + ".join(self.visit(part) for part in node.args[0].elts)
            case ast.Name("range"):
                ends = [self.visit(one) for one in node.args]
                return f"range({', '.join(ends if len(ends) > 1 else ['0', *ends])})"
        sent = ", ".join(self.visit(one) for one in node.args)
        match node.func:
            case ast.Attribute(ast.Name("self"), name):
                return f"{name_of(name)}({sent})"
            case ast.Attribute(of, name) if name in CALLS:
                return CALLS[name].format(of=self.visit(of), sent=sent)
            case ast.Name(name) if name in CALLS:
                return CALLS[name].format(sent=sent)
        return self.generic_visit(node)

    def block(self, body: Iterable[ast.stmt]) -> str:
        """Statements in lines of their own."""
        return indent("".join(map(self.visit, body)), "  ")

    def visit_Expr(self, node: ast.Expr) -> str:
        return "" if isinstance(node.value, ast.Constant) else self.generic_visit(node)  # a docstring

    def visit_Assign(self, node: ast.Assign) -> str:
        (target,) = node.targets
        return f"{self.visit(target)} = {self.visit(node.value)};\n"

    def visit_AugAssign(self, node: ast.AugAssign) -> str:
        return f"{self.visit(node.target)} {SIGNS[type(node.op)]}= {self.visit(node.value)};\n"

    def visit_If(self, node: ast.If) -> str:
        return f"if ({self.visit(node.test)}) {{\n{self.block(node.body)}}}{self.otherwise(node.orelse)}\n"

    def otherwise(self, body: list[ast.stmt]) -> str:
        """What follows a condition that does not hold."""
        match body:
            case []:
                return ""
            case [ast.If() as other]:
                return f" else {self.visit(other).rstrip()}"
        return f" else {{\n{self.block(body)}}}"

    def visit_For(self, node: ast.For) -> str:
        if node.orelse:
            return self.generic_visit(node)
        return f"for ({self.visit(node.target)} of {self.visit(node.iter)}) {{\n{self.block(node.body)}}}\n"

    def visit_While(self, node: ast.While) -> str:
        return f"while ({self.visit(node.test)}) {{\n{self.block(node.body)}}}\n"

    def visit_Try(self, node: ast.Try) -> str:
        (one,) = node.handlers
        if not isinstance(one.type, ast.Name) or one.type.id != "UnicodeDecodeError":  # which Python 2 alone raises
            return self.generic_visit(node)
        return "".join(map(self.visit, node.body))

    def visit_Return(self, node: ast.Return) -> str:
        return f"return {self.visit(node.value)};\n" if node.value else self.generic_visit(node)

    def visit_Break(self, _node: ast.Break) -> str:
        return "break;\n"

    def visit_Continue(self, _node: ast.Continue) -> str:
        return "continue;\n"

    def visit_FunctionDef(self, node: ast.FunctionDef) -> str:
        taken = [name_of(one.arg) for one in node.args.args if one.arg != "self"]
        stored = (one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
        own = [name for name in dict.fromkeys(map(name_of, stored)) if name not in taken]
        declared = f"  let {', '.join(own)};\n" if own else ""  # at the top of the function, as Python means it
        return f"\nfunction {name_of(node.name)}({', '.join(taken)}) {{\n{declared}{self.block(node.body)}}}\n"


def name_of(name: str) -> str:
    """A name of Python's as JavaScript spells it: `__step1_suffixes` is `step1Suffixes`."""
    first, *rest = name.strip("_").split("_")
    return "stemmed" if name == "stem" else first + "".join(part.capitalize() for part in rest)


def members(of: type) -> Iterator[ast.stmt]:
    """What a class holds."""
    (found,) = ast.parse(dedent(inspect.getsource(of))).body
    assert isinstance(found, ast.ClassDef)
    yield from found.body


def module(language: Language) -> str:
    """The stemmer of a language as a module of JavaScript, with what it uses of those that several share."""
    own: type = snowball.classes[two_letter_code(language)]
    used = inspect.getsource(own)
    shared = [one for base in own.__mro__[1:] if base.__module__ == bases.__name__ for one in members(base)]
    parts = [*members(own), *(one for one in shared if f".{getattr(one, 'name', '?')}(" in used)]
    constants, functions = ([one for one in parts if isinstance(one, kind)] for kind in (ast.Assign, ast.FunctionDef))
    translate = Translator().visit
    held = (f"const {translate(one)}" for one in constants)
    return "".join((HEAD.format(name=language.title()), "\n", *held, *map(translate, functions), TAIL))


def main() -> None:
    """Write the module of each language."""
    for language in Language:
        (ASSETS / f"stem-{language}.js").write_text(module(language), encoding="utf-8")


if __name__ == "__main__":
    main()
