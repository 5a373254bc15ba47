import { expect, test } from "vitest";

import { classesInText } from "../../../src/parse/styles/class-attribute.ts";

function read(value: string): string {
  const text = `"${value}"`;
  return classesInText(text, { start: 1, end: text.length - 1 })
    .map(({ name, at }) => (text.startsWith(name, at) ? name : `${name}?`))
    .join(" ");
}

test("plain names, and texts in code", () => {
  expect(read("btn btn-lg")).toBe("btn btn-lg");
  expect(read("btn {{ on ? 'a' : 'b' }} c")).toBe("btn a b c");
  expect(read("btn <%= 'a' if on %> c")).toBe("btn a c");
});

test("code that touches a name is part of it", () => {
  expect(read("btn-{{ size }} a {b}-c ${d} e")).toBe("a e");
  expect(read("a col-@size b @(c)")).toBe("a b");
});

test("the space before a name may be in the code", () => {
  expect(read("btn{{ wide ? ' wide' : '' }}")).toBe("btn wide");
  expect(read("{{ wide ? 'wide ' : '' }}btn")).toBe("wide btn");
});

test("tags say whether a name is there", () => {
  expect(read("a {% if on %}b{% endif %} c")).toBe("a b c");
  expect(read("a{{#if on}} b{{/if}}")).toBe("a b");
  expect(read("a @if($on) b @endif")).toBe("a b");
  expect(read("a<?php if ($on) { ?> b<?php } ?>")).toBe("a b");
});

test("code that does not end is text", () => {
  expect(read("a {{ b")).toBe("a b");
});
