"""What is spelled nearly like something else is not that: headers with underscores, and addresses with two slashes."""

from pathlib import Path

import pytest

from server.budgets import BUDGETS, budget_of
from tests.service import Client, a_service
from writeapi.keys import hash_of
from writeapi.settings import review_proxy

PROXY = {"PLAYBOOKS_REVIEW_PROXY": "Remote-User from 192.0.2.0/24"}


def test_a_header_with_underscores_is_not_that_of_the_proxy(tmp_path: Path) -> None:
    service = a_service(tmp_path, review_proxy=review_proxy(PROXY))
    service.services.store.add_contributor("ann", None, hash_of("key"), "pbl_key")
    service.services.store.promote("ann", by="operator")
    ask = Client(service)
    assert ask("/review/", headers={"Remote-User": "ann"}).status_code == 200
    for forged in ("Remote_User", "REMOTE_USER", "remote_user"):
        assert ask("/review/", headers={forged: "ann"}).status_code == 403
        replaced = ask("/review/", headers={"Remote-User": "nobody", forged: "ann"})
        assert replaced.status_code == 403


def test_an_address_with_underscores_is_not_that_of_a_caller(tmp_path: Path) -> None:
    """Each write would have a limit of its own, by a header that the proxy does not know and so does not replace."""
    ask = Client(a_service(tmp_path, trusted_proxies=1, write_limits="2 per minute"))
    body = {"playbook": "no-such", "agent": "cursor", "outcome": "worked"}
    seen = [
        ask(
            "/api/v1/runs",
            "POST",
            json=body,
            headers={"X-Forwarded-For": "198.51.100.1", "X_Forwarded_For": f"198.51.100.{number}"},
        )
        for number in range(2, 6)
    ]
    assert [answer.status_code for answer in seen] == [422, 422, 429, 429]


@pytest.mark.parametrize("path", ["//api/v1/search", "/api/v1//search", "/api//v1///search", "/api/v1/search"])
def test_slashes_bring_no_other_budget(path: str) -> None:
    assert budget_of("GET", path, asks=True) is BUDGETS["search"]


@pytest.mark.parametrize(
    "path", ["/api/v1/submissions//sub_x", "/review//evil.example/", "//evil.example/", "/review//"]
)
def test_two_slashes_lead_nowhere(path: str, tmp_path: Path) -> None:
    answer = Client(a_service(tmp_path))(path)
    there = answer.headers.get("location", "")
    assert not there.startswith("//")
    assert "://" not in there
