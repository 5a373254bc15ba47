import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { confirm } from "../../src/cli/confirm.ts";
import { createMemoryIo } from "../../src/cli/io.ts";

test.each([
  ["y\n", true],
  ["YES\n", true],
  ["\n", false],
  ["no\n", false],
  ["yesterday\n", false],
  ["", false],
])("at a terminal %j means %s", async (typed, isYes) => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const io = createMemoryIo();
  input.end(typed);
  const { signal } = new AbortController();
  expect(await confirm("Delete it?", { io, signal, input })).toBe(isYes);
  expect(io.stderr()).toBe("Delete it? [y/N] ");
});
