"""Whether the code works with the types that were checked: without their fields it must not compile."""

import re

from trees import run, sources


def unmissed(place, tsc, given):
    """Fields that the code reads though no type error follows where their types have none, with what is wrong."""
    modules, keys = {module for module, _, _ in given}, {}
    for module, wanted, found in given:
        text = (place / module).read_text()
        text, count = re.subn(rf"\b(export (?:declare )?(?:type|interface) ){wanted}\b", rf"\1Planted{wanted}", text)
        if not count:
            yield wanted, f"{module} does not declare {wanted}: name the module that does"
        (place / module).write_text(f"{text}\nexport type {wanted} = {{}};\n")
        keys.update((key, wanted) for one in found if isinstance(one, dict) for key in one)
    _, output = run(f"{tsc} --pretty false --noEmit --strict -p tsconfig.json", place)
    errors = "\n".join(line for line in output.splitlines() if not line.startswith(tuple(modules)))
    missed = set(re.findall(r"Property '(\w+)' (?:does not exist|is missing)", errors))
    missed.update(re.findall(r"\w+", " ".join(re.findall(r"missing the following properties from type .*?': (.*)", errors))))
    code = "\n".join((place / name).read_text() for name in {*sources(place, ".")} - modules if re.search(r"tsx?$", name))
    for key, wanted in keys.items():
        if key not in missed and re.search(rf"\.{re.escape(key)}\b(?!\s*\()", code):
            yield key, f"the code reads .{key} and does not miss it where {wanted} has no fields: it works with another type"
