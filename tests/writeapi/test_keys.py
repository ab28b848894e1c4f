"""Keys, tokens and ids: of which form they are, how much chance is in them, and what is kept of them."""

from __future__ import annotations

import hashlib
import itertools

import pytest

from writeapi.keys import (
    PREFIX_LENGTH,
    bearer,
    hash_of,
    is_id,
    is_key,
    is_prefix,
    is_token,
    make_id,
    make_key,
    make_token,
)


class Chance:
    """Bytes that are different each time, and known; it remembers how many were asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, number: int) -> bytes:
        self.asked.append(number)
        return hashlib.shake_128(len(self.asked).to_bytes(2, "big")).digest(number)


def test_a_key_has_256_bits_of_chance_and_a_checksum() -> None:
    chance = Chance()
    keys = [make_key(chance) for _ in range(20)]
    assert set(chance.asked) == {32}
    assert len({key.text for key in keys}) == 20
    for key in keys:
        assert is_key(key.text)
        assert key.prefix == key.text[:PREFIX_LENGTH]
        assert is_prefix(key.prefix)
        assert key.hash == hashlib.sha256(key.text.encode()).digest() == hash_of(key.text)


def test_a_typing_error_in_a_key_is_seen_in_every_place() -> None:
    text = make_key(Chance()).text
    for place in range(len(text)):
        other = "0" if text[place] != "0" else "1"
        assert not is_key(text[:place] + other + text[place + 1 :])
    for wrong in ("", text[:-1], f"{text}0", f" {text}", f"{text}\n", text.replace("pbl_", "edt_")):
        assert not is_key(wrong)


def test_the_bytes_make_the_key_and_the_same_ones_the_same() -> None:
    assert make_key(bytes).text == "pbl_" + "0" * 43 + make_key(bytes).text[47:]
    assert make_key(lambda number: b"\xff" * number).text != make_key(bytes).text
    assert make_token(lambda number: bytes(number - 1) + b"\x3d") == "edt_z" + "0" * 42


def test_a_token_has_the_chance_of_a_key_and_another_form() -> None:
    chance = Chance()
    token = make_token(chance)
    assert chance.asked == [32]
    assert is_token(token)
    assert not is_key(token)
    assert not any(is_token(wrong) for wrong in ("", token[:-1], f"{token}0", f"{token}\n", make_key(chance).text))


@pytest.mark.parametrize("kind", ["run", "sub"])
def test_an_id_has_130_bits_and_names_its_kind(kind: str) -> None:
    chance = Chance()
    ids = [make_id(kind, chance) for _ in range(20)]
    assert set(chance.asked) == {17}
    assert len(set(ids)) == 20
    assert all(is_id(one) and one.startswith(f"{kind}_") and len(one) == 30 for one in ids)
    assert not any(is_id(wrong) for wrong in (ids[0][:-1], f"{ids[0]}a", f"{ids[0]}\n", f"key_{ids[0][4:]}", ""))
    columns = list(itertools.zip_longest(*(one[4:] for one in ids)))
    assert all(len(set(column)) > 1 for column in columns)


def test_all_bits_of_an_id_are_used_once() -> None:
    def one_bit(bit: int) -> str:
        return make_id("run", lambda number: (1 << bit).to_bytes(number, "big"))

    assert len({one_bit(bit) for bit in range(130)}) == 130


@pytest.mark.parametrize(
    ("header", "key"),
    [
        (None, None),
        ("", ""),
        ("Bearer abc", "abc"),
        ("  bearer   abc  ", "abc"),
        ("BEARER", ""),
        ("Basic abc", ""),
        ("abc", ""),
    ],
)
def test_a_bearer_key_is_taken_from_its_header(header: str | None, key: str | None) -> None:
    assert bearer(header) == key
