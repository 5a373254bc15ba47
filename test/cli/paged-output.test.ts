import { expect, test } from "vitest";

import { createMemoryIo } from "../../src/cli/io.ts";
import { PagedOutput } from "../../src/cli/paged-output.ts";

test("a line that is wider than the window takes several rows", async () => {
  const io = createMemoryIo({ isTerminal: true, columns: 10, rows: 4 });
  const output = new PagedOutput(io, "cat > /dev/null");
  output.asIo().out(`${"x".repeat(31)}\n`);
  await output.end();
  expect([io.stdout(), output.closed.aborted]).toEqual(["", true]);
});

test("messages go to standard error if that is no terminal", async () => {
  const io = createMemoryIo({ isTerminal: true, rows: 3 });
  const output = new PagedOutput(io, "cat > /dev/null");
  output.asIo().err("one\ntwo\nthree\nfour\n");
  expect(io.stderr()).toBe("one\ntwo\nthree\nfour\n");
  await output.end();
  expect(output.closed.aborted).toBe(false);
});
