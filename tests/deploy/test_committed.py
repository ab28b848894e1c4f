"""What `deploy/` holds: files made by the command as they are today, and others that their own checkers take."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

import cli
from library.problems import UsageError
from server.deploy.commands import Deployment, Machine, files_for, of_site, systemd_files
from tests.builders import write_content
from tests.forks import CLI, run
from tools.deploy_files import FOLDER, committed

UNITS = sorted((FOLDER / "systemd").glob("*.*"))


@pytest.mark.parametrize("folder", committed())
def test_what_is_committed_is_what_the_command_writes(folder: str) -> None:
    files = {str(path.relative_to(FOLDER / folder)): path.read_text() for path in _files(FOLDER / folder)}
    assert files == dict(committed()[folder]), "make deploy-files"


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("slug", ["default", "include", "hostnames", "volatile"])
def test_a_former_slug_that_means_something_to_nginx_is_a_slug(slug: str) -> None:
    told = files_for("nginx", Deployment("https://a.example", aliases={slug: "new"}))
    assert f"\n\\{slug} new;\n" in told["aliases.map"]


@pytest.mark.parametrize("value", ["/srv/a b", "x;", "a{b", "$x", "a'b", "a\nb"])
def test_what_would_mean_something_else_in_a_configuration_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="letters, digits"):
        Deployment("https://a.example", root=value)


WRONG = {
    "--root": ("site", "./site"),
    "--folder": ("nginx",),
    "--listen": ("http", "443 ssl http2", "443ssl", "[::]", "[x]:80", "unix:nginx.sock"),
    "--api": ("8001", "127.0.0.1", "unix:api.sock", "a..b:80"),
    "--mcp": ("127.0.0.1:x", "::1:8002"),
    "--trusted-proxy": ("nonsense", "[::1]"),
}
RIGHT = {
    "--root": ("/srv/site",),
    "--folder": ("/etc/nginx/playbooks",),
    "--listen": (
        "80",
        "[::]:80",
        "127.0.0.1:65535",
        "localhost:8080",
        "unix:/run/nginx.sock",
        "443 ssl",
        "[::]:443 ssl",
    ),
    "--api": ("api:8001", "[::1]:8001", "unix:/run/api.sock"),
    "--mcp": ("127.0.0.1:8002",),
    "--trusted-proxy": ("192.0.2.7", "192.0.2.0/24", "2001:db8::/32"),
}


def deploying(out: Path, *words: str, site_url: str = "https://a.example") -> Result:
    return CliRunner().invoke(cli.main, ["deploy", "nginx", "--out", str(out), "--site-url", site_url, *words])


@pytest.mark.parametrize(("option", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_an_option_that_can_mean_nothing_is_named_with_what_it_may_be(tmp_path: Path, option: str, value: str) -> None:
    refused = deploying(tmp_path / "out", option, value)
    assert refused.exit_code == 2
    assert f"Error: {option} is {value!r}; it must be " in refused.output
    assert not (tmp_path / "out").exists()


def test_options_that_are_right_are_taken(tmp_path: Path) -> None:
    words = [word for name, values in RIGHT.items() for value in values for word in (name, value)]
    assert deploying(tmp_path, *words).exit_code == 0


def test_all_options_that_are_wrong_are_named_at_once(tmp_path: Path) -> None:
    words = [word for name, values in WRONG.items() for word in (name, values[0])]
    output = deploying(tmp_path, *words, site_url="https://a;b.example").output
    assert [name for name in ("--site-url", *WRONG) if f"{name} is " not in output] == []


@pytest.mark.parametrize("site_url", ["https://a;b.example", "https://ä.example", "https://a{b}.example"])
def test_a_site_whose_host_is_no_name_is_refused(site_url: str) -> None:
    with pytest.raises(UsageError, match="a name in ASCII"):
        Deployment(site_url)


@pytest.mark.parametrize("site_url", ["http://127.0.0.1:8000", "https://[::1]", "https://a-b.example/"])
def test_a_site_whose_host_is_a_name_or_an_address_is_taken(site_url: str) -> None:
    assert Deployment(site_url).site_url == site_url


def test_a_site_below_a_path_is_refused() -> None:
    with pytest.raises(UsageError, match="whole host"):
        Deployment("https://a.example/below")


def test_a_folder_that_is_no_site_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"is no built site; name one that `playbooks build` has made"):
        of_site(tmp_path, None)


@pytest.mark.parametrize(
    "text", ["{", "{}", "[]", "[1", "\xff", '{"items": ["a"]}', '{"items": {"a": 1}}', '{"items": {"a; b": "c"}}']
)
def test_a_site_whose_aliases_are_damaged_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "api/v1").mkdir(parents=True)
    (tmp_path / "api/v1/aliases.json").write_text(text)
    with pytest.raises(UsageError, match=r"aliases\.json is damaged; build the site again"):
        of_site(tmp_path, None)


@pytest.mark.system
@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed: its configuration was not checked")
def test_caddy_takes_its_file(tmp_path: Path) -> None:
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(FOLDER / "caddy/Caddyfile")]
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.system
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed: no unit was checked")
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_takes_its_units(unit: Path, tmp_path: Path) -> None:
    # The programs of the real machine are not here.
    text = re.sub(r"^(ExecStart(?:Pre)?=)\S+", r"\1/bin/true", unit.read_text(), flags=re.MULTILINE)
    (tmp_path / unit.name).write_text(text)
    if unit.suffix == ".timer":
        (tmp_path / f"{unit.stem}.service").write_text("[Service]\nType=oneshot\nExecStart=/bin/true\n")
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / unit.name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    wrong = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (done.returncode, wrong) == (0, []), done.stderr


def test_compose_names_what_is_there() -> None:
    told = yaml.safe_load((FOLDER / "compose.yaml").read_text())
    services = told["services"]
    assert set(services) == {"work", "api", "mcp", "site", "database", "limits"}
    for service in services.values():
        assert ("image" in service) != ("build" in service)
        assert set(service.get("depends_on", ())) <= services.keys()
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in told["volumes"] or (FOLDER / source).exists(), volume
    assert (FOLDER / "Dockerfile").read_text().count("FROM ") == 2


def test_units_as_committed_are_those_of_the_paths_that_they_name() -> None:
    files = {str(path.relative_to(FOLDER)): path.read_text() for path in UNITS}
    told = systemd_files(Machine())
    assert {name: text for name, text in told.items() if name.startswith("systemd/")} == files
    assert told["environment"] == (FOLDER / "systemd/environment").read_text()
    assert told["gunicorn.conf.py"] == (FOLDER / "gunicorn.conf.py").read_text()


def test_units_hold_the_paths_of_the_machine_and_no_others(tmp_path: Path) -> None:
    there = ("--library", "/opt/lib", "--commands", "/opt/venv/bin", "--root", "/var/www/site", "--user", "me")
    done = CliRunner().invoke(cli.main, ["deploy", "systemd", "--out", str(tmp_path), "--folder", "/etc/ours", *there])
    assert done.exit_code == 0, done.output
    texts = {path.name: path.read_text() for path in _files(tmp_path)}
    assert not [name for name, text in texts.items() if "/srv/playbooks" in text or "/etc/playbooks" in text]
    unit = texts["playbooks-api.service"]
    assert (
        "ExecStart=/opt/venv/bin/gunicorn --config /etc/ours/gunicorn.conf.py 'playbook_library:application()'\n"
        in unit
    )
    assert "WorkingDirectory=/opt/lib\nEnvironmentFile=/etc/ours/environment\n" in unit
    assert "ReadWritePaths=/opt/lib/content\n" in unit
    assert "User=me\n" in unit
    assert "ReadWritePaths=/var/www /opt/lib -/var/backups/playbooks\n" in texts["playbooks-work.service"]
    assert "PLAYBOOKS_SITE=/var/www/site\nPLAYBOOKS_CONTENT=/opt/lib/content\n" in texts["environment"]


def test_an_environment_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "environment").write_text("PLAYBOOKS_SECRET=mine\n")
    done = CliRunner().invoke(cli.main, ["deploy", "systemd", "--out", str(tmp_path), "--library", "/opt/lib"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "environment").read_text() == "PLAYBOOKS_SECRET=mine\n"
    assert (tmp_path / "gunicorn.conf.py").is_file()


def test_what_a_unit_could_not_read_is_told(tmp_path: Path) -> None:
    command = ["deploy", "systemd", "--out", str(tmp_path), "--commands", "/opt/bin", "--library", "/home/me/lib"]
    done = CliRunner().invoke(cli.main, command)
    assert done.exit_code == 0, done.output
    assert "/home/me/lib lies below a home folder, which the units may not read: put it elsewhere\n" in done.stderr


def test_paths_that_a_unit_would_read_as_something_else_are_refused_at_once(tmp_path: Path) -> None:
    wrong = {"--library": "lib", "--commands": "/opt/a b", "--root": "/srv/%n", "--folder": "$HOME", "--user": "a b"}
    words = [word for pair in wrong.items() for word in pair]
    done = CliRunner().invoke(cli.main, ["deploy", "systemd", "--out", str(tmp_path / "out"), *words])
    assert done.exit_code == 2
    assert [name for name in wrong if f"{name} is " not in done.output] == []
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_workers_unit_starts_with_the_environment_as_shipped(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    ours = Machine(str(tmp_path), root=str(tmp_path / "site"), folder=str(tmp_path))
    files = systemd_files(ours)
    lines = [line for line in files["environment"].splitlines() if line and not line.startswith("#")]
    told = dict(line.split("=", 1) for line in lines)
    told |= {"PLAYBOOKS_VAR": str(tmp_path / "var"), "PLAYBOOKS_BACKUPS": str(tmp_path / "not/there")}
    assert told["PLAYBOOKS_CONTENT"] == str(content)
    (command,) = re.findall(r"^ExecStart=\S+/playbooks (.*)$", files["systemd/playbooks-work.service"], re.MULTILINE)
    words = re.sub(r"\$\{(\w+)\}", lambda found: told[found[1]], command).replace("$WORK_OPTIONS", "--once").split()
    done = run(CLI, words, {"PATH": "/usr/bin:/bin", "PLAYBOOKS_SITE_URL": "", **told})
    assert done.returncode == 0, done.stderr
    assert '"failed": true' not in done.stderr
    assert len(list((tmp_path / "not/there").iterdir())) == 1
    assert (tmp_path / "site/index.html.br").exists()
