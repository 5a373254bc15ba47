import { expect, test } from "vitest";

import {
  definitionAtLine,
  embeddedTemplates,
} from "../../../src/parse/templates/embedded-templates.ts";

function textsIn(text: string, language: string): readonly string[] {
  return embeddedTemplates(text, language).map(({ start, end }) => text.slice(start, end).trim());
}

test("templates of Angular's components and of Phoenix are found", () => {
  const angular = "@Component({ template: `<a>{{ b }}</a>` }) class A {}";
  const phoenix = 'def a(assigns) do\n  ~H"""\n  <b />\n  """\nend\n~H"""open';
  expect(textsIn(angular, "typescript")).toEqual(["<a>{{ b }}</a>"]);
  expect(textsIn(phoenix, "elixir")).toEqual(["<b />"]);
  expect(textsIn(angular, "javascript")).toEqual([]);
  expect(textsIn("const template: `x`", "typescript")).toEqual([]);
});

test("the innermost definition around a line, of some kinds", () => {
  const symbol = { name: "", qualifiedName: "", signature: "", nameLine: 1, access: "exported" };
  const symbols = [
    { ...symbol, kind: "class", startLine: 1, endLine: 9 },
    { ...symbol, kind: "function", startLine: 3, endLine: 5 },
  ] as const;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
  const all = symbols as unknown as Parameters<typeof definitionAtLine>[0];
  expect(definitionAtLine(all, 4)).toBe(1);
  expect(definitionAtLine(all, 4, new Set(["class"]))).toBe(0);
  expect(definitionAtLine(all, 10)).toBe(-1);
});
