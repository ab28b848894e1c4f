"""What every endpoint works with, and who is calling: nothing that the caller wrote is in a caller's name."""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

from flask import current_app, g, request
from pydantic import BaseModel

from library.interface.answers import PlaybookAnswer, RunStatus, VersionList
from library.interface.errors import FORBIDDEN, UNAUTHORIZED, FieldProblem
from library.interface.resolving import Unresolved
from library.records.vocabulary import Scope
from writeapi.api.wire import ApiError
from writeapi.store.base import person
from writeapi.store.records import Member, Once

from .api.wire import invalid
from .keys import Randomness, bearer, hash_of, is_key
from .settings import ServiceSettings
from .store import Store

NOBODY = "a:nobody"  # the one bucket of every request without a usable address, such as those over a unix socket

_KEY = re.compile(r"[!-~]{1,255}")
_WITH_PORT = re.compile(r"\[(?P<six>[^\[\]]+)\](?::[0-9]{1,5})?|(?P<four>[0-9.]+):[0-9]{1,5}")


def origin_of(environ: Mapping[str, Any], settings: ServiceSettings) -> str:
    """The bucket of the address that a WSGI request came from.

    `settings.trusted_proxies` is the exact number of proxies before this process: with two, the second entry of
    `X-Forwarded-For` from the right is what the outer one saw. Fewer entries than proxies, or rubbish in that place,
    count as the address of the connection itself: a bucket that everybody shares who sends such things.
    """
    forwarded = str(environ.get("HTTP_X_FORWARDED_FOR", ""))
    canonical = address_of(environ.get("REMOTE_ADDR"), forwarded, settings.trusted_proxies)
    if not canonical:
        return NOBODY
    # Who has buckets but not the secret finds none by trying all.
    return "a:" + hmac.new(settings.secret, canonical.encode(), hashlib.sha256).hexdigest()[:32]


def address_of(connected: object, forwarded: str, trusted_proxies: int) -> str:
    """Whose request it is, by the proxies that are trusted: an address of IPv4, or a /64; empty where none is known."""
    entries = forwarded.rsplit(",", trusted_proxies)
    behind = 0 < trusted_proxies <= len(entries)
    address = (address_in(entries[-trusted_proxies]) if behind else None) or address_in(connected)
    if address is None:
        return ""
    return str(address if isinstance(address, IPv4Address) else IPv6Network((int(address), 64), strict=False))


def address_in(text: object) -> IPv4Address | IPv6Address | None:
    """The address that a text holds, with or without a port, brackets or a zone; None for anything else.

    An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
    """
    text = text.strip() if isinstance(text, str) else ""
    if match := _WITH_PORT.fullmatch(text):
        text = match["six"] or match["four"]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


@dataclass(frozen=True, slots=True)
class KnownPlaybook:
    """What the built library says of a playbook; `slug` is its present one.

    `versions` are all that it ever had; empty where they are not all known.
    """

    slug: str
    version: str
    withdrawn: bool
    replaced_by: str = ""
    versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Services:
    """Handed to every endpoint; made once.

    `lookup` gives the playbook of the built library that a text names, or those that are like it; `has_run` says
    whether it has the run report of an id, `has_agent` the agent of a slug; `playbook` and `versions` read those of
    a slug, `built_run` where a report stands by the public record alone.
    """

    settings: ServiceSettings
    store: Store
    random: Randomness
    lookup: Callable[[str], KnownPlaybook | Unresolved]
    has_run: Callable[[str], bool]
    playbook: Callable[[str], PlaybookAnswer | None] = lambda _slug: None
    versions: Callable[[str], VersionList | None] = lambda _slug: None
    has_agent: Callable[[str], bool] = lambda _slug: False
    built_run: Callable[[str], RunStatus | None] = lambda _id: None


def services() -> Services:
    """The services of the application that answers now."""
    found: Services = current_app.extensions["playbooks"]
    return found


def sent_key() -> bytes:
    """The hash of the key that came with the request."""
    return hash_of(bearer(request.headers.get("Authorization")) or "")


def sender(scope: Scope | None = None) -> Member | None:
    """The contributor whose key came with the request; None without a key. Asked once a request.

    Raises `ApiError` 401 for a key that is not valid, 403 for one that is not for this `scope`.
    """
    if "sender" not in g:
        key = bearer(request.headers.get("Authorization"))
        found = services().store.caller(hash_of(key)) if key and is_key(key) else None
        if key is not None and found is None:
            raise ApiError(UNAUTHORIZED, "It was revoked, or never was one: send another key, or none to be anonymous.")
        g.sender = found
    asked: Member | None = g.sender
    if asked and scope and not services().store.caller(sent_key(), scope):
        raise ApiError(FORBIDDEN, f"This key is not for that: it lacks the scope `{scope}`.")
    return asked


def caller() -> str:
    """For whom the request counts, in limits and idempotency keys: the contributor whose key came, else its address.

    With a key that is not valid it is the address too; somebody else refuses it.
    """
    try:
        contributor = sender()
    except ApiError:
        contributor = None
    return person(contributor.id) if contributor else origin_of_request()


def origin_of_request() -> str:
    """The bucket of the address that the request came from, worked out once a request; nothing the caller wrote."""
    g.origin = g.get("origin") or origin_of(request.environ, services().settings)
    return str(g.origin)


def owner() -> Member:
    """The contributor whose key came with the request. Raises `ApiError` 401 without one."""
    found = sender()
    if found is None:
        raise ApiError(UNAUTHORIZED, "Send your key as `Authorization: Bearer <API_KEY>`.")
    return found


def idempotency_key() -> str | None:
    """The key of the request; None without one. Raises `ApiError` 422 for one that is none."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        detail = "must be 1-255 printable ASCII characters without a space, such as a UUID"
        raise invalid([FieldProblem(pointer="", code="idempotency-key", detail=f"the header Idempotency-Key {detail}")])
    return key


def once(body: BaseModel, answer: bytes) -> Once | None:
    """What the store needs to answer a repeated request as it did the first; the key is kept as a hash only."""
    key = idempotency_key()
    if key is None:
        return None
    sent = hashlib.sha256(f"{request.path}\n{body.model_dump_json()}".encode()).digest()
    return Once(caller(), hash_of(key), sent, answer)
