import { readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { HistoryTree } from "../../../bench/impact/history-tree.ts";
import { GitHistoryCache } from "../../../src/sources/git-history.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { tree } from "../../helpers/tree.ts";

test("at each commit files, index and history are those of that commit", async () => {
  const { path, dispose, commit } = gitRepository();
  onTestFinished(dispose);
  const first = commit({ "a.ts": "export const one = 1;\n", "lib/b.ts": "export const b = 1;\n" });
  const second = commit({ "a.ts": "export const two = 2;\n", "lib/b.ts": undefined });
  commit({ "a.ts": "export const three = 3;\n", "c.ts": "" });
  const folder = tree();
  onTestFinished(folder.dispose);
  const histories = new GitHistoryCache();
  onTestFinished(() => histories.close());
  const moved = new HistoryTree(join(path, ".git"), join(folder.path, "moved"));
  const seen = [];
  for (const id of [second, first]) {
    const { reader } = await moved.moveTo(id);
    const { history } = await histories.of(moved, new AbortController().signal);
    seen.push({
      files: readdirSync(moved.root).filter((name) => name !== ".git"),
      symbols: (await reader.symbolsOf("a.ts")).map(({ name }) => name),
      commits: history?.commits,
      since: ["a.ts", "lib/b.ts", "c.ts"].map((file) => history?.commitsSince(file)),
    });
  }
  moved.close();

  expect(seen).toEqual([
    { files: ["a.ts"], symbols: ["two"], commits: 2, since: [0, 0, undefined] },
    { files: ["a.ts", "lib"], symbols: ["one"], commits: 1, since: [0, 0, undefined] },
  ]);
  expect(readdirSync(folder.path)).toEqual([]);
});
