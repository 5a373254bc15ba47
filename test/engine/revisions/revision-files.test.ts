import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { found, history, indexedRepository } from "../../helpers/indexed-repository.ts";

test("names of secrets, what the owner excludes and documents are left out", async () => {
  const { engine } = await indexedRepository(
    (repository) => {
      const text = "retryToken = 1\n";
      repository.commit({ ".env": text, "private/a.py": text, "b.pdf": text, "src/c.py": text });
      repository.git("tag", "v1");
      repository.commit({ "src/c.py": "x = 1\n" });
    },
    { exclude: ["private/"] },
  );
  expect(await found(engine, "retryToken", "v1")).toEqual(["src/c.py:1-1"]);
});

test("a path that leads out of the tree is not written", async () => {
  const { engine, path } = await indexedRepository((repository) => {
    history(repository);
    const blob = repository.git("rev-parse", "HEAD:src/upload.js");
    const other = repository.git("rev-parse", "HEAD:lib/part0.js");
    const treeOf = (entry: string): string =>
      execFileSync("git", ["mktree"], {
        cwd: repository.path,
        input: entry,
        encoding: "utf8",
      }).trim();
    const evil = treeOf(`100644 blob ${blob}\tevil.js\n`);
    const root = treeOf(
      `040000 tree ${evil}\t..\n100644 blob ${other}\tC:\\x.js\n100644 blob ${blob}\tgood.js\n`,
    );
    repository.git("tag", "evil", repository.git("commit-tree", root, "-m", "evil"));
  });
  expect(await found(engine, "handleUpload", "evil")).toEqual(["good.js:1-3"]);
  expect(await found(engine, "part0", "evil")).toEqual(["C:\\x.js:1-1"]);
  expect(existsSync(join(path, "../evil.js"))).toBe(false);
});
