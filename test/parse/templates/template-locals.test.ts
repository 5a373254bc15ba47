import { expect, test } from "vitest";

import { templateLocals } from "../../../src/parse/templates/template-locals.ts";

test.each([
  ["<% posts.each do |post, index| %>", ["post", "index"]],
  ["{% for key, value in items %}{% set total = 1 %}", ["key", "value", "total"]],
  ["@foreach (var line in Model.Lines) @foreach (OrderLine one in All)", ["line", "one"]],
  ["{{#each posts as |post|}}{% include 'x' as y %}", ["post", "y"]],
  ["{{ title || other }} | filter", []],
])("%s", (text, expected) => {
  expect([...templateLocals(text)].toSorted()).toEqual(expected.toSorted());
});
