import { expect, test } from "vitest";

import { chunk } from "../../chunk/helpers.ts";

/** Returns the symbols as "lines kind name", and the users of names as "line name owner". */
async function read(
  path: string,
  text: string,
): Promise<{ symbols: readonly string[]; uses: readonly string[]; exported: readonly string[] }> {
  const language = path.endsWith(".vue") ? "vue" : "svelte";
  const { symbols, references } = await chunk(language, text, path);
  const ownerOf = (owner: number): string => symbols[owner]?.qualifiedName ?? "";
  return {
    symbols: symbols.map(
      ({ startLine, endLine, kind, qualifiedName }) =>
        `${startLine}-${endLine} ${kind} ${qualifiedName}`,
    ),
    uses: references.uses.map(({ line, name, owner }) => `${line} ${name} ${ownerOf(owner)}`),
    exported: references.imports.flatMap(({ isReexport, bindings }) =>
      isReexport ? bindings.map(({ name, local }) => `${name} as ${local}`) : [],
    ),
  };
}

test("a file is a component that owns what no other definition uses", async () => {
  const { symbols, uses, exported } = await read(
    "src/article-card.vue",
    '<script setup lang="ts">\nimport { a } from "./a";\nfunction open() {\n  a();\n}\na();\n</script>\n<template>{{ a }}</template>\n',
  );
  expect(symbols).toEqual(["1-8 class ArticleCard", "3-5 function open"]);
  expect(uses).toEqual(["2 a ", "4 a open", "6 a ArticleCard", "8 a ArticleCard"]);
  expect(exported).toEqual(["ArticleCard as default"]);
});

function options(name: string): string {
  return `<script>\nexport default {\n  ${name}\n  methods: { open() {} },\n};\n</script>\n`;
}

test("options are the component, with their own name or that of the file", async () => {
  const own = await read("src/card.vue", options('name: "ArticleCard",'));
  expect(own.symbols).toEqual(["2-5 class ArticleCard", "4-4 method ArticleCard.open"]);
  expect(own.exported).toEqual(["ArticleCard as default"]);
  const ofFile = await read("src/card.vue", options("inheritAttrs: false,"));
  expect(ofFile.symbols).toEqual(["2-5 class Card", "4-4 method Card.open"]);
});

test("another default export of the file remains its own", async () => {
  const { exported } = await read(
    "A.svelte",
    "<script module>\nfunction load() {}\nexport { load as default };\n</script>\n{load()}\n",
  );
  expect(exported).toEqual(["load as default"]);
});

test("a script whose brackets do not end is read without the markup", async () => {
  const { symbols, uses } = await read(
    "A.vue",
    '<script setup>\nimport { a } from "./a";\nfunction open() {\n  a();\n</script>\n<template>{{ a }}</template>\n',
  );
  expect(symbols).toContain("1-6 class A");
  expect(uses.filter((use) => use.startsWith("6"))).toEqual([]);
  expect(uses).toContain("2 a ");
});

test("lines are right in CRLF and after signs of two units", async () => {
  const { uses } = await read(
    "A.svelte",
    "<script>\r\nimport { a, b } from './a';\r\n</script>\r\n<p>😀 {a}</p>\r\n\r\n{b}\r\n",
  );
  expect(uses).toEqual(["2 a ", "2 b ", "4 a A", "6 b A"]);
});
