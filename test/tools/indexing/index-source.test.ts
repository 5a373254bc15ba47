import { expect, test } from "vitest";

import { FILES, tokenProject } from "../token-project.ts";

const { call, root } = tokenProject();

test("index_source returns counts, times and the state", async () => {
  const { outcome } = await call("index_source", { source: root() });
  expect(outcome.structured).toEqual({
    namespace: expect.any(String),
    source: root(),
    state: "ready",
    generation: 1,
    files: Object.keys(FILES).length,
    chunks: expect.any(Number),
    symbols: expect.any(Number),
    done: true,
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: Object.keys(FILES).length,
    skipped: 0,
    warnings: [],
    took_ms: expect.any(Number),
  });
});
