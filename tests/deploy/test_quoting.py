"""Values in configurations: each keeps its meaning where it stands, whatever it holds."""

from __future__ import annotations

import pytest

from server.deploy.commands import caddy, quoted, script


@pytest.mark.parametrize(
    ("text", "written"),
    [("a b", "'a b'"), ("it's", r"'it\'s'"), ("a\\", r"'a\\'"), ('{"a":1};', "'{\"a\":1};'"), ("$uri", "'$uri'")],
)
def test_nginx_reads_a_value_as_one_word(text: str, written: str) -> None:
    assert quoted(text) == written


@pytest.mark.parametrize(
    ("text", "written"), [("a b", '"a b"'), ('{"a":1}', '`{"a":1}`'), ('"`', '"\\"`"'), ("say `so`", '"say `so`"')]
)
def test_caddy_reads_a_value_as_one_word(text: str, written: str) -> None:
    assert caddy(text) == written


def test_a_script_reads_a_value_as_that_value() -> None:
    assert script('</script> "x" \u2028') == '"</script> \\"x\\" \\u2028"'
