import { beforeAll, expect, test } from "vitest";

import type { Grammars } from "../../src/parse/syntax.ts";
import { sharedGrammars } from "../chunk/helpers.ts";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await sharedGrammars();
});

// The parser reads 5119 code units at a time.
test.each([5110, 5117, 5118, 5119, 5120, 10_237, 10_238, 300_000])(
  "a surrogate pair after %d code units is read as one character",
  (length) => {
    const text = `["${"x".repeat(length - 2)}😀", "é"]`;
    const parsed = grammars.parse("json", text, (root) => ({
      hasError: root.hasError,
      isWhole: root.text === text,
      ends: root.child(0)?.namedChildren.map(({ endIndex }) => endIndex),
    }));
    const expected = { hasError: false, isWhole: true, ends: [length + 3, length + 8] };
    expect(parsed).toEqual({ value: expected });
  },
);

test("a shorter text after a longer one has its own end", () => {
  const long = grammars.parse("json", `[${"1, ".repeat(9000)}1]`, (root) => root.hasError);
  const short = grammars.parse("json", "[2]", (root) => root.endIndex);
  expect(long).toEqual({ value: false });
  expect(short).toEqual({ value: 3 });
});
