import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";

import { FILES, tokenProject } from "../token-project.ts";

const { call, root } = tokenProject();

test("index_status has the shape of the product decisions", async () => {
  const { outcome } = await call("index_status", { detail: "skipped" });
  const total = Object.keys(FILES).length;
  expect(outcome.structured).toEqual({
    namespaces: [
      {
        name: expect.any(String),
        state: "ready",
        generation: 1,
        sources: [{ root: root(), prefix: "", available: true }],
        files: Object.keys(FILES).length,
        chunks: expect.any(Number),
        symbols: expect.any(Number),
        bytes: Object.values(FILES).reduce((sum, text) => sum + text.length, 0),
        stages: ["list", "words", "syntax"].map((name) => ({ name, done: total, total })),
        skipped: {},
        skipped_files: [],
        indexed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        looked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        last_run: { by: "index", process: process.pid, warnings: [] },
        freshness: { mode: "asked", pid: null, folders: 0 },
      },
    ],
  });
});

test("the project of the workspace comes first, whatever it is called", async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-test-first-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, "a.ts"), "export {};\n");
  await call("index_source", { source: folder, namespace: "0-first" });
  const { outcome } = await call("index_status", {});
  const { namespaces } = v.parse(
    v.object({ namespaces: v.array(v.object({ name: v.string() })) }),
    outcome.structured,
  );
  expect(namespaces.map(({ name }) => name)).toEqual([expect.not.stringMatching(/^0-/), "0-first"]);
});
