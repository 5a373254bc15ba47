import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

import { onTestFinished, vi } from "vitest";

/** How often this process has read from a file since. Reads are not changed. */
export function countedReads(): () => number {
  const spies = [vi.spyOn(fs, "readFileSync"), vi.spyOn(fs, "readSync")];
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}
