// Between data directories; test/backend/copy-backend.test.ts copies into databases.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createMachine } from "../../helpers/cli.ts";

test("each copied namespace is one line with its sum, and one that is there already says so", async () => {
  const { svc, root, dispose } = createMachine({ "a.md": "The aardvark sleeps.\n" });
  onTestFinished(dispose);
  const other = mkdtempSync(join(tmpdir(), "svc-copy-"));
  onTestFinished(() => rmSync(other, { recursive: true }));
  const copy = ["backend", "copy", "--from", "files", "--to", other];
  const empty = await svc(...copy);
  expect([empty.code, empty.err]).toEqual([2, expect.stringContaining("Nothing is indexed there")]);
  await svc("index", root, "--namespace", "zoo");
  await svc("index", root, "--namespace", "farm");
  const sum = "[0-9a-f]{32}";
  const first = await svc(...copy);
  expect(first.err).toBe("");
  expect(first.out).toMatch(
    new RegExp(
      `^farm: copied \\(1 files, sum ${sum}\\)\\.\nzoo: copied \\(1 files, sum ${sum}\\)\\.\n$`,
    ),
  );
  const again = await svc(...copy, "--namespace", "zoo");
  expect(again.out).toMatch(/^zoo: equal already \(1 files, /);
  const itself = await svc("backend", "copy", "--from", "files", "--to", "files");
  expect([itself.code, itself.err]).toEqual([2, expect.stringContaining("the same place")]);
});
