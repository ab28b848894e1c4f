"""The `playbooks` command: a registry only; each package brings its own commands."""

from __future__ import annotations

from importlib import import_module

import click

from library import __version__
from library.problems import LibraryError, UsageError

INTERRUPTED = 130
"""What shells say of a command that Ctrl+C ended."""

COMMANDS = {
    "init": "library.init",
    "new": "library.new",
    "check": "library.commands",
    "fmt": "library.commands",
    "schemas": "library.commands",
    "build": "build.commands",
    "serve": "server.commands",
    "search": "library.search.commands",
    "stats": "library.commands",
    "addresses": "client.addresses",
    "contributors": "server.contributors",
    "pending": "server.contributors",
    "backup": "server.backups",
    "restore": "server.backups",
    "prune": "server.prune",
    "metrics": "server.metrics",
    "review": "server.review",
    "mcp": "server.mcp_command",
    "deploy": "server.deploy.commands",
    "report": "client.commands",
    "submit": "client.commands",
}
"""Each command and the module that brings it, which is not loaded before it is asked for: `mcp` must start fast."""


class Registry(click.Group):
    """The group of all commands.

    An error that we raise on purpose is one sentence and an exit code, never a traceback.
    """

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; 2 for wrong use, 130 after Ctrl+C, 1 for anything else that cannot be done."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise click.UsageError(str(error), ctx=None) from error
        except LibraryError as error:
            raise click.ClickException(str(error)) from error
        except KeyboardInterrupt:
            click.echo("\nAborted!", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            raise  # whoever reads the output went away: click ends quietly
        except OSError as error:
            raise click.ClickException(f"{error.filename or 'the output'}: {error.strerror}") from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of their use, not of the alphabet."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None if there is none."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        try:
            command: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name)
        except ModuleNotFoundError as error:  # after an update that wants more than is installed
            why = f"the Python package {error.name} is not installed; run `make setup`, or install playbooks anew"
            raise click.ClickException(why) from error
        return command


@click.group(cls=Registry, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="playbooks")
def main() -> None:
    """A library of tested playbooks for jobs done with AI agents: YAML files in, a site and an API out.

    Exit codes: 0 all is well, 1 problems in the content, 2 wrong use, 130 after Ctrl+C.
    """


if __name__ == "__main__":
    main()
