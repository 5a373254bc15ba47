import { expect, test } from "vitest";

import {
  endOfComment,
  endOfRawElement,
  isEmptyTag,
  readClosingTag,
  readTag,
  type Tag,
  type TagSyntax,
} from "../../../src/parse/markup/markup-tags.ts";

function tagIn(text: string, syntax: TagSyntax): Tag {
  const tag = readTag(text, text.indexOf("<"), syntax);
  if (tag === undefined || tag === "open") throw new Error(`no tag in ${text}`);
  return tag;
}

function attributesOf(text: string, syntax: TagSyntax): readonly string[] {
  return tagIn(text, syntax).attributes.map(
    ({ name, value, quote }) => `${name}|${quote}|${value === undefined ? "none" : value.text}`,
  );
}

test("attributes of Vue have quotes, and any characters in their names", () => {
  expect(
    attributesOf(
      `<a-b :c="d > e" @f.stop='g("h")' v-for="i in j" #k="{ l }" :[m]="n" o p=q />`,
      "vue",
    ),
  ).toEqual([
    `:c|"|d > e`,
    `@f.stop|'|g("h")`,
    `v-for|"|i in j`,
    `#k|"|{ l }`,
    `:[m]|"|n`,
    "o||none",
    "p||q",
  ]);
});

test("attributes of Svelte have code in braces, also in quotes", () => {
  expect(
    attributesOf(`<A {b} {...c} d={e > {f: "}"}} g="h {i ? "j" : '>'} k" on:l={m} n>`, "svelte"),
  ).toEqual([
    "|{|b",
    "|{|...c",
    `d|{|e > {f: "}"}`,
    `g|"|h {i ? "j" : '>'} k`,
    "on:l|{|m",
    "n||none",
  ]);
});

test("quotes of Astro are texts", () => {
  expect(attributesOf('<A b="{c}" d=`e ${f}` g={h}>', "astro")).toEqual([
    'b|"|{c}',
    "d|`|e ${f}",
    "g|{|h",
  ]);
});

test("places are those in the text", () => {
  const tag = tagIn('x <B\n  c="d">', "vue");
  expect([tag.name.at, tag.end, tag.attributes[0]?.at, tag.attributes[0]?.value?.at]).toEqual([
    3, 13, 7, 10,
  ]);
});

test("a tag without an end is open, and a sign is none", () => {
  expect(readTag("<a b", 0, "vue")).toBe("open");
  expect(readTag('<a b="c>', 0, "vue")).toBe("open");
  expect(readTag("<a b={c>", 0, "svelte")).toBe("open");
  expect(readTag("< b", 0, "vue")).toBeUndefined();
  expect(readTag("<3", 0, "vue")).toBeUndefined();
});

test("closing tags, empty tags, comments and raw elements have ends", () => {
  expect(readClosingTag("</a-b >c", 0)).toEqual({ name: "a-b", at: 0, end: 7, isOnLine: false });
  expect(readClosingTag("<a>b</a>", 4)?.isOnLine).toBe(true);
  expect(readClosingTag("<a>\n</a>", 4)?.isOnLine).toBe(false);
  expect(readClosingTag("</>", 0)?.name).toBe("");
  expect(readClosingTag("<a>", 0)).toBeUndefined();
  expect(["<br>", "<a/>", "<a>"].map((text) => isEmptyTag(tagIn(text, "vue")))).toEqual([
    true,
    true,
    false,
  ]);
  expect(endOfComment("<!-- <a> -->b", 0)).toBe(12);
  expect(endOfComment("<!-- <a>", 0)).toBe(8);
  expect(endOfComment("<!doctype html>", 0)).toBe(15);
  expect(endOfComment("<a>", 0)).toBe(0);
  expect(endOfRawElement("<style>a > b</style>", tagIn("<style>", "vue"))).toBe(12);
});
