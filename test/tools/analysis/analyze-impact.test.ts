import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { gitRepository } from "../../helpers/git-repository.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";

const USERS = 60;

const FILES = {
  "src/session.ts":
    "export function openSession(caller: string): string {\n  return `session of ${caller}`;\n}\n",
  ...Object.fromEntries(
    Array.from({ length: USERS }, (_, at) => [
      `src/user${at}.ts`,
      `import { openSession } from "./session.ts";\n\nexport function ask${at}(): string {\n  return openSession("${at}");\n}\n`,
    ]),
  ),
  "src/alone.ts": "export function standAlone(): void {}\n",
  "test/session.test.ts":
    'import { openSession } from "../src/session.ts";\n\nopenSession("me");\n',
  "docs/session.md": "# Sessions\n\nCall `openSession` first.\n",
};

let project: Project;

beforeAll(async () => {
  project = createProject(FILES);
  await project.engine.index(request());
});

afterAll(() => project.dispose());

test("the totals come first, then users, tests, entry points and docs", async () => {
  const { items } = await project.tool("analyze_impact", { target: "openSession" });
  const [head, users, tests, entries, docs] = items.map(({ text }) => text);
  expect(head).toBe(
    "openSession (src/session.ts:1-3)\nAffects 60 users in 60 files, 1 test file (depth 3).",
  );
  expect(users).toMatch(/^Users:\n {2}src\/user\d+\.ts {2}ask\d+:4 calls openSession\n/);
  expect(tests).toBe(
    "Tests to run:\n  test/session.test.ts  named after src/session.ts; imports src/session.ts; uses openSession",
  );
  expect(entries).toMatch(/^Entry points:\n {2}src\/user\d+\.ts:3 {2}ask\d+\n/);
  expect(docs).toBe("Docs:\n  docs/session.md:3  names openSession (as code)");
  expect(items[0]?.meta).toMatchObject({
    "dev.svc/impact": { tests: [{ path: "test/session.test.ts" }] },
  });
});

test("the facts are those of what the texts show", async () => {
  const { items } = await project.tool("analyze_impact", {
    target: "openSession",
    max_tokens: 200,
  });
  const users =
    items
      .find(({ text }) => text.startsWith("Users:"))
      ?.text.split("\n")
      .slice(1) ?? [];
  expect(users.length).toBeGreaterThan(1);
  expect(users.length).toBeLessThan(USERS);
  expect(items[0]?.meta).toMatchObject({
    "dev.svc/impact": {
      users: users.map((line) => ({ path: line.trim().split("  ")[0], depth: 1 })),
    },
  });
});

test("users and tests come before what was changed together in old commits", async () => {
  const repository = gitRepository();
  onTestFinished(repository.dispose);
  for (const line of ["1", "2", "3"]) {
    repository.commit({
      ...FILES,
      "src/session.ts": `${FILES["src/session.ts"]}// ${line}\n`,
      "notes/changes.yaml": `change: ${line}\n`,
    });
  }
  const cloned = createProject({}, { workspace: () => repository.path });
  onTestFinished(() => cloned.dispose());
  await cloned.engine.index(request());
  const { items } = await cloned.tool("analyze_impact", { target: "openSession" });
  const titles = items.map(({ text }) => text.split("\n")[0]);
  expect(titles.slice(1, 4)).toEqual(["Users:", "Tests to run:", "Likely to change with it:"]);
  expect(items[3]?.text).toContain("notes/changes.yaml");
});

test.each([100, 200, 500, 2000, 20_000])(
  "%i tokens are a hard cap, and what is left out is counted",
  async (tokens) => {
    const { text } = await project.tool("analyze_impact", {
      target: "openSession",
      max_tokens: tokens,
    });
    expect(text.length).toBeLessThanOrEqual(tokens * 4);
    const shown = text.match(/calls openSession/g)?.length ?? 0;
    const leftOut = Number(/(\d+) files with users/.exec(text)?.[1] ?? 0);
    expect(shown + leftOut).toBe(USERS);
  },
);

test("a target without users has a clear answer", async () => {
  const { text } = await project.tool("analyze_impact", { target: "standAlone", depth: 1 });
  expect(text).toBe(
    "standAlone (src/alone.ts:1-1)\nAffects 0 users in 0 files, 0 test files (depth 1).\nEntry points:\n  src/alone.ts:1  standAlone",
  );
});

test.each([
  [{ target: "" }, "INVALID_PARAMS"],
  [{ target: "openSession", depth: 7 }, "INVALID_PARAMS"],
  [{ target: "working" }, "INVALID_PARAMS"],
  [{ target: "opnSession" }, "SYMBOL_NOT_FOUND"],
])("%j is refused with %s", async (input, code) => {
  await expect(project.tool("analyze_impact", input)).rejects.toThrow(
    expect.objectContaining({ code }),
  );
});
