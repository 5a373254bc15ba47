import { expect, test } from "vitest";

import { requireClient } from "../../src/clients/find-client.ts";
import { requireRulesTarget, RULES_FILES, rulesTarget } from "../../src/clients/rules-target.ts";

const MACHINE = { platform: "linux", home: "/home/ann", env: {} } as const;

test.each([
  ["claude-code", "/home/ann/.claude/skills/svc/SKILL.md"],
  ["codex", "/home/ann/.codex/AGENTS.md"],
  ["gemini", "/home/ann/.gemini/GEMINI.md"],
  ["opencode", "/home/ann/.config/opencode/AGENTS.md"],
  ["cursor", undefined],
  ["vscode", undefined],
])("%s reads its rules for all projects from %s", (id, path) => {
  const target = { client: requireClient(id), scope: "user", below: undefined } as const;
  expect(rulesTarget(target, MACHINE)?.path).toBe(path);
});

test.each([
  ["claude-code", "/p/.claude/skills/svc/SKILL.md"],
  ["cursor", "/p/.cursor/rules/svc.mdc"],
  ["codex", undefined],
])("%s reads those of a project from %s", (id, path) => {
  const target = { client: requireClient(id), scope: "project", below: "/p" } as const;
  expect(rulesTarget(target, MACHINE)?.path).toBe(path);
});

test("the folder that a client's variable names comes first, and $XDG_CONFIG_HOME counts", () => {
  const env = {
    CLAUDE_CONFIG_DIR: "/c",
    CODEX_HOME: "/x",
    GEMINI_CLI_HOME: "/g",
    XDG_CONFIG_HOME: "/o",
  };
  const paths = ["claude-code", "codex", "gemini", "opencode"].map((id) => {
    const target = { client: requireClient(id), scope: "user", below: undefined } as const;
    return rulesTarget(target, { ...MACHINE, env })?.path;
  });
  expect(paths).toEqual([
    "/c/skills/svc/SKILL.md",
    "/x/AGENTS.md",
    "/g/.gemini/GEMINI.md",
    "/o/opencode/AGENTS.md",
  ]);
});

test("a client without such a file is refused with those that have one", () => {
  const target = { client: requireClient("cursor"), scope: "user", below: undefined } as const;
  expect(() => requireRulesTarget(target, MACHINE)).toThrow(
    expect.objectContaining({
      code: "USAGE",
      detail:
        "Cursor has no rules file for all projects that svc knows. Omit --with-rules. These clients have one: claude-code, codex, gemini, opencode.",
    }),
  );
  for (const id of Object.keys(RULES_FILES)) expect(requireClient(id).id).toBe(id);
});
