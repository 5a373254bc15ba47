import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

const PROGRAM = join(import.meta.dirname, "fixtures/patterns-beside-threads.ts");

/** What a process says that searches for so long while two threads run expressions of their own. */
async function call(durationMs: number): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(durationMs)]);
  return stdout;
}

test("expressions that backtrack do not disturb those that other threads run", async () => {
  // Taking V8's flag back after each run ended the process within a second or two.
  expect(await call(6000)).toBe("still here\n");
}, 60_000);
