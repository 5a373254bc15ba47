import { expect, test } from "vitest";

import { declaredNames, decoded, vueProperty } from "../../../src/parse/markup/vue-attributes.ts";

function property(name: string, text?: string): string | undefined {
  const value = text === undefined ? undefined : { text, at: 20 };
  const set = vueProperty({ name, at: 5, value, quote: '"' });
  return set && `${set.key?.text ?? "..."}=${set.value?.text ?? ""}`;
}

test("attributes set properties", () => {
  expect(property("is-wide")).toBe("isWide=");
  expect(property("title", "a")).toBe("title=");
  expect(property(":is-wide", "a")).toBe("isWide=a");
  expect(property("v-bind:size.sync", "a")).toBe("size=a");
  expect(property(":size")).toBe("size=size");
  expect(property("v-bind", "rest")).toBe("...=rest");
  expect(property("v-model", "a")).toBe("modelValue=a");
  expect(property("v-model:title.trim", "a")).toBe("title=a");
});

test("directives, events and what belongs to elements set none", () => {
  expect(
    ["@open", "v-if", "v-focus", "#row", "class", ":key", "ref"].map((name) => property(name, "a")),
  ).toEqual(Array.from({ length: 7 }, () => undefined));
});

test("entities are replaced without moving what follows them", () => {
  expect(decoded({ text: "a &amp;&amp; b &lt; &quot;c&quot;", at: 1 })).toEqual({
    text: 'a &&         b <    "     c"     ',
    at: 1,
  });
});

function names(text: string): readonly string[] {
  return declaredNames({ text, at: 0 }).map(({ text: name }) => name.trim());
}

test("a loop declares its item and its indexes", () => {
  expect(names("item")).toEqual(["item"]);
  expect(names(" (item, index)")).toEqual(["item", "index"]);
  expect(names("({ a, b: [c] }, key, index)")).toEqual(["{ a, b: [c] }", "key", "index"]);
  expect(names("item, index")).toEqual(["item", "index"]);
  expect(names("{ a, b }")).toEqual(["{ a, b }"]);
  expect(names("(")).toEqual([]);
});
