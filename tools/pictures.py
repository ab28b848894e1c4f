"""Takes pictures of the site's pages with Chromium, for eyes and for the documents: `python -m tools.pictures`."""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tools.review_demo import BOOK, fill

PAGES = {
    "home": "/",
    "playbook": "/playbooks/fix-flaky-tests/",
    "list": "/playbooks/",
    "lessons": "/lessons/",
    "stats": "/stats/",
    "trust": "/trust/",
    "search": "/search/?q=my+tests+fail+only+sometimes",
    "report": "/report/?playbook=fix-flaky-tests",
}
SHOWN = ("home", "playbook", "list", "search", "stats", "report")
"""The kinds of page that the documents show."""
REVIEW_PAGES = {
    "review-sign-in": "/review/sign-in",
    "review-queue": "/review/",
    "review-batch": f"/review/?kind=run&playbook={BOOK}",
    "review-lesson": "lesson",
    "review-correction": "correction",
    "review-use-case": "use-case",
    "review-run": "run",
    "review-withdraw": "/review/withdraw-playbook",
    "review-on-its-way": "/review/on-its-way",
}
"""The pages of review, over test data: each has a path, or is the page of an item of `tools.review_demo`."""
CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def free_port() -> int:
    """A port of the loopback interface that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def take(
    out: Path,
    top: str,
    pages: dict[str, str],
    schemes: list[str],
    widths: list[int],
    *,
    whole: bool,
    key: str = "",
) -> None:
    """A PNG for each page (name to path), scheme and width; with a `key` signed in to review."""
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM)
        for scheme in schemes:
            for width in widths:
                page = browser.new_page(
                    viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
                )
                if key:
                    sign_in(page, top, key)
                for name, path in pages.items():
                    page.goto(top + path, wait_until="networkidle")
                    file = out / f"{name}-{width}-{scheme}.png"
                    page.screenshot(path=file, full_page=whole)
                    compress(file)
                page.close()
        browser.close()


def compress(file: Path) -> None:
    """Make a picture of a page small: text on plain ground needs no more than 64 colours."""
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(64, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def sign_in(page: Page, top: str, key: str) -> None:
    """Sign an editor in."""
    page.goto(f"{top}/review/sign-in")
    page.get_by_label("Your key").fill(key)
    page.get_by_role("button", name="Sign in").click()


def main() -> None:
    """Build, serve, take pictures, stop the server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--pages", nargs="*", default=list(SHOWN), choices=[*PAGES, *REVIEW_PAGES])
    parser.add_argument("--schemes", nargs="*", default=["light"], choices=["light", "dark"])
    parser.add_argument("--widths", nargs="*", type=int, default=[360, 1440])
    parser.add_argument("--whole", action="store_true", help="The whole page, not the first screen.")
    options = parser.parse_args()
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "cli", "serve", "--port", str(port), "--out", f"{folder}/site"]
        command += ["--var", f"{folder}/var"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            await_port(port)
            top, key = f"http://127.0.0.1:{port}", ""
            items: dict[str, str] = {}
            if any(name in REVIEW_PAGES for name in options.pages):
                key, items = fill(top, Path(folder) / "var", Path("content"))
            paths = PAGES | {name: items.get(path, path) for name, path in REVIEW_PAGES.items()}
            pages = {name: paths[name] for name in options.pages}
            take(options.out, top, pages, options.schemes, options.widths, whole=options.whole, key=key)
        finally:
            server.terminate()
            server.wait(10)


def await_port(port: int) -> None:
    """Wait until somebody listens."""
    for _ in range(1200):
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("the server did not come up")


if __name__ == "__main__":
    main()
