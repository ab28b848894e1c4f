"""Records that break a rule: within a playbook, across files, and in run reports."""

from __future__ import annotations

from tests.broken.case import Case, added, book, lesson, run, task
from tests.builders import AGENT, PLAYBOOK, RUN, prompt_of, titled

_EVIDENCE = (
    "evidence:\n  - title: A day with it\n    url: https://example.com/{page}\n    platform: blog\n"
    "    agent: Claude Code\n    reported_outcome: It worked.\n"
)
_TESTED = (
    "tested:\n  - date: 2026-11-01\n    agent: nobody\n    outcome: worked\n    by: editor\n    version: 0a1b2c3d4e5f\n"
)
_VARIANT = "variants:\n  - agent: {agent}\n    prompt: {prompt}\n"
_OTHERS = _VARIANT.format(agent="no-such-agent", prompt=prompt_of("unknown-variant-agent-2"))
_FAILURE = "failures:\n  - problem: It hangs.\n    fix: Stop it.\n    lesson: no-such-lesson\n"


def _beside(slug: str, more: str) -> dict[str, str]:
    return {f"playbooks/{slug}.yaml": titled(PLAYBOOK, slug.replace("-", " ")) + more}


RULES: tuple[Case, ...] = (
    book("unknown-task", "task: fix-flaky-tests", "task: no-such-task", "task-exists 2:1"),
    book("unknown-agent", "- claude-code", "- no-such-agent", "agents-exist 4:5"),
    task("unknown-category", "category: software", "category: no-such", "category-exists 2:1"),
    added("unknown-related", "related:\n  - no-such-book\n", "related-exist 19:5"),
    added(
        "unknown-replacement",
        "status: deprecated\nstatus_reason: Old.\nreplaced_by: no-such\n",
        "replacement-exists 20:1",
    ),
    added("unknown-lesson", _FAILURE, "lessons-exist 21:5"),
    added("unknown-tested-agent", _TESTED, "variants-and-tests-know-their-agents 20:5"),
    added(
        "arm-without-a-trial",
        f"{_TESTED.replace('nobody', 'claude-code')}    arm: bare\n",
        "runs-on-trials-say-of-which 19:5",
    ),
    book(
        "unknown-variant-agent-for-any",
        "  - claude-code\n",
        f"  - any-agent\n{_OTHERS}",
        "variants-and-tests-know-their-agents 6:5",
        beside={"agents/any-agent.yaml": AGENT},
    ),
    book(
        "unknown-variant-agent",
        "  - claude-code\n",
        f"  - claude-code\n  - no-such-agent\n{_OTHERS}",
        "agents-exist 5:5",
    ),
    lesson("lesson-of-unknown-playbook", "- fix-flaky-tests", "- no-such-book", "lessons-name-known-playbooks 5:5"),
    Case(
        "lesson-of-unknown-agent",
        "lessons/lesson-of-unknown-agent.yaml",
        b"title: Of an agent\nproblem: P.\nfix: F.\nagents:\n  - no-such-agent\nupdated: 2026-11-01\n",
        ("agents-exist 5:5",),
    ),
    added("alias-of-a-playbook", "aliases:\n  - fix-flaky-tests\n", "aliases-are-unique 19:5"),
    added(
        "shared-alias",
        "aliases:\n  - old-name\n",
        "aliases-are-unique 19:5",
        beside=_beside("a-first-owner", "aliases:\n  - old-name\n"),
        says=("'a-first-owner'",),
    ),
    Case(
        "alias-of-another-agent",
        "agents/other-agent.yaml",
        f"{AGENT.replace('Claude Code', 'Another')}aliases:\n  - claude code\n".encode(),
        ("names-are-one-agents 6:5",),
        says=("'claude-code'",),
    ),
    Case(
        "alias-of-another-model",
        "models.yaml",
        b"models:\n  - slug: m-1\n    name: M 1\n  - slug: m-2\n    name: M 2\n    aliases:\n      - m1\n",
        ("names-are-one-agents 7:9",),
        says=("'m-1'",),
    ),
    Case(
        "near-duplicate-title",
        "playbooks/the-flaky-test-fixing.yaml",
        titled(PLAYBOOK, "Fixing the flaky test").encode(),
        ("titles-differ 1:1",),
        says=("'fix-flaky-tests'",),
    ),
    book(
        "checkpoint-without-step",
        "risk: low",
        "human_checkpoints:\n  - 'Before step 2: look'\nrisk: low",
        "checkpoints-name-real-steps 11:5",
    ),
    book(
        "checkpoint-at-step-zero",
        "risk: low",
        "human_checkpoints:\n  - After step 0 look\nrisk: low",
        "checkpoints-name-real-steps 11:5",
    ),
    book("high-risk-without-checkpoint", "risk: low", "risk: high", "risk-has-checkpoints 10:1"),
    added("vendor-without-name", _EVIDENCE.format(page="1") + "    account: vendor\n", "vendors-are-named 19:5"),
    added(
        "vendor-of-no-vendor-account", _EVIDENCE.format(page="2") + "    vendor: Anthropic\n", "vendors-are-named 24:5"
    ),
    added(
        "address-twice",
        _EVIDENCE.format(page="3") + _EVIDENCE.format(page="3").partition("\n")[2],
        "addresses-stand-once 25:5",
    ),
    book(
        "check-repeats-the-step",
        "check: It failed at least once.",
        "check: reproduce it",
        "checks-say-something-new 16:5",
        "checks-can-be-observed 16:5",
    ),
    book(
        "two-steps-of-one-title",
        "updated:",
        "  - title: reproduce it\n    detail: Again.\n    check: It was seen 2 times.\nupdated:",
        "steps-have-different-titles 17:5",
    ),
    book("prompt-too-short", prompt_of("prompt-too-short"), "Do it.", "prompts-have-a-good-length 12:1"),
    book("prompt-too-long", "Find out", "Find " + "out " * 200, "prompts-have-a-good-length 12:1"),
    book(
        "hollow-check",
        "check: It failed at least once.",
        "check: Make sure it failed once.",
        "checks-are-not-hollow 16:5",
    ),
    book("nothing-to-observe", "check: It failed at least once.", "check: Good.", "checks-can-be-observed 16:5"),
    book(
        "copied-sentence",
        "summary: Find the cause of a flaky test, remove it.",
        "summary: One sentence of more than ten words that stands in another playbook too.",
        "sentences-are-our-own 5:1",
        beside={
            "playbooks/another-copied-sentence.yaml": titled(PLAYBOOK, "Another copied sentence").replace(
                "cost: Mostly tokens", "cost: One sentence of more than ten words that stands in another playbook too."
            )
        },
    ),
    book("variable-in-capitals", "{{repository}}", "{{Repository}}", "variables-are-named 12:1"),
    book("variable-not-closed", "{{repository}}", "{{repository", "variables-are-named 12:1"),
    added(
        "input-of-no-prompt",
        "inputs:\n  - name: repo\n    meaning: A folder.\n    example: app\n    where: Your disk.\n",
        "inputs-stand-in-a-prompt 19:5",
    ),
    added(
        "input-twice",
        "inputs:\n" + 2 * "  - name: repository\n    meaning: A folder.\n    example: app\n    where: Your disk.\n",
        "inputs-stand-in-a-prompt 23:5",
    ),
    added("long-essence", f"essence: {'Do it. ' * 46}\n", "essences-are-short 18:1"),
    added("minutes-go-down", 'minutes:\n  from: "90"\n  to: "30"\n  depends_on: The case.\n', "minutes-go-up 18:1"),
    added(
        "variant-of-another-agent",
        _VARIANT.format(agent="aider", prompt=prompt_of("of another agent")),
        "variants-apply 19:5",
        beside={"agents/aider.yaml": AGENT},
    ),
    added(
        "variant-is-the-prompt",
        _VARIANT.format(agent="claude-code", prompt=prompt_of("variant-is-the-prompt")),
        "variants-apply 20:5",
    ),
    added("deprecated-without-reason", "status: deprecated\n", "status-is-explained 18:1"),
    added("active-and-replaced", "replaced_by: fix-flaky-tests\n", "status-is-explained 18:1"),
    added("names-itself", "related:\n  - names-itself\n", "names-others 19:5"),
    run(
        "run-in-the-wrong-folder",
        "agent: claude-code",
        "agent: claude-code",
        "runs-lie-with-their-playbook 1:1",
        folder="elsewhere",
    ),
    run(
        "run-of-unknown-playbook",
        "playbook: fix-flaky-tests",
        "playbook: no-such-book",
        "runs-belong 1:1",
        folder="no-such-book",
    ),
    Case(
        "run-of-a-draft",
        "runs/later/run_1.yaml",
        RUN.replace("fix-flaky-tests", "later").encode(),
        ("no-draft-is-needed 1:1",),
        beside={"playbooks/later.yaml": "status: draft\n"},
        says=("'later' is a draft",),
    ),
    run(
        "verified-without-reporter",
        "agent: claude-code",
        "agent: claude-code\nverified: true",
        "verified-runs-have-a-reporter 4:1",
    ),
    run(
        "created-after-its-report",
        "agent: claude-code",
        "agent: claude-code\ncontributor_since: 2026-11-11",
        "verified-runs-have-a-reporter 4:1",
    ),
    run("pending-run", "outcome: worked", "outcome: worked\nstatus: pending", "runs-in-content-were-approved 5:1"),
    run("run-in-the-future", "2026-11-10T12", "2026-11-21T12", "dates-are-past 5:1"),
    run("run-before-the-year-one", "2026-11-10T12:00:00Z", "0001-01-01T00:00:00+14:00", "timestamp 5:1"),
    run("run-without-zone", "2026-11-10T12:00:00Z", "2026-11-10T12:00:00", "timestamp 5:1"),
    run("version-too-short", "0a1b2c3d4e5f", "0a1b2c3d4e5", "string-pattern-mismatch 2:1"),
    run("minutes-in-words", "outcome: worked", "outcome: worked\nduration_minutes: an hour", "int-parsing 5:1"),
    run("less-than-no-minutes", "outcome: worked", "outcome: worked\nduration_minutes: -1", "greater-than-equal 5:1"),
    Case(
        "synonyms-of-no-use",
        "synonyms.yaml",
        b"synonyms:\n  - words: [k8s, of the, K8S, one two three words more than six make a phrase]\n"
        b"    mean: [kubernetes, the]\n",
        (
            "synonyms-can-be-met 2:18",
            "synonyms-can-be-met 2:26",
            "synonyms-can-be-met 2:31",
            "synonyms-can-be-met 3:24",
        ),
        says=("'of the' holds only words", "'K8S' says the same", "more than 6 words"),
    ),
)
