// References in component files: Vue, Svelte and Astro.
import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import type { SymbolHit } from "../../src/index/port.ts";
import { memoryIndex } from "../helpers/memory-index.ts";

/** Returns the users of a definition: "path:line role" for exact references, with " ?" after those by name. */
async function usersIn(
  files: Readonly<Record<string, string>>,
): Promise<(qualifiedName: string, path?: string) => Promise<readonly string[]>> {
  const reader = await memoryIndex(files);
  const graph = await ReferenceGraph.open(reader, (path) => files[path]);
  const symbol = async (qualifiedName: string, path?: string): Promise<SymbolHit> => {
    const name = qualifiedName.split(".").at(-1) ?? "";
    const found = (await reader.symbolsNamed(name, 50)).find(
      (one) => one.qualifiedName === qualifiedName && (path === undefined || one.path === path),
    );
    if (found === undefined) throw new Error(`no ${qualifiedName}`);
    return found;
  };
  return async (qualifiedName, path) =>
    (await graph.referencesTo(await symbol(qualifiedName, path))).map(
      (one) => `${one.path}:${one.line} ${one.role}${one.certainty === "exact" ? "" : " ?"}`,
    );
}

const TYPES = `export interface Author { name: string }
export interface Article { slug: string; title: string; author: Author }
`;
const API = `import type { Article, Author } from "./types";
export function formatName(author: Author): string { return ""; }
export async function load(): Promise<Article[]> { return []; }
`;

test("a component of Vue is used by its elements, with the names of its file", async () => {
  const users = await usersIn({
    "src/ArticleCard.vue": "<template><p>x</p></template>\n",
    "src/panel/index.vue": "<template><p>x</p></template>\n",
    "src/index.ts": 'export { default as Card } from "./ArticleCard.vue";\n',
    "src/App.vue": `<script setup lang="ts">
import ArticleCard from "./ArticleCard.vue";
import Panel from "./panel/index.vue";
</script>
<template>
  <Panel>
    <article-card />
  </Panel>
</template>
`,
    "src/Other.vue": `<template>
  <Card />
  <global-card />
</template>
<script>
import { Card } from ".";
export default { components: { Card } };
</script>
`,
    "src/GlobalCard.vue": "<template><p>x</p></template>\n",
  });
  expect(await users("ArticleCard")).toEqual([
    "src/App.vue:2 import",
    "src/App.vue:7 call",
    "src/Other.vue:2 call",
    "src/Other.vue:6 import",
    "src/Other.vue:7 value",
    "src/index.ts:1 import",
  ]);
  expect(await users("Panel")).toEqual([
    "src/App.vue:3 import",
    "src/App.vue:6 call",
    "src/App.vue:8 value",
  ]);
  expect(await users("GlobalCard")).toEqual(["src/Other.vue:3 call ?"]);
});

test("expressions, loops and slots of a Vue template are used with their types", async () => {
  const users = await usersIn({
    "src/types.ts": TYPES,
    "src/api.ts": API,
    "src/List.vue": `<script setup lang="ts">
import { computed, ref } from "vue";
import type { Article } from "./types";
import { formatName } from "./api";
const articles = ref<Article[]>([]);
const first = computed<Article>(() => articles.value[0]);
function open(article: Article) {}
</script>
<template>
  <ul>
    <li v-for="(article, index) in articles" :key="article.slug" @click="open(article)">
      {{ article.title }} {{ index }}
      <b v-if="first">{{ formatName(first.author) }}</b>
    </li>
    <my-table><template #row="{ title }">{{ title }}</template></my-table>
    <p :title="\`\${first.title}\`" @click="() => open(first)" v-html="first.title.trim()"></p>
  </ul>
</template>
`,
  });
  expect(await users("articles")).toEqual(["src/List.vue:6 value", "src/List.vue:11 value"]);
  expect(await users("first")).toEqual(["src/List.vue:13 value", "src/List.vue:16 value"]);
  expect(await users("open")).toEqual(["src/List.vue:11 call", "src/List.vue:16 call"]);
  expect(await users("Article.slug")).toEqual(["src/List.vue:11 value"]);
  expect(await users("Article.author")).toEqual(["src/List.vue:13 value"]);
  expect(await users("Article.title")).toEqual(["src/List.vue:12 value", "src/List.vue:16 value"]);
});

