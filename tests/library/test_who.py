"""What reports call agents and models, and the one name that each has."""

from __future__ import annotations

from pathlib import Path

import pytest

from library.content import loading
from library.records.collection import Library
from library.records.models import Agent, AIModels
from library.records.who import called
from library.rules.checks import across
from tests.builders import TODAY, a_library, an_agent

PROJECT = Path(__file__).resolve().parents[2]
ARN = "arn:aws:bedrock:eu-central-1:000000000000:inference-profile/eu.anthropic.claude-opus-4-5-20251101-v1:0"


@pytest.fixture(scope="module")
def real() -> Library:
    """The agents and models of the real content."""
    content = PROJECT / "content"
    files = ["models.yaml", *(f"agents/{path.name}" for path in (content / "agents").iterdir())]
    records = [loading.read(content, file, TODAY).record for file in files]
    agents = [record for record in records if isinstance(record, Agent)]
    models = next(record.models for record in records if isinstance(record, AIModels))
    return a_library(agents=agents, models=models)


@pytest.mark.parametrize(
    ("sent", "slug"),
    [
        ("claude-code", "claude-code"),
        ("Claude Code", "claude-code"),
        ("CLAUDE_CODE", "claude-code"),
        ("claude code cli", "claude-code"),
        ("Claude Code 2.1.7", "claude-code"),
        ("claude-code/2.1.7 (external, cli)", "claude-code"),
        ("claude-code@2.1", "claude-code"),
        ("anthropic/claude-code", "claude-code"),
        ("codex", "openai-codex"),
        ("Codex CLI", "openai-codex"),
        ("codex-cli 0.46.0", "openai-codex"),
        ("OpenAI Codex", "openai-codex"),
        ("gpt-5-codex", "openai-codex"),
        ("gemini cli", "gemini-cli"),
        ("Roo Code", "roo-code"),
        ("Roo", "roo-code"),
        ("Windsurf", "windsurf"),
        ("Cursor Agent", "cursor"),
        ("claude", None),
        ("my own agent", None),
        ("code", None),
        ("cli", None),
        ("", None),
        ("???", None),
    ],
)
def test_an_agent_is_known_by_what_reports_call_it(real: Library, sent: str, slug: str | None) -> None:
    assert called(sent, real.agents_by_name) == slug


@pytest.mark.parametrize(
    ("sent", "slug"),
    [
        ("Claude Opus 4.5", "claude-opus-4-5"),
        ("claude-opus-4-5-20251101", "claude-opus-4-5"),
        ("claude-opus-4.5", "claude-opus-4-5"),
        ("anthropic/claude-opus-4.5:latest", "claude-opus-4-5"),
        (ARN, "claude-opus-4-5"),
        ("GPT-5.3-Codex", "gpt-5-3-codex"),
        ("gpt-5.3-codex@2026-10", "gpt-5-3-codex"),
        ("openai/gpt-5.3-codex (high)", "gpt-5-3-codex"),
        ("gpt-5.3", None),
        ("claude-opus-44", None),
        ("local-llama", None),
    ],
)
def test_a_model_is_known_by_what_reports_call_it(real: Library, sent: str, slug: str | None) -> None:
    assert called(sent, real.models_by_name, model=True) == slug


def test_no_name_is_two_agents() -> None:
    agents = [an_agent(aliases=("cc", "Claude")), an_agent("one-agent", name="Other", aliases=("C-C",))]
    found = list(across(a_library(agents=agents)))
    assert [(problem.file, problem.field) for problem in found if problem.code == "names-are-one-agents"] == [
        ("agents/one-agent.yaml", "aliases[0]")
    ]
