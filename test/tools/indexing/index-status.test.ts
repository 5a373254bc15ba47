import { expect, test } from "vitest";

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
