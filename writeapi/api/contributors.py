"""`POST /contributors` and a contributor's own keys."""

from flask import Blueprint, Response, request

from library.interface.answers import ContributorReceipt, KeyReceipt, KeyRow, Me
from library.interface.errors import HANDLE_TAKEN, NOT_FOUND
from library.interface.intake import NewContributor

from ..keys import is_prefix, make_key
from ..services import owner, services
from ..store.engine import HandleTaken
from .wire import ApiError, created, read_model, reply

contributors = Blueprint("contributors", __name__)


@contributors.post("/contributors")
def create_contributor() -> Response:
    """Create a contributor; the key in the answer is shown once. A retry is 409: an editor can reset a lost key."""
    wanted, _ = read_model(request, NewContributor, private=frozenset({"email"}))
    key = make_key(services().random)
    try:
        made = services().store.add_contributor(wanted.handle, wanted.email, key.hash, key.prefix)
    except HandleTaken as error:
        raise ApiError(HANDLE_TAKEN, "Another contributor has this handle, perhaps in another spelling.") from error
    return created(ContributorReceipt(handle=made.handle, api_key=key.text, created=made.created).json_bytes())


@contributors.get("/contributors/me")
def get_me() -> Response:
    """What a contributor sees of itself: its handle, its role and its keys."""
    me = owner()
    keys = (KeyRow(prefix=key.prefix, created=key.created, revoked=key.revoked) for key in services().store.keys(me.id))
    return reply(Me(handle=me.handle, role=me.role, created=me.created, keys=tuple(keys)).json_bytes())


@contributors.post("/contributors/me/keys")
def create_key() -> Response:
    """A further key, to change over to before the old one is revoked."""
    me = owner()
    key = make_key(services().random)
    made = services().store.add_key(me.id, key.hash, key.prefix, by=f"c:{me.id}")
    return created(KeyReceipt(prefix=made.prefix, api_key=key.text, created=made.created).json_bytes())


@contributors.delete("/contributors/me/keys/<prefix>")
def revoke_key(prefix: str) -> Response:
    """Revoke one of the caller's keys, perhaps the very one that was sent."""
    me = owner()
    if not is_prefix(prefix) or not services().store.revoke_key(me.id, prefix, by=f"c:{me.id}"):
        raise ApiError(NOT_FOUND, "You have no key that begins like that and still holds.")
    return Response(status=204, headers={"Cache-Control": "no-store"})
