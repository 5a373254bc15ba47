import { expect, test } from "vitest";

import { fileFacts } from "../../../src/engine/indexing/file-facts.ts";

function languageOf(path: string, text: string): string | undefined {
  return fileFacts(path, { text, generated: false }).language;
}

test("a header of Objective-C is recognized below its licence", () => {
  const licence = `${"// a line of a licence\n".repeat(20)}\n`;
  expect(languageOf("a.h", `${licence}@interface Store : NSObject\n@end\n`)).toBe("objc");
  expect(languageOf("a.h", `${licence}int open(void);\n`)).toBe("c");
  expect(languageOf("a.h", `${licence}namespace a {}\n`)).toBe("c");
});
