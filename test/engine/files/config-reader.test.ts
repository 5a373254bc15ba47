import { expect, test } from "vitest";

import { configReader } from "../../../src/engine/files/config-reader.ts";
import { memoryTexts } from "../../../src/sources/text/memory-texts.ts";
import { authorized } from "../../helpers/authorized.ts";
import { memoryIndex } from "../../helpers/memory-index.ts";

test("the rules for modules read the current text of config files, and nothing of one that is gone", async () => {
  const index = await memoryIndex({ "package.json": "{}", "a/package.json": "{}" });
  const bytes = Buffer.from('{\r\n  "name": "current"\r\n}');
  const texts = memoryTexts(() => new Map([["package.json", { bytes, mtimeMs: 1 }]]));
  const read = await configReader(index, texts.open(authorized("project"), []));
  expect(read("package.json")).toBe('{\n  "name": "current"\n}');
  expect(read("a/package.json")).toBeUndefined();
});
