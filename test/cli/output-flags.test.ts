import { expect, test } from "vitest";

import { createMemoryIo } from "../../src/cli/io.ts";
import { itemPrinter, requireOneFormat } from "../../src/cli/output-flags.ts";

const OUTPUT = {
  fields: { path: (item: { path: string }) => item.path },
  recordOf: ({ path }: { path: string }) => ({ path, more: 1 }),
};

test("--jsonl prints a record on each line, with escapes for what a terminal obeys", () => {
  const io = createMemoryIo();
  const print = itemPrinter(io, { jsonl: true, format: undefined }, OUTPUT);
  for (const path of ["a.ts", "b\u009b2J\n.ts"]) print?.({ path });
  expect(io.stdout()).toBe('{"path":"a.ts","more":1}\n{"path":"b\\u009b2J\\n.ts","more":1}\n');
});

test("--format prints a line for each", () => {
  const io = createMemoryIo();
  itemPrinter(io, { jsonl: false, format: "<{path}>" }, OUTPUT)?.({ path: "a.ts" });
  expect(io.stdout()).toBe("<a.ts>\n");
});

test("without them there is no printer", () => {
  const flags = { jsonl: false, format: undefined };
  expect(itemPrinter(createMemoryIo(), flags, OUTPUT)).toBeUndefined();
});

test("two formats are refused", () => {
  requireOneFormat({ json: false, jsonl: true, format: undefined });
  expect(() => requireOneFormat({ json: true, filesWithMatches: true })).toThrow(
    expect.objectContaining({
      code: "USAGE",
      detail: expect.stringContaining("--json and --files-with-matches cannot be used together"),
    }),
  );
});
