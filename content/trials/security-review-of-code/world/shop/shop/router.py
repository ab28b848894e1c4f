"""Routes, and who may use them."""

import re

ROUTES = []


class Refused(Exception):
    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


def route(method, pattern, guard=None):
    def add(function):
        ROUTES.append((method, pattern, function, guard))
        return function

    return add


def answer(method, path, request):
    for wanted, pattern, function, guard in ROUTES:
        found = re.fullmatch(re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", pattern).replace("<rest...>", "(?P<rest>.+)"), path)
        if wanted == method and found:
            if guard:
                guard(request)
            return function(request, **found.groupdict())
    raise Refused(404, "no such route")
