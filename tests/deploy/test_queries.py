"""How the playbook of run reports is spelled in a query: nginx, which decodes none, answers as the service does."""

from __future__ import annotations

from pathlib import Path

import pytest

from build.views.routes import API
from tests import calls
from tests.builders import BOOK
from tests.deploy.static import static_copy
from tests.front import Stack
from tests.nginx import needs_nginx
from tests.postgres import needs_postgres

pytestmark = [pytest.mark.slow, pytest.mark.system, needs_nginx, needs_postgres]
ENCODED = "".join(f"%{ord(letter):02X}" for letter in BOOK)
OF_ONE: tuple[str, ...] = (
    f"playbook={BOOK}",
    f"playbook=%66{BOOK[1:]}",
    f"playbook={ENCODED}",
    f"play%62ook={BOOK}",
    f"playbook=x&playbook={BOOK}",
    f"playbook=x&playbook=%66{BOOK[1:]}&a=b",
    f"a=%20&playbook={BOOK}",
    "playbook=old-flaky",
    "playbook=%6fld-flaky",
)
OF_NONE: tuple[str, ...] = (
    "playbook=",
    "playbook=none",
    "playbook=%6eone",
    "playbook=a+b",
    "playbook=%C3%BC",
    "playbook=a%0D%0Ab: c",
)
OF_NONE += (f"playbook={BOOK}&playbook=", f"playbook=%66{BOOK[1:]}&playbook=none", f"playbook=%2566{BOOK[1:]}")
OF_ALL = ("", "a=b", "%61=b", "playbooks=%66", f"%20playbook={BOOK}")


@pytest.fixture(scope="module")
def of_all(stack: Stack) -> int:
    return total(stack, "")


def total(stack: Stack, query: str) -> int:
    answer = calls.get(f"{stack.nginx.url}{API}/runs?{query}", follow_redirects=True)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json"), answer.text
    assert len(answer.history) <= 2
    return int(answer.json()["total"])


@pytest.mark.parametrize("query", OF_ONE)
def test_reports_of_one_playbook_are_found_however_it_is_spelled(stack: Stack, query: str) -> None:
    answer = calls.get(f"{stack.nginx.url}{API}/runs?{query}", follow_redirects=True)
    assert {item["playbook"] for item in answer.json()["items"]} == {BOOK}
    assert str(answer.url).endswith(f"playbook={BOOK}")


@pytest.mark.parametrize("query", OF_NONE)
def test_a_playbook_that_is_none_has_no_reports(stack: Stack, query: str) -> None:
    assert total(stack, query) == 0


@pytest.mark.parametrize("query", OF_ALL)
def test_a_query_for_something_else_asks_for_all(stack: Stack, of_all: int, query: str) -> None:
    assert total(stack, query) == of_all


def test_the_plain_spelling_is_a_file_and_any_other_leads_there(stack: Stack) -> None:
    led = calls.get(f"{stack.nginx.url}{API}/runs?playbook={ENCODED}&a=b")
    assert (led.status_code, led.headers["location"]) == (308, f"?playbook={BOOK}")
    assert led.headers["cache-control"] == "no-store"
    assert "etag" in calls.get(f"{stack.nginx.url}{API}/runs?playbook={BOOK}").headers


def test_where_nothing_is_live_it_is_said(content: Path, tmp_path: Path) -> None:
    with static_copy(content, tmp_path) as copy:
        answer = calls.get(f"{copy.url}{API}/runs?playbook=%66{BOOK[1:]}")
        assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
        assert answer.json()["type"].endswith("#invalid")
        assert answer.json()["detail"] == "Write `playbook` and its slug without `%`."
        assert calls.get(f"{copy.url}{API}/runs?playbook={BOOK}").json()["total"] > 0


@pytest.mark.parametrize("path", ["/playbooks", "/playbooks.json", "/agents", "/playbooks/by-trust/tested"])
def test_a_filter_on_a_list_is_refused_as_the_service_refuses_it(stack: Stack, path: str) -> None:
    asked = f"{API}{path}?a=b&limit=5"
    answer = calls.get(f"{stack.nginx.url}{asked}")
    assert (answer.status_code, answer.json()["type"].rpartition("#")[2]) == (400, "no-filter")
    assert answer.headers["content-type"] == "application/problem+json"
    assert "/api/v1/playbooks/by-agent/{slug}" in answer.json()["detail"]
    assert calls.get(f"{stack.nginx.url}{API}{path}?a=b&limits=5").status_code == 200
