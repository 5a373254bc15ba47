import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { memoryMachine } from "../credential-machine.ts";

test("svc install --with-rules writes the skill of Claude Code, and svc uninstall removes it", async () => {
  const { svc, home } = memoryMachine();
  const skill = join(home, ".claude/skills/svc/SKILL.md");
  expect((await svc("install", "claude-code")).code).toBe(0);
  expect(existsSync(skill)).toBe(false);
  const { code, out } = await svc("install", "claude-code", "--with-rules");
  expect([code, out]).toEqual([0, expect.stringContaining(`Added rules for agents: ${skill}\n`)]);
  expect(readFileSync(skill, "utf8")).toContain("`search_context`");
  const removed = await svc("uninstall", "claude-code");
  expect(removed.out).toContain(`Removed the rules for agents: ${skill}\n`);
  expect(existsSync(skill)).toBe(false);
});

test("--json has the file and its state; changed rules stay, also after svc uninstall", async () => {
  const { json, svc, root } = memoryMachine();
  const file = join(root, ".cursor/rules/svc.mdc");
  expect(await json("install", "cursor", "--project", "--with-rules")).toMatchObject({
    rules: { file, state: "added" },
  });
  const changed = readFileSync(file, "utf8").replace("Search with svc", "Search with svc, please");
  writeFileSync(file, changed);
  const { out } = await svc("uninstall", "cursor", "--project");
  expect(out).toContain(
    `You have changed the rules of svc, so svc leaves them unchanged: ${file}\n`,
  );
  expect(readFileSync(file, "utf8")).toBe(changed);
});

test("a client without rules is refused before anything is written", async () => {
  const { svc, home, root } = memoryMachine();
  const { code, err } = await svc("install", "windsurf", "--with-rules", "--root", root);
  expect([code, err]).toEqual([2, expect.stringContaining("Omit --with-rules.")]);
  expect(existsSync(join(home, ".codeium"))).toBe(false);
  const both = await svc("install", "claude-code", "--with-rules", "--print");
  expect([both.code, both.err]).toEqual([2, expect.stringContaining("Omit one of them.")]);
});
