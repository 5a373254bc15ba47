import { expect, test } from "vitest";

import { embeddedTemplates } from "../../../src/parse/templates/embedded-templates.ts";

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
