import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";
import type { SearchRequest } from "../../src/engine/api/search.ts";
import { workspaceRoot } from "../../src/engine/workspace.ts";
import { createProject, request, SEARCH, type Project } from "../helpers/project.ts";
import { tree } from "../helpers/tree.ts";

function notIndexed(...args: Parameters<typeof createProject>): Project {
  const project = createProject(args[0], { onDisk: true, ...args[1] });
  onTestFinished(project.dispose);
  return project;
}

function search({ engine }: Project, query: string, more: Partial<SearchRequest> = {}) {
  return engine.search({ query, ...SEARCH, ...request(), ...more });
}

function failure(code: string, message: RegExp = /./): unknown {
  return expect.objectContaining({ code, message: expect.stringMatching(message) });
}

test("the root of the file system and the home directory cannot be a workspace", async () => {
  const home = tree({ "work/a.md": "aardvark\n" });
  onTestFinished(home.dispose);
  const work = join(home.path, "work");
  const rootOf = (root: string | undefined, workingDirectory = work): string =>
    workspaceRoot({ root, workingDirectory, home: home.path });
  expect(rootOf(undefined)).toBe(work);
  expect(rootOf(work, "/")).toBe(work);
  for (const [root, directory] of [
    ["/", work],
    [home.path, work],
    [undefined, "/"],
    [undefined, home.path],
  ] as const) {
    expect(() => rootOf(root, directory)).toThrow(failure("NO_WORKSPACE", /too wide/));
  }
  expect(() => rootOf(join(home.path, "nothing"))).toThrow(failure("PATH_NOT_FOUND"));
});

test("neither is indexed when a call names it, also by another path", async () => {
  const project = notIndexed({ "a.md": "a\n" });
  const alias = join(project.data, "alias");
  symlinkSync(project.home, alias);
  for (const source of ["/", project.home, alias, `${project.home}/../home/`]) {
    await expect(project.engine.index({ ...request(), source })).rejects.toThrow(
      failure("NO_WORKSPACE"),
    );
  }
});

test("without a workspace, every query reports how to name one", async () => {
  const project = notIndexed(
    {},
    { workspace: () => workspaceRoot({ root: "/", workingDirectory: "/", home: "/" }) },
  );
  await expect(search(project, "aardvark")).rejects.toThrow(failure("NO_WORKSPACE"));
  project.engine.startBackground();
  await vi.waitFor(() =>
    expect(project.log.map(({ level, message }) => `${level} ${message}`)).toEqual([
      "warn no workspace",
    ]),
  );
  expect(await project.engine.status({ ...request(), detail: "summary" })).toEqual([]);
});
