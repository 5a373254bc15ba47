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

test("a pager that reads much, and one that fails later, are not repeated on the terminal", async () => {
  const io = createMemoryIo({ isTerminal: true, rows: 3 });
  const output = new PagedOutput(io, "cat > /dev/null; exit 127");
  const paged = output.asIo();
  for (let at = 0; at < 40; at += 1) {
    paged.out("a line of text\n".repeat(5000));
    // oxlint-disable-next-line no-await-in-loop -- as a command does, after each page
    await paged.flush();
  }
  await output.end();
  expect(io.stdout().length).toBe(0);
});
