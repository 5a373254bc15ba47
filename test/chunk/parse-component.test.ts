import { expect, test } from "vitest";

import { chunk, show } from "./helpers.ts";

const SCRIPT = `<script setup lang="ts">
import { load } from "./api";
export interface Article {
  title: string;
}
const articles: Article[] = await load();
</script>
`;

test("the markup changes neither chunks nor definitions", async () => {
  const file = "List.vue";
  const template =
    '<template>\n  <p v-for="a in articles">{{ function f() {} }}</p>\n</template>\n';
  const [plain, whole] = [
    await chunk("vue", `${SCRIPT}${template.replace(/v-for="[^"]*"|\{\{.*\}\}/g, "")}`, file),
    await chunk("vue", `${SCRIPT}${template}`, file),
  ];
  expect(show(whole)).toBe(show(plain));
  expect(whole.symbols.map(({ qualifiedName }) => qualifiedName)).toEqual([
    "List",
    "Article",
    "Article.title",
    "articles",
  ]);
});

test("the uses of the markup are those of its lines, in order", async () => {
  const { references } = await chunk(
    "vue",
    '<template>\n  <p v-for="a in articles">\n    {{ a.title }}\n  </p>\n</template>\n' + SCRIPT,
    "List.vue",
  );
  const lines = references.uses.map(({ line }) => line);
  expect(lines).toEqual(lines.toSorted((one, other) => one - other));
  expect(
    references.uses
      .filter(({ line }) => line < 6)
      .map(({ line, name, receiver }) => `${line} ${name} ${receiver}`),
  ).toEqual(["2 articles ", "3 title articles[]"]);
});

test("markup with errors leaves the script as it is", async () => {
  const { symbols, problem } = await chunk(
    "svelte",
    `${SCRIPT}{#if}{a b c}{/each}<p {`,
    "List.svelte",
  );
  expect(problem).toBeUndefined();
  expect(symbols.map(({ name }) => name)).toEqual(["List", "Article", "title", "articles"]);
});
