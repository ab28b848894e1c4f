"""`POST /contributors` and a contributor's own keys."""

from typing import Annotated

from flask import Blueprint, Response, request
from pydantic import BeforeValidator

from library.interface.answers import ContributorReceipt, KeyReceipt, KeyRow, Me
from library.interface.errors import FORBIDDEN, HANDLE_TAKEN, NOT_FOUND
from library.interface.intake import Intake, NewContributor
from library.records.fields import CalendarDate
from library.records.vocabulary import SENDING, Scope

from ..keys import is_prefix, make_key
from ..services import owner, sent_key, services
from ..store.engine import Conflict, HandleTaken
from .wire import ApiError, created, read_model, read_query, reply

contributors = Blueprint("contributors", __name__)


class KeyQuery(Intake):
    """What a further key is to be for, with commas between, and its last day."""

    scopes: Annotated[
        tuple[Scope, ...] | None, BeforeValidator(lambda text: text.split(",") if isinstance(text, str) else text)
    ] = None
    until: CalendarDate | None = None


@contributors.post("/contributors")
def create_contributor() -> Response:
    """Create a contributor; the key in the answer is shown once. A retry is 409: an editor can reset a lost key."""
    wanted, _ = read_model(request, NewContributor, private=frozenset({"email"}))
    key = make_key(services().random)
    try:
        made = services().store.add_contributor(wanted.handle, wanted.email, key.hash, key.prefix, SENDING)
    except HandleTaken as error:
        raise ApiError(HANDLE_TAKEN, "Another contributor has this handle, perhaps in another spelling.") from error
    return created(ContributorReceipt(handle=made.handle, api_key=key.text, created=made.created).json_bytes())


@contributors.get("/contributors/me")
def get_me() -> Response:
    """What a contributor sees of itself: its handle, its role and its keys."""
    me = owner()
    keys = tuple(
        KeyRow(prefix=key.prefix, created=key.created, revoked=key.revoked, scopes=key.allows, until=key.until)
        for key in services().store.keys(me.id)
    )
    return reply(Me(handle=me.handle, role=me.role, created=me.created, keys=keys).json_bytes())


@contributors.post("/contributors/me/keys")
def create_key() -> Response:
    """A further key, to change over to before the old one is revoked; it may do no more than the one that is sent."""
    me, wanted, store = owner(), read_query(KeyQuery, request.args.to_dict(flat=False)), services().store
    if (sent := store.key(sent_key())) is None:
        raise Conflict("The key was revoked meanwhile.")
    scopes = wanted.scopes or tuple(scope for scope in SENDING if scope in sent.allows) or sent.allows
    if not set(scopes) <= set(sent.allows):
        raise ApiError(FORBIDDEN, f"A key makes none that may do more than itself: {', '.join(sent.allows)}.")
    ends = [day for day in (wanted.until and wanted.until.isoformat(), sent.until) if day]
    key, until = make_key(services().random), min(ends, default=None)
    made = store.add_key(me.id, key.hash, key.prefix, by=f"c:{me.id}", scopes=scopes, until=until, minted_by=sent_key())
    answer = KeyReceipt(prefix=made.prefix, api_key=key.text, created=made.created, scopes=scopes, until=until)
    return created(answer.json_bytes())


@contributors.delete("/contributors/me/keys/<prefix>")
def revoke_key(prefix: str) -> Response:
    """Revoke one of the caller's keys, perhaps the very one that was sent, and what it minted but the one sent."""
    me = owner()
    if not is_prefix(prefix) or not services().store.revoke_key(me.id, prefix, by=f"c:{me.id}", spared=sent_key()):
        raise ApiError(NOT_FOUND, "You have no key that begins like that and still holds.")
    return Response(status=204, headers={"Cache-Control": "no-store"})
