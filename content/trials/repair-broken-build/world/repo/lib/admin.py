"""What the owner runs."""

import marks

from lib import price


def main(words):
    if words[:1] == ["prices"] and len(words) == 3:
        print(price.total(words[1], int(words[2])))
        return 0
    if words[:1] == ["html"]:
        print(marks.to_html(" ".join(words[1:])), end="")
        return 0
    print("prices PRICE NUMBER, or html TEXT")
    return 2
