import { expect, test } from "vitest";

import { chunk } from "../../chunk/helpers.ts";

/** Returns the uses of the template as "name receiver". */
async function usesIn(script: string, template: string): Promise<readonly string[]> {
  const text = `<template>${template}</template>\n<script lang="ts">\n${script}\n</script>\n`;
  const { references } = await chunk("vue", text, "Card.vue");
  return references.uses
    .filter(({ line }) => line === 1)
    .map(({ name, receiver }) => `${name} ${receiver}`);
}

test("a bare name that the file does not declare is a member of what the component gets", async () => {
  const script =
    "interface Props { article: { title: string } }\ndefineProps<Props>();\nconst own = 1;";
  expect(await usesIn(script, "{{ article.title }} {{ own }}")).toEqual([
    "article #0;@Props|",
    "title #0.article;@Props.article",
    "own ",
  ]);
});

test("names that the template declares are no uses", async () => {
  expect(await usesIn("", '<p v-for="a in list">{{ a }}</p>')).toEqual(["list #0|"]);
});

test("the members of `toRefs` are references to properties", async () => {
  const script =
    "interface Article { title: string; value: string }\nconst props = defineProps<{ article: Article }>();\nconst { article } = toRefs(props);\nconst open = () => article.value.title;";
  expect(await usesIn(script, "{{ article.title }}")).toEqual(["article ", "title article"]);
});
