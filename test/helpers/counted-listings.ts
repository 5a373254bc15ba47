import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

import { onTestFinished, vi } from "vitest";

/** How many folders at or below `root` this process has listed since. Listings are not changed. */
export function countedListings(root: string): () => number {
  const spy = vi.spyOn(fs, "readdirSync");
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return () => spy.mock.calls.filter(([path]) => String(path).startsWith(root)).length;
}
