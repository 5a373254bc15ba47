import { expect, onTestFinished, test } from "vitest";

import type { DriftRequest, DriftResult } from "../../../src/engine/api/drift.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";
import { tree } from "../../helpers/tree.ts";

type Limits = Partial<Pick<DriftRequest, "since" | "path" | "limit" | "deadline">>;

interface Opened extends GitRepository {
  readonly project: Project;
  /** Indexes the work tree and finds outdated documentation. */
  readonly drift: (limits?: Limits) => Promise<DriftResult>;
}

function opened(): Opened {
  const repository = gitRepository();
  const project = createProject({}, { workspace: () => repository.path });
  onTestFinished(async () => {
    await project.dispose();
    repository.dispose();
  });
  const drift: Opened["drift"] = async (limits) => {
    await project.engine.index(request());
    return project.engine.drift({ ...request(), limit: 100, waitMs: 60_000, ...limits });
  };
  return { ...repository, project, drift };
}

/** `path:line name became commit` of each. */
function found({ statements }: DriftResult): readonly string[] {
  return statements.map(
    ({ path, line, name, became, removed }) =>
      `${path}:${line} ${name} ${became || "-"} ${removed.subject}`,
  );
}

const CODE = [
  "export function readBlobs(maxBytes) {",
  "  return maxBytes;",
  "}",
  "export function keepOpen() {}",
  'const flags = ["--dry-run", "--verbose"];',
  "",
].join("\n");
const PAGE = [
  "# Reading",
  "",
  "Call `readBlobs()` and `keepOpen()`; `thirdParty()` is not ours.",
  "",
  "## Flags",
  "",
  "Give `--dry-run` or `--verbose`. See [the code](../src/read.js) and [more](more.md).",
  "",
].join("\n");

test("what a commit removed is found with its section, its commit and what it became", async () => {
  const { commit, drift } = opened();
  commit({ "src/read.js": CODE, "docs/page.md": PAGE, "docs/more.md": "More.\n" }, "Begin");
  expect(found(await drift())).toEqual([]);
  const renamed = commit({ "src/read.js": CODE.replace("readBlobs", "readAll") }, "Rename it");
  commit(
    { "src/read.js": CODE.replace("readBlobs", "readAll").replace('"--dry-run", ', "") },
    "Drop the flag",
  );
  commit({ "docs/more.md": undefined, "docs/other.md": "More.\n" }, "Move a page");
  const result = await drift();
  expect(found(result)).toEqual([
    "docs/page.md:3 readBlobs readAll Rename it",
    "docs/page.md:7 --dry-run - Drop the flag",
    "docs/page.md:7 docs/more.md docs/other.md Move a page",
  ]);
  expect(result.statements[0]).toMatchObject({
    section: "Reading",
    kind: "name",
    text: "readBlobs()",
    removed: {
      commit: renamed,
      path: "src/read.js",
      authoredAt: expect.stringMatching(/^2026-01/),
    },
  });
  expect(result.statements[1]?.section).toBe("Reading > Flags");
  expect([result.checked.pages, result.partial, result.hasMore]).toEqual([2, [], false]);
});

test("reading commits takes no time from the search for pages and names", async () => {
  const { commit, drift } = opened();
  commit({ "a.js": CODE, "README.md": "`keepOpen()` and `readBlobs()`\n" });
  commit({ "a.js": CODE.replace("readBlobs", "readAll") }, "Rename it");
  const late = await drift({ deadline: 0 });
  expect(found(late)).toEqual(["README.md:1 readBlobs readAll Rename it"]);
  expect(late.partial).toEqual([]);
});

test("renames are followed to the current name", async () => {
  const { commit, drift } = opened();
  commit({ "a.js": CODE, "README.md": "Call `readBlobs()`.\n" });
  commit({ "a.js": CODE.replace("readBlobs", "readSome") }, "One");
  commit({ "a.js": CODE.replace("readBlobs", "readAll") }, "Two");
  expect(found(await drift())).toEqual(["README.md:1 readBlobs readAll One"]);
});

test("a name that any code has, that no page had, or that was never defined fits", async () => {
  const { commit, drift } = opened();
  commit({ "a.js": CODE, "b.js": "// see keepOpen\n", "README.md": "Call `keepOpen()`.\n" });
  commit({ "a.js": "" });
  // `readBlobs` was not documented when it was removed.
  commit({ "README.md": "Call `keepOpen()`, `readBlobs()` and `otherThing()`.\n" });
  expect(found(await drift())).toEqual([]);
});

test("a name in a file that is not indexed fits", async () => {
  const { commit, drift } = opened();
  const large = `${"// padding\n".repeat(200_000)}keepOpen();\n`;
  commit({ "a.js": CODE, "large.js": large, "README.md": "`keepOpen()` and `readBlobs()`\n" });
  commit({ "a.js": "" }, "Remove them");
  expect(found(await drift())).toEqual(["README.md:1 readBlobs - Remove them"]);
});

test("a changelog, and a sentence about the removal, fit", async () => {
  const { commit, drift } = opened();
  const pages = {
    "CHANGELOG.md": "`readBlobs()` reads.\n",
    "README.md": "`readBlobs()` was removed in 2.0.\n",
  };
  commit({ "a.js": CODE, ...pages });
  commit({ "a.js": "" });
  expect(found(await drift())).toEqual([]);
});

