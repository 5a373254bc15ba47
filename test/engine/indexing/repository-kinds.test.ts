// Folders that belong to a repository without a `.git` folder of their own.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { fetchRepository } from "../../../src/providers/git-fetch.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";
import { plant, tree } from "../../helpers/tree.ts";

function fetchingProject(): Project {
  const project = createProject({}, { fetchRepository });
  onTestFinished(project.dispose);
  return project;
}

function repository(files: Readonly<Record<string, string>>): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  created.commit(files);
  return created;
}

function folder(): string {
  const created = tree();
  onTestFinished(created.dispose);
  return created.path;
}

async function index({ engine }: Project, source: string, namespace = "zoo") {
  return engine.index({ ...request(), source, namespace });
}

async function found({ engine }: Project, query: string, namespace = "zoo"): Promise<string[]> {
  const { passages } = await engine.search({ query, ...SEARCH, ...request(), namespace });
  return passages.map(({ path }) => path);
}

test("a linked work tree is a separate source with its own branch", async () => {
  const project = fetchingProject();
  const main = repository({ "a.md": "aardvark\n", ".gitignore": "build/\n" });
  const linked = join(folder(), "linked");
  main.git("worktree", "add", "-q", "-b", "next", linked);
  plant(linked, { "b.md": "badger\n", "build/c.md": "camel\n" });
  await index(project, main.path, "main");
  const { status } = await index(project, linked, "linked");
  expect(status).toMatchObject({ files: 3, sources: [{ root: linked }] });
  expect(await found(project, "badger", "linked")).toEqual(["b.md"]);
  expect(await found(project, "badger", "main")).toEqual([]);
  expect(await found(project, "camel", "linked")).toEqual([]);
}, 60_000);

test("the files of a submodule are indexed with its parent, and only once", async () => {
  const project = fetchingProject();
  const library = repository({ "lib.md": "llama\n", ".gitignore": "out/\n" });
  const main = repository({ "a.md": "aardvark\n" });
  main.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.path, "deps/lib");
  plant(main.path, { "deps/lib/new.md": "newt\n", "deps/lib/out/made.md": "monkey\n" });
  const { status } = await index(project, main.path);
  expect(await found(project, "llama")).toEqual(["deps/lib/lib.md"]);
  expect(await found(project, "newt")).toEqual(["deps/lib/new.md"]);
  expect(await found(project, "monkey")).toEqual([]);
  // Named directly, it is a folder of an existing source.
  const inner = await index(project, join(main.path, "deps/lib"));
  expect(inner).toMatchObject({ source: main.path, status: { files: status.files } });
}, 60_000);

test("a submodule without a checkout is an empty folder", async () => {
  const project = fetchingProject();
  const library = repository({ "lib.md": "llama\n" });
  const main = repository({ "a.md": "aardvark\n" });
  main.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.path, "lib");
  main.commit({});
  const clone = join(folder(), "clone");
  execFileSync("git", ["clone", "-q", main.path, clone]);
  const { status } = await index(project, clone);
  expect(status).toMatchObject({ state: "ready", files: 2 });
}, 60_000);

test("a fetched repository has no submodules", async () => {
  const project = fetchingProject();
  const library = repository({ "lib.md": "llama\n" });
  const main = repository({ "a.md": "aardvark\n" });
  main.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.path, "lib");
  main.commit({});
  await index(project, `file://${main.path}`);
  expect(await found(project, "aardvark")).toEqual(["a.md"]);
  expect(await found(project, "llama")).toEqual([]);
}, 60_000);

test("a separate git directory, a shallow clone and a sparse checkout are indexed", async () => {
  const project = fetchingProject();
  const origin = repository({ "a.md": "aardvark\n", "in/b.md": "badger\n", "out/c.md": "camel\n" });
  origin.commit({ "a.md": "antelope\n" });
  const url = `file://${origin.path}`;
  const at = folder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: at, stdio: "ignore" });
  git("clone", "-q", `--separate-git-dir=${join(at, "elsewhere")}`, url, "pointed");
  git("clone", "-q", "--depth=1", url, "shallow");
  git("clone", "-q", "--no-checkout", url, "sparse");
  git("-C", "sparse", "sparse-checkout", "set", "in");
  git("-C", "sparse", "checkout", "-q", "main");
  for (const name of ["pointed", "shallow"]) {
    // eslint-disable-next-line no-await-in-loop -- sequential
    expect((await index(project, join(at, name), name)).status).toMatchObject({ files: 3 });
  }
  expect((await index(project, join(at, "sparse"), "sparse")).status).toMatchObject({ files: 2 });
  expect(await found(project, "camel", "sparse")).toEqual([]);
  expect(await found(project, "camel", "shallow")).toEqual(["out/c.md"]);
  // A shallow repository can also be fetched.
  await index(project, `file://${join(at, "shallow")}`, "again");
  expect(await found(project, "antelope", "again")).toEqual(["a.md"]);
}, 120_000);

test("a folder with a pointer to a missing git directory is a plain folder", async () => {
  const project = fetchingProject();
  const main = repository({ "a.md": "aardvark\n" });
  const linked = join(folder(), "linked");
  main.git("worktree", "add", "-q", linked);
  rmSync(join(main.path, ".git/worktrees"), { recursive: true });
  await index(project, linked);
  expect(await found(project, "aardvark")).toEqual(["a.md"]);
}, 60_000);
