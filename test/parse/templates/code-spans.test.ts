import { expect, test } from "vitest";

import { codeSpans } from "../../../src/parse/templates/code-spans.ts";
import type { CodeMark } from "../../../src/parse/templates/template-dialects.ts";

function codeIn(text: string, ...marks: readonly CodeMark[]): readonly string[] {
  return marks.flatMap((mark) =>
    [...codeSpans(text, mark)].map(({ start, end }) => text.slice(start, end).trim()),
  );
}

test.each<[CodeMark, string, readonly string[]]>([
  ["percent", "<% if a %><%= b(1) -%><%# comment %><%% no %>", ["if a", "= b(1) -"]],
  ["braces", "{{ a }}{% if b %}{# no #}{{! no }}{{-- no --}}{!! c !!}", ["a", "if b", "c"]],
  ["brace", "<a class={f({x: 1})}><script>{ no }</script>{g}", ["f({x: 1})", "g"]],
  ["dollar", "${a} *{b} #{no} {no}", ["a", "b"]],
  ["hash", "#{a} ${no}", ["a"]],
  [
    "at",
    "@if (a.b(')')) x@y.com @media (x) @c.d @{ var e; } @model Shop.Order\n",
    ["if (a.b(')'))", "c.d", "{ var e; }", "model Shop.Order"],
  ],
  ["lines", "%h1= title\n- if a\n  = b c\n.text plain - no\n", ["title", "if a", "b c"]],
  ["bindings", `<a (click)="f()" [b]='c' *ngIf="d" e="no">`, ["f()", "c", "d"]],
  ["model", `<input asp-for="Name" asp-route-id="no">`, ["Name"]],
])("%s", (mark, text, expected) => {
  expect(codeIn(text, mark)).toEqual(expected);
});

test("what nothing closes is no code", () => {
  expect(codeIn("<%= a {{ b {% c ${ d", "percent", "braces", "dollar")).toEqual([]);
  expect(codeIn("@if (a", "at")).toEqual(["if"]);
});
