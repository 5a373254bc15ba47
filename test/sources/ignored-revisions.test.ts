import { expect, test } from "vitest";

import { repositoryAbove } from "../../src/sources/git.ts";
import { ignoredRevisions } from "../../src/sources/ignored-revisions.ts";
import { plant } from "../helpers/tree.ts";
import { historyRepository, LIMITS } from "./history-repository.ts";

const FILE = ".git-blame-ignore-revs";

test("the file names commits that exist, with comments around them", async () => {
  const { path, git, commit, read } = historyRepository();
  const first = commit({ a: "1" });
  const second = commit({ a: "2" });
  const blob = git("rev-parse", "HEAD:a");
  const repository = repositoryAbove({ root: path });
  if (repository === undefined) throw new Error("no repository");
  const ignored = (): Promise<readonly string[]> =>
    read((run) => ignoredRevisions(run, repository, LIMITS));
  expect(await ignored()).toEqual([]);
  const missing = "f".repeat(40);
  const lines = ["# format", first, `${second} # quotes`, first, missing, blob, "--evil", "HEAD"];
  plant(path, { [FILE]: `${lines.join("\n")}\n` });
  expect(await ignored()).toEqual([first, second]);
});

test("a link to another place is not read", async () => {
  const { path, commit, read } = historyRepository();
  const id = commit({ a: "1" });
  const { symlinkSync } = await import("node:fs");
  plant(path, { named: id });
  symlinkSync("named", `${path}/${FILE}`);
  const repository = repositoryAbove({ root: path });
  if (repository === undefined) throw new Error("no repository");
  expect(await read((run) => ignoredRevisions(run, repository, LIMITS))).toEqual([]);
});
