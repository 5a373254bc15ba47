import { afterAll, beforeAll, expect, test } from "vitest";

import { createProject, request, type Project } from "../../helpers/project.ts";

const FILES = {
  "src/session.ts":
    "/** Opens a session for a caller. */\nexport function openSession(caller: string): string {\n  return `session of ${caller}`;\n}\n",
  "src/again.ts": "export function closeBoth(): void {}\n",
  "src/second.ts": "export function closeBoth(): number {\n  return 1;\n}\n",
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

test("the target comes first, then each relation with its reasons", async () => {
  const { items } = await project.tool("find_related", { target: "openSession" });
  expect(items.map(({ text }) => text)).toEqual([
    "src/session.ts:1-4  openSession",
    "Similar: no similar code.",
    "Tests:\n  test/session.test.ts:3  named after it; imports session.ts; uses openSession",
    "Docs:\n  docs/session.md:3  Sessions  names openSession (as code)",
    "Changed together: This is not a git repository.",
  ]);
  expect(items[2]?.meta).toEqual({
    "dev.svc/related": {
      relation: "tests",
      items: [
        { path: "test/session.test.ts", startLine: 3, endLine: 3, score: expect.any(Number) },
      ],
    },
  });
});

test("a single relation is one group", async () => {
  const { text } = await project.tool("find_related", {
    target: "src/again.ts",
    relation: "tests",
    limit: 1,
  });
  expect(text).toBe("src/again.ts:1-1\nTests: no test imports it, uses it or is named after it.");
});

test("an ambiguous name lists the other definitions", async () => {
  const { text } = await project.tool("find_related", { target: "closeBoth", relation: "docs" });
  expect(text).toMatch(
    /^src\/\w+\.ts:1-\d {2}closeBoth\nOther definitions of the name: src\/\w+\.ts:1 closeBoth\n/,
  );
});

test.each([
  [{ target: "" }, "INVALID_PARAMS"],
  [{ target: "a", relation: "friends" }, "INVALID_PARAMS"],
  [{ target: "a", limit: 51 }, "INVALID_PARAMS"],
  [{ target: "openSesion" }, "SYMBOL_NOT_FOUND"],
  [{ target: "src/none.ts" }, "PATH_NOT_FOUND"],
])("%j is refused with %s", async (input, code) => {
  await expect(project.tool("find_related", input)).rejects.toThrow(
    expect.objectContaining({ code }),
  );
});
