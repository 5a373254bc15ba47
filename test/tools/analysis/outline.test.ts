import { afterAll, beforeAll, expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { age } from "../../helpers/indexed-tree.ts";
import { createProject, request, type Project, type ToolAnswer } from "../../helpers/project.ts";

const FILES: Record<string, string> = {
  "src/session.ts": "/** A session. */\nexport class Session {\n  open(): void {}\n}\n",
  "src/use.ts": 'import { Session } from "./session.ts";\nnew Session().open();\n',
  "README.md": "# Project\n\n## Use\n",
};
for (let at = 0; at < 60; at += 1) {
  FILES[`lib/part${at}/file.ts`] = `export function handler${at}(): void {}\n`;
}

let project: Project;
beforeAll(async () => {
  project = createProject(FILES);
  age(project.root);
  await project.engine.index(request());
}, 30_000);
afterAll(() => project.dispose());

function call(input: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
  return project.tool("outline", input);
}

async function refusal(input: unknown): Promise<string> {
  try {
    await project.tool("outline", input);
  } catch (thrown) {
    if (thrown instanceof SvcError) return `${thrown.code}: ${thrown.detail}`;
    throw thrown;
  }
  return "no error";
}

test("a file is one item with the tree of its symbols", async () => {
  const { items, outcome } = await call({ path: "src/session.ts" });
  expect(items).toEqual([
    {
      text: "src/session.ts  typescript, 4 lines\nclass Session  1-4\n  open(): void  3",
      meta: {
        "dev.svc/outline": {
          kind: "file",
          path: "src/session.ts",
          lines: 4,
          symbols: 2,
          leftOut: 0,
        },
      },
    },
  ]);
  expect(outcome).toEqual({ isRepeatable: true });
});

test("without a path it outlines everything, with the shown files in _meta", async () => {
  const { items, text } = await call();
  expect(text).toMatch(
    /^\. {2}63 files, typescript\nsrc\/ {2}2 files, typescript\n {2}session\.ts\n/,
  );
  const shown = /\n(.*) left out/.exec(text) === null;
  expect(shown).toBe(true);
  expect(items[0]?.meta).toMatchObject({
    "dev.svc/outline": {
      kind: "folder",
      path: "",
      files: 63,
      shown: expect.arrayContaining(["src/session.ts"]),
    },
  });
});

test.each([100, 150, 400, 20_000])("the limit of %i tokens is not exceeded", async (max_tokens) => {
  for (const path of ["", "lib", "src/session.ts"]) {
    const { items } = await call({ path, max_tokens });
    const size = items.reduce((sum, { text }) => sum + text.length + 1, 0);
    expect(size).toBeLessThanOrEqual(max_tokens * 4);
  }
});

test.each<[unknown, string]>([
  [{ path: "../x" }, 'PATH_OUTSIDE_SOURCE: "../x" leads out of the source.'],
  [{ path: "/etc" }, 'PATH_OUTSIDE_SOURCE: "/etc" leads out of the source.'],
  [{ path: "sesion.ts" }, 'PATH_NOT_FOUND: No file "sesion.ts".'],
  [{ path: "lib/part" }, 'PATH_NOT_FOUND: No file or folder "lib/part". Nearest: lib/part'],
  [{ depth: 0 }, "INVALID_PARAMS: depth: must be 1 to 20."],
  [{ max_tokens: 99 }, "INVALID_PARAMS: max_tokens: must be 100 to 20000."],
  [
    { name: "a" },
    'INVALID_PARAMS: outline has no argument "name". It takes: path, depth, max_tokens, namespace.',
  ],
  [{ namespace: "nothing" }, 'NAMESPACE_NOT_FOUND: There is no namespace "nothing".'],
])("%j is refused", async (input, expected) => {
  expect(await refusal(input)).toContain(expected);
});

test("two concurrent calls have the same answer", async () => {
  const fresh = createProject(FILES);
  try {
    await fresh.engine.index(request());
    const [one, other] = await Promise.all([fresh.tool("outline", {}), fresh.tool("outline", {})]);
    expect(one.text).toBe(other.text);
  } finally {
    await fresh.dispose();
  }
});
