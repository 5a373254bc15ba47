import { symlinkSync } from "node:fs";
import { basename, join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";
import type { SearchRequest } from "../../src/engine/api/search.ts";
import { projectAround, workspaceRoot } from "../../src/engine/workspace.ts";
import { NO_RECORDS } from "../../src/sources/registry/records.ts";
import { RegistryState } from "../../src/sources/registry/registry-state.ts";
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
    expect(() => rootOf(root, directory)).toThrow(
      failure("NO_WORKSPACE", /does not index as a whole/),
    );
  }
  expect(() => rootOf(join(home.path, "nothing"))).toThrow(failure("PATH_NOT_FOUND"));
});

function registryOf(...roots: readonly string[]): RegistryState {
  return new RegistryState({
    ...NO_RECORDS,
    namespaces: roots.map((root) => ({ name: basename(root), createdAt: "" })),
    sources: roots.map((root, id) => ({
      id,
      namespace: basename(root),
      root,
      prefix: "",
      include: [],
      exclude: [],
      addedAt: "",
    })),
  });
}

test("the project of a path is the repository around it, or the indexed folder", () => {
  const place = tree({
    "repo/.git/HEAD": "ref: refs/heads/main\n",
    "repo/.git/objects/": "",
    "repo/.git/refs/": "",
    "repo/pkg/src/a.ts": "a\n",
    "plain/deep/b.ts": "b\n",
  });
  onTestFinished(place.dispose);
  const at = (path: string): string => join(place.path, path);
  const rootOf = (path: string, registry: RegistryState | undefined, namespace?: string): string =>
    projectAround({ path, workingDirectory: place.path, registry, namespace }).root.slice(
      place.path.length + 1,
    );
  const nothing = registryOf();
  expect(rootOf("repo/pkg/src/a.ts", nothing)).toBe("repo");
  expect(rootOf("repo/pkg", undefined)).toBe("repo");
  expect(rootOf("plain/deep", nothing)).toBe("plain/deep");
  expect(rootOf("plain/deep/b.ts", nothing)).toBe("plain/deep");
  // A part that someone has indexed, unless the whole repository is indexed too.
  expect(rootOf("repo/pkg/src", registryOf(at("repo/pkg")))).toBe("repo/pkg");
  expect(rootOf("repo/pkg/src", registryOf(at("repo/pkg"), at("repo")))).toBe("repo");
  expect(rootOf("repo/pkg/src", registryOf(place.path))).toBe("repo");
  expect(rootOf("plain/deep", registryOf(at("plain")))).toBe("plain");
  expect(rootOf("plain/deep", registryOf(at("plain"), at("plain/deep")))).toBe("plain/deep");
  expect(rootOf("plain/deep", registryOf(at("plain"), at("plain/deep")), "plain")).toBe("plain");
  expect(() => rootOf("plain/dep", nothing)).toThrow(
    failure("PATH_NOT_FOUND", /"plain\/dep" does not exist/),
  );
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
