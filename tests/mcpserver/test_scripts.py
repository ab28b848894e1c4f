"""A playbook with a script and a proof over the Model Context Protocol: named, sealed, read; nothing hidden is."""

from __future__ import annotations

import hashlib

import pytest
from mcp.shared.exceptions import MCPError

from library.records.trials import CANARY
from server.app import Service
from tests.builders import BOOK, write_content
from tests.mcpserver.test_offers import to_get, to_read
from tests.proofs import SCRIPT, put_proof, put_trial
from tests.service import Client as Http
from tests.service import a_service

from .conftest import Asker

URI = f"skill://{BOOK}/scripts/check-1.py"


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Service:
    folder = tmp_path_factory.mktemp("proven")
    content = write_content(folder)
    put_trial(content)
    put_proof(content)
    return a_service(folder, content=content)


def test_a_script_is_a_resource_as_plain_text(proven: Service) -> None:
    read = Asker(proven)(to_read(URI)).contents[0]
    assert (read.text, read.mime_type, str(read.uri)) == (SCRIPT, "text/plain", URI)


def test_a_skill_names_its_script_with_digest_and_size(proven: Service) -> None:
    skill = Asker(proven)(to_get(f"skill://{BOOK}/SKILL.md"))["skill"]
    digest = f"sha256:{hashlib.sha256(SCRIPT.encode()).hexdigest()}"
    assert skill["resources"][-1:] == [{"uri": URI, "digest": digest, "size": len(SCRIPT)}]
    assert skill["frontmatter"]["metadata"]["proof"].startswith("Checks proven 20 Nov 2026: 5 of 5 ")


def test_reading_a_playbook_says_what_is_proven_and_nothing_that_is_hidden(proven: Service) -> None:
    answer = Asker(proven)(lambda client: client.call_tool("get_playbook", {"slug": BOOK, "detail": "full"}))
    assert answer.structured_content["proof"]["caught_count"] == 5
    assert answer.structured_content["steps"][0]["check_script"]["path"] == "scripts/check-1.py"
    said = answer.model_dump_json()
    assert "*Check (proven):*" in said
    for hidden in (CANARY, "01-shortcut", "also-other", "grade.sh"):
        assert hidden not in said


def test_search_asks_for_what_is_proven(proven: Service) -> None:
    def found(**more: object) -> list[str]:
        sent = {"q": "flaky tests", **more}
        answer = Asker(proven)(lambda client: client.call_tool("search_playbooks", sent))
        return [f"{hit['type']}/{hit['slug']}" for hit in answer.structured_content["items"]]

    assert found(proven=True) == [f"playbook/{BOOK}"]
    assert len(found(proven=False)) > 1


@pytest.mark.parametrize("name", ["check-2.py", "../SKILL.md", "..", "check-1.py/", ""])
def test_any_other_script_is_not_found(proven: Service, name: str) -> None:
    with pytest.raises(MCPError, match="Resource not found"):
        Asker(proven)(lambda client: client.read_resource(f"skill://{BOOK}/scripts/{name}"))


def test_the_service_sends_scripts_as_text_and_nothing_else_of_their_folder(proven: Service) -> None:
    http = Http(proven)
    answer = http(f"/skills/{BOOK}/scripts/check-1.py")
    assert (answer.status_code, answer.text) == (200, SCRIPT)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert http(f"/s/{BOOK}/skill.zip").headers["content-type"] == "application/zip"
    for other in ("check-2.py", "%2e%2e/SKILL.md", "", "check-1"):
        assert http(f"/skills/{BOOK}/scripts/{other}").status_code == 404
    assert [hit["slug"] for hit in http("/api/v1/search?q=flaky&proven=true").json()["items"]] == [BOOK]
    refused = http("/api/v1/search?q=flaky&proven=perhaps")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/proven")
