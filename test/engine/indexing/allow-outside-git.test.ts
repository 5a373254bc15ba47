import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { gitRepository } from "../../helpers/git-repository.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";

/** A repository and a linked worktree of it. */
function linkedWorktree(): { readonly base: string; readonly linked: string } {
  const { path, commit, git, dispose } = gitRepository();
  onTestFinished(dispose);
  commit({ "a.ts": "export const first = 1;\n" });
  commit({ "a.ts": "export const second = 2;\n" });
  git("worktree", "add", "-q", "trees/linked");
  return { base: path, linked: join(path, "trees/linked") };
}

async function problemOf(here: Project, root: string): Promise<string | undefined> {
  const namespaces = await here.engine.status({ detail: "summary", ...request() });
  const sources = namespaces.flatMap((one) => one.sources);
  expect(sources.map((one) => one.root)).toContain(root);
  return sources.find((one) => one.root === root)?.problem;
}

test("the owner who names a linked worktree allows its git directory; a server for others does not", async () => {
  const { linked } = linkedWorktree();
  const owners = createProject({}, {});
  onTestFinished(owners.dispose);
  await owners.tool("index_source", { source: linked, namespace: "linked" });
  expect(await problemOf(owners, linked)).toBeUndefined();
  const served = createProject({}, { indexOnlyBelow: [linked] });
  onTestFinished(served.dispose);
  await served.tool("index_source", { source: linked, namespace: "linked" });
  expect(await problemOf(served, linked)).toContain("outside the folder, so svc does not use it");
});

test("starting the program in a worktree allows its git directory", async () => {
  const { linked } = linkedWorktree();
  const here = createProject({}, { workspace: () => linked });
  onTestFinished(here.dispose);
  here.engine.startBackground();
  await here.tool("index_status", {});
  expect(await problemOf(here, linked)).toBeUndefined();
});

test("a submodule uses its repository as part of its parent, and alone once the owner names it", async () => {
  const { base } = linkedWorktree();
  const parent = gitRepository();
  onTestFinished(parent.dispose);
  const allow = ["-c", "protocol.file.allow=always"];
  execFileSync("git", [...allow, "submodule", "add", "-q", base, "module"], { cwd: parent.path });
  const module = join(parent.path, "module");
  const here = createProject({}, {});
  onTestFinished(here.dispose);
  await here.tool("index_source", { source: parent.path, namespace: "parent" });
  expect(await problemOf(here, parent.path)).toBeUndefined();
  await here.tool("index_source", { source: module, namespace: "module" });
  expect(await problemOf(here, module)).toBeUndefined();
});
