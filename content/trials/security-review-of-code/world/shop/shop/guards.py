"""Guards: each refuses a request without the right."""

from .router import Refused

SESSIONS = {"ann": ("red", "user"), "olga": ("red", "owner"), "bob": ("blue", "user")}


def signed_in(request):
    if request["session"] not in SESSIONS:
        raise Refused(401, "sign in first")
    request["tenant"], request["role"] = SESSIONS[request["session"]]


def owner(request):
    signed_in(request)
    if request["role"] != "owner":
        raise Refused(403, "for owners")
