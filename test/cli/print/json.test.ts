import * as fc from "fast-check";
import { expect, test } from "vitest";

import { hiddenCharacterKinds } from "../../../src/base/hidden-characters.ts";
import { createMemoryIo } from "../../../src/cli/io.ts";
import { printJson, safeJson } from "../../../src/cli/print/json.ts";

test("JSON is printed indented, with a line end", () => {
  const io = createMemoryIo();
  printJson(io, { a: [1] });
  expect(io.stdout()).toBe('{\n  "a": [\n    1\n  ]\n}\n');
});

test("characters that a terminal obeys or hides are escaped, and the value stays the same", () => {
  const text = "a\u009b31m\u007f\u202eb\u200bc\u{e0041}é日";
  const json = safeJson(JSON.stringify(text));
  expect(json).toBe(String.raw`"a\u009b31m\u007f\u202eb\u200bc\udb40\udc41é日"`);
  const risky = fc.constantFrom(
    ...Array.from('\u0000\u001b\u0080\u009b\u007f\u200e\u202e\u2066\ufeff\u200b\u{e0041}a"\\é'),
  );
  fc.assert(
    fc.property(fc.array(risky), (characters) => {
      const value = characters.join("");
      const safe = safeJson(JSON.stringify(value));
      expect(JSON.parse(safe)).toBe(value);
      expect(hiddenCharacterKinds(safe)).toEqual([]);
    }),
  );
});
