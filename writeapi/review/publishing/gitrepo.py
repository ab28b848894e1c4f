"""Git as publishing uses it: plumbing without a shell, hooks, prompts or a checkout; errors are sentences."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from library.problems import printable

from .places import CannotWrite

LOCAL_SECONDS = 60.0
REMOTE_SECONDS = 300.0
_SAFE = (
    "--no-replace-objects", "--literal-pathspecs",
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false",
    "-c", "core.fsync=committed,reference,loose-object", "-c", "i18n.commitEncoding=UTF-8", "-c", "gc.auto=0",
)  # fmt: skip
_KEPT = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
"""Of what the environment tells git, only how to reach a remote and where settings are: never which repository."""
_CREDENTIALS = re.compile(r"://[^/\s@]*@")


class GitFailed(CannotWrite):
    """Git refused or could not do something; the text has its own words."""


class Git:
    """A repository, by a folder in it. Raises `CannotWrite` where there is no git or no repository."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        program = shutil.which("git", path=environment.get("PATH"))
        if program is None:
            raise CannotWrite("git is not installed, and --branch needs it")
        self._program = program
        told = {name: text for name, text in environment.items() if not name.startswith("GIT_") or name in _KEPT}
        self._environment = {**told, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat"}
        self._folder = folder
        top = self("rev-parse", "--show-toplevel").decode().rstrip("\n")
        self.prefix = self("rev-parse", "--show-prefix").decode().rstrip("\n")
        self.own = Path(self("rev-parse", "--absolute-git-dir").decode().rstrip("\n"))
        self._folder = Path(top)

    def __call__(
        self,
        *arguments: str,
        given: bytes = b"",
        seconds: float = LOCAL_SECONDS,
        environment: Mapping[str, str] | None = None,
    ) -> bytes:
        """What git prints; it is `given` these bytes and told this `environment` too. Raises `GitFailed`."""
        done = self._run(arguments, given, seconds, environment or {})
        if done.returncode:
            raise GitFailed(f"git {arguments[0]}: {_words(done.stderr)}")
        return done.stdout

    def asks(self, *arguments: str) -> str | None:
        """What git prints, on one line; None where it says no."""
        done = self._run(arguments, b"", LOCAL_SECONDS, {})
        return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None

    def commit_at(self, ref: str) -> str | None:
        """The commit that a ref leads to; None when there is no such ref."""
        return self.asks("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")

    def _run(
        self, arguments: tuple[str, ...], given: bytes, seconds: float, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                [self._program, "-C", str(self._folder), *_SAFE, *arguments],
                input=given,
                env={**self._environment, **environment},
                capture_output=True,
                timeout=seconds,
                check=False,
                start_new_session=True,  # nothing that git starts can ask at the terminal
            )
        except subprocess.TimeoutExpired as error:
            raise GitFailed(f"git {arguments[0]} did not end within {seconds:g} s") from error
        except OSError as error:
            raise GitFailed(f"git cannot be run: {error.strerror}") from error


def _words(stderr: bytes) -> str:
    """What git says on its error output, in one line, without credentials and without anything a terminal obeys."""
    lines = [line.strip() for line in stderr.decode(errors="replace").splitlines() if line.strip()]
    told = [line for line in lines if line.startswith(("fatal:", "error:", "!", "remote:"))] or lines
    return printable(_CREDENTIALS.sub("://…@", "; ".join(told[:3])))[:400] or "failed without a word"
