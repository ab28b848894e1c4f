"""The lines of a content file in blocks, one for each top-level key: their order, and the comments of each."""

from collections.abc import Sequence

from .loading import FILES, FOLDERS


def in_order(text: str, file: str) -> str:
    """Top-level keys in the model's order, each with the comment above it; what stands at the very top stays there."""
    head, blocks = blocks_of(text)
    places = {key: place for place, key in enumerate(_order(file))}
    blocks.sort(key=lambda block: places.get(key_of(block), len(places)))
    return "\n".join([*head, *(line for block in blocks for line in block)]).rstrip("\n") + "\n"


def blocks_of(text: str) -> tuple[list[str], list[list[str]]]:
    """A text as its head and one block of lines for each top-level key.

    Blank lines stay only within a value and under the head.
    """
    head: list[str] = []
    blocks: list[list[str]] = []
    comments: list[str] = []
    blanks = 0
    for line in text.splitlines():
        if not line:
            blanks += 1
            if not blocks and comments:
                head, comments = [*head, *comments, ""], []
            continue
        if line.startswith("#"):
            comments.append(line)
        elif line[0] in " -" and blocks:
            blocks[-1].extend([*comments, *[""] * blanks, line])
            comments = []
        else:
            blocks.append([*comments, line])
            comments = []
        blanks = 0
    if comments and blocks:
        blocks[-1].extend(comments)
    if not head and blocks and blocks[0][0].startswith("# yaml-language-server"):
        head = [blocks[0].pop(0)]
    return head, blocks


def key_of(block: list[str]) -> str:
    """The key that a block is of."""
    line = next((line for line in block if line and line[0] not in " #"), "")
    return line.split(":", 1)[0].strip("\"'")


def _order(file: str) -> Sequence[str]:
    """The order of the top-level keys: the model's."""
    model = FILES.get(file) or FOLDERS.get(file.split("/", 1)[0])
    return tuple(model.model_fields) if model else ()
