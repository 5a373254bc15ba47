import { expect, test } from "vitest";

import type { NamespaceStatus } from "../../../src/engine/api/status.ts";
import { statusText } from "../../../src/tools/indexing/status-text.ts";

function status(name: string, more: Partial<NamespaceStatus> = {}): NamespaceStatus {
  return {
    name,
    state: "ready",
    generation: 1,
    sources: [{ root: `/src/${name}`, prefix: "", available: true }],
    files: 3,
    chunks: 4,
    symbols: 5,
    bytes: 6,
    stages: [],
    skipped: {},
    skipped_files: [],
    indexed_at: null,
    looked_at: null,
    last_run: null,
    freshness: { mode: "asked", pid: null, folders: 0 },
    ...more,
  };
}

test("of many namespaces the first is described, and those that need attention", () => {
  const all = [status("own"), status("a"), status("b", { state: "degraded" }), status("c")];
  const lines = statusText(all).split("\n");
  expect(lines.filter((line) => !line.startsWith(" "))).toEqual([
    "own: ready, generation 1",
    "a: ready, 3 files, /src/a",
    "b: degraded, generation 1",
    "c: ready, 3 files, /src/c",
    expect.stringContaining("search several at once"),
  ]);
  expect(statusText(all.slice(0, 2))).toContain("a: ready, generation 1");
});
