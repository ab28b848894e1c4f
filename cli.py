"""The `playbooks` command: a registry only; each package brings its own commands."""

from __future__ import annotations

import click

from build.commands import build
from library.commands import check, fmt, stats
from library.problems import LibraryError, UsageError
from server.commands import serve
from server.contributors import contributors, pending
from server.review import review

COMMANDS = (check, fmt, build, serve, stats, contributors, pending, review)


class Registry(click.Group):
    """The group of all commands.

    An error that we raise on purpose is one sentence and an exit code, never a traceback.
    """

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; 2 for wrong use, 1 for anything else that cannot be done."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise click.UsageError(str(error), ctx=None) from error
        except LibraryError as error:
            raise click.ClickException(str(error)) from error
        except BrokenPipeError:
            raise  # whoever reads the output went away: click ends quietly
        except OSError as error:
            raise click.ClickException(f"{error.filename or 'the output'}: {error.strerror}") from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of their use, not of the alphabet."""
        del ctx
        return [str(command.name) for command in COMMANDS]


@click.group(cls=Registry, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option("0.1.0", prog_name="playbooks")
def main() -> None:
    """A library of tested playbooks for jobs done with AI agents: YAML files in, a site and an API out.

    Exit codes: 0 all is well, 1 problems in the content, 2 wrong use.
    """


for command in COMMANDS:
    main.add_command(command)

if __name__ == "__main__":
    main()
