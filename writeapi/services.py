"""What every endpoint works with: the store, the clock, randomness and what the built library knows of a playbook."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import current_app, g, request

from library.interface.errors import UNAUTHORIZED

from .api.callers import caller_of
from .api.problem_details import ApiError
from .keys import Randomness, bearer, hash_of, is_key
from .settings import ServiceSettings
from .store import Member, Store


@dataclass(frozen=True, slots=True)
class KnownPlaybook:
    """What the built library says of a playbook; `slug` is its present one."""

    slug: str
    version: str
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Services:
    """Handed to every endpoint; made once. `lookup` gives a playbook of the built library by its slug."""

    settings: ServiceSettings
    store: Store
    random: Randomness
    lookup: Callable[[str], KnownPlaybook | None]


def services() -> Services:
    """The services of the application that answers now."""
    found: Services = current_app.extensions["playbooks"]
    return found


def sender() -> Member | None:
    """The contributor whose key came with the request; None without a key. Asked once a request.

    Raises `ApiError` 401 for a key that is not valid.
    """
    if "sender" not in g:
        g.sender = _sender()
    found: Member | None = g.sender
    return found


def _sender() -> Member | None:
    key = bearer(request.headers.get("Authorization"))
    if key is None:
        return None
    found = services().store.caller(hash_of(key)) if is_key(key) else None
    if found is None:
        raise ApiError(UNAUTHORIZED, "The key is not valid.", headers={"WWW-Authenticate": "Bearer"})
    return found


def caller() -> str:
    """For whom the request counts: the contributor whose key came with it, else its address.

    With a key that is not valid it is the address too; somebody else refuses it.
    """
    try:
        contributor = sender()
    except ApiError:
        contributor = None
    return caller_of(request.environ, services().settings, contributor.id if contributor else None)


def origin_of_request() -> str:
    """The bucket of the address that the request came from; it holds nothing that the caller wrote."""
    return caller_of(request.environ, services().settings, None)


def owner() -> Member:
    """The contributor whose key came with the request. Raises `ApiError` 401 without one."""
    found = sender()
    if found is None:
        detail = "Send your key as `Authorization: Bearer <API_KEY>`."
        raise ApiError(UNAUTHORIZED, detail, headers={"WWW-Authenticate": "Bearer"})
    return found
