import { afterAll, beforeAll, expect, test } from "vitest";

import { createProject, request, type Project } from "../../helpers/project.ts";

const FILES: Readonly<Record<string, string>> = {
  "a/store.ts": "export function open(): void {}\n",
  "b/door.ts": "export function open(): void {}\n",
  "b/other.ts": "export function open(): void {}\n",
  "b/user.ts": 'import { open } from "./door.ts";\nexport function run() {\n  open();\n}\n',
  "b/importer.ts": 'import "../a/store.ts";\nexport const x = 1;\n',
  "b/own.ts": "function open(): void {}\nexport const y = open;\n",
  "b/two.ts":
    'import { open as first } from "./door.ts";\nimport { open as second } from "../a/store.ts";\nfirst();\nsecond();\n',
  "lib/open.py": "def open():\n    pass\n",
  "lib/user.py": "x = 1\n",
};
// Most of the project uses this one, so that it comes first without a place.
const USERS = Object.fromEntries(
  Array.from({ length: 5 }, (_, at) => [
    `many/user${at}.ts`,
    'import { open } from "../a/store.ts";\nopen();\n',
  ]),
);

let project: Project;
beforeAll(async () => {
  project = createProject({ ...FILES, ...USERS });
  await project.engine.index(request());
}, 30_000);
afterAll(() => project.dispose());

async function places(near?: string): Promise<readonly string[]> {
  const answer = await project.engine.findSymbols({ ...request(), name: "open", near, limit: 10 });
  return answer.symbols.map(({ path }) => path);
}

test("without a place, the most used definition is first", async () => {
  expect((await places())[0]).toBe("a/store.ts");
});

test.each([
  ["b/user.ts", "b/door.ts", "used in the file"],
  ["b/user.ts:3", "b/door.ts", "used on the line"],
  ["b/own.ts", "b/own.ts", "of the file itself"],
  ["b/importer.ts", "a/store.ts", "of an imported file"],
  ["b/two.ts:3", "b/door.ts", "of two that the file uses, the one of the line"],
  ["b/two.ts:4", "a/store.ts", "of two that the file uses, the one of the other line"],
  ["lib/user.py", "lib/open.py", "of the language"],
])("near %s, the first is %s: %s", async (near, expected) => {
  expect((await places(near))[0]).toBe(expected);
});

test("all definitions are listed, each once, also page by page", async () => {
  const all = await places("b/user.ts");
  expect(all.toSorted()).toEqual((await places()).toSorted());
  const paged: string[] = [];
  for (let cursor: string | undefined; paged.length < all.length;) {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the one before
    const page = await project.engine.findSymbols({
      ...request(),
      name: "open",
      near: "b/user.ts",
      limit: 2,
      cursor,
    });
    paged.push(...page.symbols.map(({ path }) => path));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(paged).toEqual(all);
});

test("a file that is not indexed is refused", async () => {
  await expect(places("b/nothing.ts")).rejects.toThrow("No file");
});