test("a parameter is reported only next to other names of its file", async () => {
  const { commit, drift } = opened();
  commit({
    "a.js": CODE,
    "b.md": "`maxBytes` of `readBlobs()`.\n",
    "c.md": "`maxBytes` of a disk.\n",
  });
  commit({ "a.js": "" }, "Remove it");
  const result = await drift();
  expect(found(result)).toEqual(["b.md:1 maxBytes - Remove it", "b.md:1 readBlobs - Remove it"]);
});

function example(...lines: readonly string[]): string {
  return `\`\`\`py\n${lines.join("\n")}\n\`\`\`\n`;
}

test("a name in an example needs another one of its file, and its own module", async () => {
  const { commit, drift } = opened();
  commit({
    "blobs/read.py": "def read_blobs():\n    pass\n\n\ndef keep_open():\n    pass\n",
    "a.md": example("blobs.read_blobs(3)"),
    "b.md": example("blobs.read_blobs(3)", "blobs.keep_open(3)"),
    "d.md": example("from blobs.read import read_blobs", "read_blobs(3)"),
    "c.md": example("from other import read_blobs, keep_open", "read_blobs(keep_open)"),
  });
  commit({ "blobs/read.py": "def keep_open():\n    pass\n" }, "Remove it");
  expect(found(await drift())).toEqual([
    "b.md:2 read_blobs - Remove it",
    "d.md:2 read_blobs - Remove it",
    "d.md:3 read_blobs - Remove it",
  ]);
});

test("a path that any project may have counts on a page with a path of this one", async () => {
  const { commit, drift } = opened();
  commit({
    "src/old.js": "x();\n",
    "src/new.js": "y();\n",
    "a.md": "Edit `src/old.js`.\n",
    "b.md": "Edit `src/old.js`, not `src/new.js`.\n",
    "c.md": "Edit [it](src/old.js).\n",
  });
  commit({ "src/old.js": undefined }, "Remove it");
  expect(found(await drift())).toEqual([
    "b.md:1 src/old.js - Remove it",
    "c.md:1 src/old.js - Remove it",
  ]);
});

test("names that moved to a new dependency fit", async () => {
  const { commit, drift } = opened();
  commit({
    "a.js": CODE,
    "README.md": "Call `readBlobs()`.\n",
    "package.json": '{ "dependencies": {\n} }\n',
  });
  commit({ "a.js": "", "package.json": '{ "dependencies": {\n"blobs": "^1.0.0"\n} }\n' });
  expect(found(await drift())).toEqual([]);
});

test("since, path and limit narrow the answer", async () => {
  const { commit, drift } = opened();
  commit({
    "a.js": CODE,
    "README.md": "`readBlobs()` and `keepOpen()`.\n",
    "b.md": "`keepOpen()`\n",
  });
  const first = commit({ "a.js": CODE.replace(/function readBlobs/, "function other") }, "First");
  commit({ "a.js": "" }, "Second");
  expect(found(await drift())).toHaveLength(3);
  expect(found(await drift({ since: first }))).toEqual([
    "README.md:1 keepOpen - Second",
    "b.md:1 keepOpen - Second",
  ]);
  expect(found(await drift({ since: "2026-01-03T00:00:00Z" }))).toHaveLength(2);
  expect(found(await drift({ path: "b.md" }))).toEqual(["b.md:1 keepOpen - Second"]);
  const limited = await drift({ limit: 1 });
  expect([limited.statements.length, limited.hasMore]).toEqual([1, true]);
  await expect(drift({ since: "v9" })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
});

test("a folder without a repository is an error with a remedy", async () => {
  const { path, dispose } = tree({ "README.md": "`readBlobs()`\n" });
  const project = createProject({}, { workspace: () => path });
  onTestFinished(async () => {
    await project.dispose();
    dispose();
  });
  await project.engine.index(request());
  await expect(
    project.engine.drift({ ...request(), limit: 5, waitMs: 60_000 }),
  ).rejects.toMatchObject({
    code: "INVALID_PARAMS",
    detail: expect.stringContaining("not in a git repository"),
  });
});

test("each source has its own history, and one without a repository is named", async () => {
  const { commit, project, drift } = opened();
  commit({ "a.js": CODE, "README.md": "`keepOpen()`\n" });
  commit({ "a.js": "" }, "Remove it");
  const other = tree({ "notes.md": "`keepOpen()`\n" });
  onTestFinished(other.dispose);
  const { namespace } = await drift();
  await project.engine.index({ ...request(), namespace, source: other.path });
  const result = await drift();
  expect(found(result)).toEqual(["README.md:1 keepOpen - Remove it"]);
  expect(result.partial).toEqual([expect.stringContaining("is not in a git repository")]);
  expect(result.checked.pages).toBe(2);
});

test("secrets in messages and pages are masked", async () => {
  const { commit, drift } = opened();
  const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`.slice(0, 40);
  commit({ "a.js": CODE, "README.md": `Call \`readBlobs(token="${secret}")\`.\n` });
  commit({ "a.js": "" }, `Remove ${secret}`);
  const result = await drift();
  expect(result.statements).toHaveLength(1);
  expect(JSON.stringify(result)).not.toContain(secret);
});
