import { expect, test } from "vitest";

import { contentVersion } from "../../../src/engine/changes/content-versions.ts";

test("the same content of a file is parsed once", async () => {
  const text = "export function open(): void {}\n";
  const first = await contentVersion("src/a.ts", text);
  expect(first.fingerprints.symbols).toHaveLength(1);
  expect(await contentVersion("src/a.ts", text)).toBe(first);
  expect(await contentVersion("src/a.ts", `${text}\nopen();\n`)).not.toBe(first);
  const other = await contentVersion("src/a.txt", text);
  expect(other.fingerprints.symbols).toEqual([]);
});

test.each([undefined, "a\0b", "x".repeat(2 ** 20 + 1)])("no text: %#", async (text) => {
  expect(await contentVersion("src/a.ts", text)).toMatchObject({ hash: "" });
});
