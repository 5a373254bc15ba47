import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeEach, expect, test } from "vitest";

import { RULES_TEXT } from "../../src/clients/rules-text.ts";
import type { RulesTarget } from "../../src/clients/rules-target.ts";
import { installRules, uninstallRules } from "../../src/clients/rules.ts";
import { TOOL_LISTINGS } from "../../src/tools/tool-listings.ts";

const BASE = mkdtempSync(join(tmpdir(), "svc-rules-"));
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

const SKILL: RulesTarget = {
  path: join(BASE, "skills/svc/SKILL.md"),
  form: "skill",
  below: undefined,
};
const SECTION: RulesTarget = { path: join(BASE, "AGENTS.md"), form: "section", below: undefined };

beforeEach(() => {
  for (const name of readdirSync(BASE)) rmSync(join(BASE, name), { recursive: true });
});

function read({ path }: RulesTarget): string {
  return readFileSync(path, "utf8");
}

function plant({ path }: RulesTarget, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

test("the rules name every tool, and no other", () => {
  const named = Array.from(RULES_TEXT.matchAll(/`([a-z_]+)`/g), ([, name = ""]) => name);
  expect(new Set(named)).toEqual(new Set(TOOL_LISTINGS.map(({ name }) => name)));
});

test("a skill has a name and a description, is written once, and is removed with its folder", () => {
  expect(installRules(SKILL)).toEqual({ state: "added", path: SKILL.path });
  expect(read(SKILL)).toMatch(
    /^---\nname: svc\ndescription: Search [^\n:]+\n---\n\n<!-- svc:begin /,
  );
  expect(read(SKILL)).toContain(RULES_TEXT);
  expect(installRules(SKILL).state).toBe("unchanged");
  expect(uninstallRules(SKILL).state).toBe("removed");
  expect(readdirSync(join(BASE, "skills"))).toEqual([]);
  expect(uninstallRules(SKILL).state).toBe("absent");
});

test.each(["# Ours\n\nUse tabs.\n", "", "# Ours\n\n- one\n- two\n\n## More\n\ntext\n"])(
  "a section joins the user's text %j, and leaves it as it was",
  (text) => {
    if (text !== "") plant(SECTION, text);
    expect(installRules(SECTION).state).toBe("added");
    expect(read(SECTION).startsWith(text)).toBe(true);
    expect(installRules(SECTION).state).toBe("unchanged");
    writeFileSync(SECTION.path, `${read(SECTION)}\nWritten later.\n`);
    expect(uninstallRules(SECTION).state).toBe("removed");
    expect(read(SECTION)).toBe(`${text}\nWritten later.\n`);
    writeFileSync(SECTION.path, text);
    installRules(SECTION);
    uninstallRules(SECTION);
    expect(text === "" ? readdirSync(BASE).includes("AGENTS.md") : read(SECTION)).toBe(
      text === "" ? false : text,
    );
  },
);

test("rules of an older svc are updated, and those that the user changed are kept", () => {
  installRules(SECTION);
  const older = read(SECTION)
    .replace(RULES_TEXT, "old rules")
    .replace(/begin \w+/, "begin 3af3fd01c5af34af");
  writeFileSync(SECTION.path, older);
  expect(installRules(SECTION).state).toBe("kept");
  expect(uninstallRules(SECTION).state).toBe("kept");
  expect(read(SECTION)).toBe(older);
  // The sum of "old rules".
  writeFileSync(SECTION.path, older.replace(/begin \w+/, "begin 2166c323fc72d046"));
  expect(installRules(SECTION).state).toBe("changed");
  expect(read(SECTION)).toContain(RULES_TEXT);
});

test("a file that svc did not write, and a link out of the project, are refused and stay", () => {
  plant(SKILL, "---\nname: svc\n---\nMy own.\n");
  expect(() => installRules(SKILL)).toThrow(`${SKILL.path} exists, and svc did not write it.`);
  expect(uninstallRules(SKILL).state).toBe("absent");
  expect(read(SKILL)).toBe("---\nname: svc\n---\nMy own.\n");
  const project = join(BASE, "project");
  mkdirSync(join(project, ".cursor/rules"), { recursive: true });
  plant(SECTION, "outside\n");
  const path = join(project, ".cursor/rules/svc.mdc");
  symlinkSync(SECTION.path, path);
  expect(() => installRules({ path, form: "rule", below: project })).toThrow(
    "leads out of the project",
  );
  expect(read(SECTION)).toBe("outside\n");
});
