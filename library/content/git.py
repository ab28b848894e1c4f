"""Runs git: without a shell, hooks or prompts, in the repository that a folder lies in; errors are sentences."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ..problems import LibraryError, printable

LOCAL_SECONDS = 120.0
REMOTE_SECONDS = 300.0
_SAFE = (
    "--no-replace-objects", "--literal-pathspecs",
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false",
    "-c", "core.fsync=committed,reference,loose-object", "-c", "i18n.commitEncoding=UTF-8", "-c", "gc.auto=0",
    "-c", "log.showRoot=true", "-c", "log.diffMerges=separate", "-c", "core.deltaBaseCacheLimit=4m",
    "-c", "core.packedGitWindowSize=1m", "-c", "core.packedGitLimit=8m",
)  # fmt: skip
_KEPT = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
"""Of what the environment tells git, only how to reach a remote and where settings are: never which repository."""
_CREDENTIALS = re.compile(r"://[^/\s@]*@")


class GitError(LibraryError):
    """Git is not there, refused, or could not do something; the text has its own words."""


class Git:
    """A repository, by a folder in it: `prefix` is where in it the folder lies, `own` git's own folder.

    Raises `GitError` where there is no git or no repository.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        program = shutil.which("git", path=environment.get("PATH"))
        if program is None:
            raise GitError("git is not installed, and this needs it")
        others = {name: text for name, text in environment.items() if not name.startswith("GIT_") or name in _KEPT}
        self._environment = {**others, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat"}
        self._command = [program, *_SAFE]
        self._folder = folder
        lines = os.fsdecode(self("rev-parse", "--show-toplevel", "--absolute-git-dir", "--show-prefix")).split("\n")
        if len(lines) != 4:
            raise GitError(f"the way to {printable(str(folder))} has a line break in it; rename the folder")
        self._folder, self.own, self.prefix = Path(lines[0]), Path(lines[1]), lines[2]

    def __call__(
        self,
        *arguments: str,
        given: bytes = b"",
        seconds: float = LOCAL_SECONDS,
        environment: Mapping[str, str] | None = None,
    ) -> bytes:
        """What git prints; it is `given` these bytes and told this `environment` too. Raises `GitError`."""
        done = self._run(arguments, given, seconds, environment or {})
        if done.returncode:
            raise GitError(f"git {arguments[0]}: {_words(done.stderr)}")
        return done.stdout

    def asks(self, *arguments: str) -> str | None:
        """What git prints, on one line; None where it says no."""
        done = self._run(arguments, b"", LOCAL_SECONDS, {})
        return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None

    def commit_at(self, ref: str) -> str | None:
        """The commit that a ref leads to; None when there is no such ref."""
        return self.asks("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")

    def batch(self) -> subprocess.Popen[bytes]:
        """A process that answers ids of objects with their texts, until its input ends."""
        return subprocess.Popen(
            [*self._command, "cat-file", "--batch"],
            cwd=self._folder,
            env={**self._environment, "GIT_NO_LAZY_FETCH": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def _run(
        self, arguments: tuple[str, ...], given: bytes, seconds: float, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                [*self._command, *arguments],
                cwd=self._folder,
                input=given,
                env={**self._environment, **environment},
                capture_output=True,
                timeout=seconds,
                check=False,
                start_new_session=True,  # nothing that git starts can ask at the terminal
            )
        except subprocess.TimeoutExpired as error:
            raise GitError(f"git {arguments[0]} did not end within {seconds:g} s") from error
        except OSError as error:
            raise GitError(f"git cannot be run: {error.strerror}") from error


def _words(stderr: bytes) -> str:
    """What git says on its error output, in one line, without credentials and without anything a terminal obeys."""
    lines = [line.strip() for line in stderr.decode(errors="replace").splitlines() if line.strip()]
    first = next((at for at, line in enumerate(lines) if line.startswith(("fatal:", "error:", "!", "remote:"))), 0)
    return printable(_CREDENTIALS.sub("://…@", "; ".join(lines[first : first + 3])))[:400] or "failed without a word"
