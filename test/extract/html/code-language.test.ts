import { expect, it } from "vitest";

import { codeLanguageOf } from "../../../src/extract/html/code-language.ts";

it.each([
  ["language-js", "javascript"],
  ["sourceCode python", "python"],
  ["highlight-source-shell", "bash"],
  ["brush: c++;", "cpp"],
  ["src-rust", "rust"],
  ["highlight", ""],
  ["", ""],
])("finds the language of the class %j: %j", (className, language) => {
  expect(codeLanguageOf(className)).toBe(language);
});
