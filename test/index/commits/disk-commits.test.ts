import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { diskCommits } from "../../../src/index/commits/disk-commits.ts";
import { removeIndexFiles } from "../../../src/index/embedded/remove-index.ts";
import { commitStorageContract } from "../../contract/commits.ts";
import { tree } from "../../helpers/tree.ts";

function dataDirectory(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return path;
}

commitStorageContract(() => diskCommits(dataDirectory()));

test("the files are private, and are removed with the index of the namespace", () => {
  const data = dataDirectory();
  const { storage, lock } = diskCommits(data)("team", "source");
  storage.write("a", [Buffer.from("text")]);
  lock()?.();
  const folder = join(data, "namespaces/team/commits");
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const { mode } = statSync(join(entry.parentPath, entry.name));
    expect([entry.name, mode & 0o077]).toEqual([entry.name, 0]);
  }
  removeIndexFiles(data, "team");
  expect(existsSync(folder)).toBe(false);
});
