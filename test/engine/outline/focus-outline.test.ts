import { afterAll, beforeAll, expect, test } from "vitest";

import type { FolderOutline, OutlineRequest } from "../../../src/engine/api/outline.ts";
import { outlineText } from "../../../src/engine/outline/outline-text.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";

const UPLOADS = {
  "src/core.ts": "export class Core {}\nexport function run(core: Core) {}\n",
  "src/a.ts": 'import { Core, run } from "./core.ts";\nrun(new Core());\nexport const a = 1;\n',
  "src/b.ts": 'import { Core, run } from "./core.ts";\nrun(new Core());\nexport const b = 1;\n',
  "src/net/upload.ts":
    "export function first() {}\nexport function second() {}\nexport function third() {}\n" +
    "export function fourth() {}\n\n/** Sends a file again after an error. */\nfunction retryUpload(file: string) {}\n",
  "test/upload.test.ts":
    "// Uploads are sent again after an error.\ntest('retry of uploads', () => {});\n",
  "docs/uploads.md": "# Uploads\n\n## Retries\n\nAn upload is sent again three times.\n",
};

let project: Project;

beforeAll(async () => {
  project = createProject(UPLOADS);
  await project.engine.index(request());
});

afterAll(() => project.dispose());

async function outline(more: Partial<OutlineRequest> = {}): Promise<FolderOutline> {
  const asked = { ...request(), maxTokens: 2000, ...more };
  const { outline: found } = await project.engine.outline(asked);
  if (found.kind !== "folder") throw new Error("not a folder");
  return found;
}

async function text(more: Partial<OutlineRequest>): Promise<string> {
  return outlineText(await outline(more));
}

test("a query puts the files and definitions that it is about first, also private ones, tests and headings", async () => {
  const asked = await outline({ query: "retry uploads after an error" });
  const shown = asked.folders.flatMap((folder) => folder.shown);
  expect(asked.folders[0]?.path).not.toBe("src");
  const upload = shown.find(({ path }) => path === "src/net/upload.ts");
  expect(upload?.symbols[0]?.name).toBe("retryUpload");
  const docs = shown.find(({ path }) => path === "docs/uploads.md");
  expect(docs?.symbols.map(({ name }) => name)).toContain("Retries");
  // Without a focus, the rank decides.
  const plain = await outline();
  expect(plain.folders[0]?.shown[0]?.path).toBe("src/core.ts");
});

test("in a small budget a query leaves what it is about, within the folder", async () => {
  const query = "retry uploads after an error";
  expect(await text({ path: "src", query, maxTokens: 100 })).toContain("retryUpload");
  expect(await text({ path: "src", query })).not.toContain("docs/");
});

test("the same index and question give the same outline", async () => {
  const query = "uploads";
  expect(await text({ query })).toBe(await text({ query }));
});
