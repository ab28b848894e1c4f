"""The page of fields: every field of every kind of file, once, with what editors say of it."""

from __future__ import annotations

import re
from html import unescape

from build.views.openapi import fields_page
from build.views.rendering import RenderEnvironment
from library.records.models import Evidence, Playbook, SiteLink
from library.records.schemas import KINDS
from tests.builders import the_site


def test_every_field_stands_on_it_once_with_its_description_and_an_anchor() -> None:
    page = fields_page(RenderEnvironment(the_site()), None).decode()
    anchors = re.findall(r' id="([a-z-]+)"', page)
    assert len(anchors) == len(set(anchors))
    for kind, model in KINDS.items():
        assert f'<h2 id="{kind}">' in page
        for name in model.model_fields:
            assert f"{kind}-{name.replace('_', '-')}" in anchors
    words = unescape(re.sub(r"<[^>]+>", "", page))
    for name, info in (*Playbook.model_fields.items(), *Evidence.model_fields.items(), *SiteLink.model_fields.items()):
        plain = (info.description or "").replace("`", "")
        assert plain in words, name
    assert "playbook-steps-check" in anchors
    assert "site-links-url" in anchors


def test_it_says_what_a_field_may_hold_and_whether_it_is_needed() -> None:
    page = fields_page(RenderEnvironment(the_site()), None).decode()
    rows = dict(re.findall(r'<div id="([a-z-]+)">.*?<small>(.*?)</small>', page))
    assert rows["playbook-risk"] == "low, medium, high; needed"
    assert rows["playbook-status"] == "active, deprecated, withdrawn"
    assert rows["playbook-summary"] == "text, at most 400 characters; needed"
    assert rows["playbook-tags"] == "list of names, at most 50"
    assert rows["lesson-sources-url"] == "address; needed"
    assert rows["task-wanted"] == "true or false"
    assert rows["run-duration-minutes"] == "whole number, 0 to 525,600"