test("attributes of a Vue component are used properties, however they are declared", async () => {
  const users = await usersIn({
    "src/types.ts": `${TYPES}export interface CardProps { article: Article; isWide?: boolean }\n`,
    "src/Inline.vue": `<script setup lang="ts">
const props = withDefaults(defineProps<{ article: string; isWide?: boolean }>(), { isWide: true });
console.log(props.article);
</script>
<template><p :title="article">{{ props.isWide }}</p></template>
`,
    "src/Named.vue": `<script setup lang="ts">
import type { CardProps } from "./types";
const { article } = defineProps<CardProps>();
</script>
<template><p :title="article.title">{{ isWide }}</p></template>
`,
    "src/Values.vue": `<script setup>
const props = defineProps({ article: Object, isWide: { type: Boolean } });
</script>
<template><p :title="article">{{ isWide }}</p></template>
`,
    "src/Options.vue": `<template><p :title="article">{{ isWide }} {{ total }} {{ help() }}</p></template>
<script>
export default {
  props: ["article", "isWide"],
  data() {
    return { count: 1 };
  },
  computed: {
    total() {
      return this.count + this.help();
    },
  },
  methods: {
    help() {
      return this.article;
    },
  },
};
</script>
`,
    "src/App.vue": `<script setup>
import Inline from "./Inline.vue";
import Named from "./Named.vue";
import Values from "./Values.vue";
import Options from "./Options.vue";
</script>
<template>
  <Inline article="a" is-wide />
  <Named :article="a" :is-wide="true" />
  <Values :article="a" :isWide="true" />
  <Options v-model:article="a" is-wide="" />
</template>
`,
  });
  expect(await users("Inline.article")).toEqual([
    "src/App.vue:8 value",
    "src/Inline.vue:3 value",
    "src/Inline.vue:5 value",
  ]);
  expect(await users("Inline.isWide")).toEqual(["src/App.vue:8 value", "src/Inline.vue:5 value"]);
  expect(await users("CardProps.article")).toEqual([
    "src/App.vue:9 value",
    "src/Named.vue:3 value",
  ]);
  expect(await users("CardProps.isWide")).toEqual(["src/App.vue:9 value", "src/Named.vue:5 value"]);
  expect(await users("Article.title")).toEqual(["src/Named.vue:5 value"]);
  expect(await users("Values.article")).toEqual(["src/App.vue:10 value", "src/Values.vue:4 value"]);
  expect(await users("Options.article")).toEqual([
    "src/App.vue:11 value",
    "src/Options.vue:1 value",
    "src/Options.vue:15 value",
  ]);
  expect(await users("Options.isWide")).toEqual([
    "src/App.vue:11 value",
    "src/Options.vue:1 value",
  ]);
  expect(await users("Options.total")).toEqual(["src/Options.vue:1 value"]);
  expect(await users("Options.help")).toEqual([
    "src/Options.vue:1 call",
    "src/Options.vue:10 call",
  ]);
  expect(await users("Options.count")).toEqual(["src/Options.vue:10 value"]);
});

test("blocks, stores and actions of Svelte are used with their types", async () => {
  const users = await usersIn({
    "src/types.ts": TYPES,
    "src/api.ts": API,
    "src/store.ts": `export const session = { user: "" };
export function tooltip(node: Element) {}
`,
    "src/Row.svelte": `<script lang="ts">
  import type { Article } from "./types";
  interface Props { article: Article; onopen?: () => void }
  let { article, onopen }: Props = $props();
</script>
<b onclick={onopen}>{article.title}</b>
`,
    "src/Old.svelte": `<script lang="ts">
  import type { Article } from "./types";
  export let article: Article;
  $: title = article.title;
</script>
<b class:wide={title}>{article.slug}</b>
`,
    "src/Table.svelte": `<script lang="ts">
  import Row from "./Row.svelte";
  import Old from "./Old.svelte";
  import { formatName, load } from "./api";
  import { session, tooltip } from "./store";
  let chosen = $state("");
</script>
{#snippet cell(text: string)}<i use:tooltip>{text}{$session.user}</i>{/snippet}
{#await load() then articles}
  {#each articles as article, index (article.slug)}
    <Row {article} onopen={() => (chosen = article.slug)} />
    <Old article={article} />
    {@render cell(formatName(article.author))}{index}
  {:else}
    {chosen}
  {/each}
{/await}
`,
  });
  expect(await users("Row")).toEqual(["src/Table.svelte:2 import", "src/Table.svelte:11 call"]);
  expect(await users("Props.article")).toEqual([
    "src/Row.svelte:4 value",
    "src/Table.svelte:11 value",
  ]);
  expect(await users("Old.article")).toEqual([
    "src/Old.svelte:4 value",
    "src/Old.svelte:6 value",
    "src/Table.svelte:12 value",
  ]);
  expect(await users("Article.slug")).toEqual([
    "src/Old.svelte:6 value",
    "src/Table.svelte:10 value",
    "src/Table.svelte:11 value",
  ]);
  expect(await users("Article.title")).toEqual([
    "src/Old.svelte:4 value",
    "src/Row.svelte:6 value",
  ]);
  expect(await users("session")).toEqual(["src/Table.svelte:5 import", "src/Table.svelte:8 value"]);
  expect(await users("tooltip")).toEqual(["src/Table.svelte:5 import", "src/Table.svelte:8 value"]);
  expect(await users("chosen")).toEqual(["src/Table.svelte:11 value", "src/Table.svelte:15 value"]);
  expect(await users("formatName")).toEqual([
    "src/Table.svelte:4 import",
    "src/Table.svelte:13 call",
  ]);
});

test("elements in the code of Astro are used with their types", async () => {
  const users = await usersIn({
    "src/types.ts": TYPES,
    "src/api.ts": API,
    "src/Card.astro": `---
import type { Article } from "./types";
interface Props { article: Article }
const { article } = Astro.props;
---
<b>{article.title}, it's {Astro.props.article.slug}</b>
`,
    "src/pages/index.astro": `---
import Card from "../Card.astro";
import { formatName, load } from "../api";
const articles = await load();
---
<ul>
  {articles.map((article) => (
    <li title={article.title}>
      <Card article={article} /> it's <br> {formatName(article.author)}
    </li>
  ))}
  {articles.length > 0 && <Card article={articles[0]}>
    first</Card>}
</ul>
`,
  });
  expect(await users("Card")).toEqual([
    "src/pages/index.astro:2 import",
    "src/pages/index.astro:9 call",
    "src/pages/index.astro:12 call",
    "src/pages/index.astro:13 value",
  ]);
  expect(await users("Props.article")).toEqual([
    "src/Card.astro:4 value",
    "src/Card.astro:6 value",
    "src/pages/index.astro:9 value",
    "src/pages/index.astro:12 value",
  ]);
  expect(await users("Article.title")).toEqual([
    "src/Card.astro:6 value",
    "src/pages/index.astro:8 value",
  ]);
  expect(await users("Article.author")).toEqual(["src/pages/index.astro:9 value"]);
});
