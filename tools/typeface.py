"""Makes the letters that pages are set in, a part of Source Sans 3: `npm pack source-sans@3.52.0`, then
`python -m tools.typeface source-sans-3.52.0.tgz`.

The same package gives the same bytes. The family is renamed: "Source" is a name that its licence reserves.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from build.settings import TEMPLATES

FAMILY = "Library Sans"
LETTERS = TEMPLATES / "assets/letters.woff2"
LICENCE = TEMPLATES / "fonts/letters-LICENSE"
INTEGRITY = "xsm7qlMI/JwxwNdp6pvpR6l+aZjn90fzOzoeUz/qoohIYbKbDwQNRIz5/ItYs7/hvqLirQNUoDFGXSVA3TU9tw=="
"""The SHA-512 of the package, as its registry names it."""
WEIGHTS = (400, 700)
CHARACTERS = (
    "U+0020-007E,U+00A0-017F,U+0192,U+0218-021B,U+02C6-02DC,U+1E9E,U+2010-2026,U+2030,U+2032-2033,U+2039-203A,"
    "U+2044,U+20AC,U+2117,U+2122,U+2190-2193,U+2212,U+2248,U+2260,U+2264-2265,U+2713,U+2717"
)
"""Latin with the letters of European languages, and the marks that pages use; the rest is the system's."""
FEATURES = ("ccmp", "kern", "liga", "locl", "mark", "tnum")
FREQUENT = "etaoinshrdlcumwfgypbvk" + "etaoinsrh" * 3 + " " * 12
"""Letters about as often as English has them, to compare the widths of typefaces by."""


def letters(package: bytes) -> bytes:
    """The WOFF2 file made of the package. Raises `ValueError` where it is another package."""
    if base64.b64encode(hashlib.sha512(package).digest()).decode() != INTEGRITY:
        raise ValueError("this is not the package: get it with `npm pack source-sans@3.52.0`")
    options = subset.Options()
    options.layout_features = list(FEATURES)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.hinting = False
    options.notdef_outline = True  # what no typeface of a machine has is a box, and not nothing
    options.flavor = "woff2"
    font = TTFont(io.BytesIO(_of(package, "VF/SourceSans3VF-Upright.ttf")), recalcTimestamp=False)
    cut = subset.Subsetter(options)
    cut.populate(unicodes=subset.parse_unicodes(CHARACTERS))
    cut.subset(font)
    font = instancer.instantiateVariableFont(font, {"wght": WEIGHTS})
    for number, name in ((1, FAMILY), (3, FAMILY), (4, FAMILY), (6, FAMILY.replace(" ", ""))):
        font["name"].setName(name, number, 3, 1, 0x409)
    made = io.BytesIO()
    subset.save_font(font, made, options)
    return made.getvalue()


def fallback(font: TTFont, other: TTFont) -> Mapping[str, float]:
    """The overrides, in percent, with which `other` takes the room of our letters, for `@font-face`."""
    size = _width(instancer.instantiateVariableFont(font, {"wght": WEIGHTS[0]})) / _width(other)
    head, unit = font["hhea"], font["head"].unitsPerEm
    told = {"size-adjust": size, "ascent-override": head.ascent / unit / size}
    told["descent-override"] = -head.descent / unit / size
    return {name: round(100 * share, 1) for name, share in told.items()}


def _width(font: TTFont) -> float:
    letters, widths = font.getBestCmap(), font["hmtx"]
    unit: int = font["head"].unitsPerEm
    return sum(float(widths[letters[ord(one)]][0]) for one in FREQUENT) / len(FREQUENT) / unit


def _of(package: bytes, name: str) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(package)) as files:
        found = files.extractfile(f"package/{name}")
        assert found is not None
        return found.read()


def main() -> None:
    """Write the letters and their licence; with `--beside` a font as Arial, tell the overrides that it needs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path)
    parser.add_argument("--beside", type=Path, help="A font to measure, such as Arial.")
    options = parser.parse_args()
    package = options.package.read_bytes()
    LETTERS.write_bytes(letters(package))
    LICENCE.write_bytes(_of(package, "LICENSE.md"))
    print(f"{LETTERS}: {LETTERS.stat().st_size:,} bytes")
    if options.beside:
        print(dict(fallback(TTFont(LETTERS), TTFont(options.beside))))


if __name__ == "__main__":
    main()
