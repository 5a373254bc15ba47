import { expect, test } from "vitest";

import {
  readComponentFile,
  storeName,
  type ComponentFile,
  type ComponentLanguage,
} from "../../../src/parse/markup/component-file.ts";
import { blankMarkup } from "../../../src/parse/languages/scripts-in-markup.ts";

const LANGUAGES: readonly ComponentLanguage[] = ["vue", "svelte", "astro"];

function component(path: string, text: string): ComponentFile {
  const language = LANGUAGES.find((one) => path.endsWith(`.${one}`)) ?? "vue";
  return readComponentFile(text, blankMarkup(text), { path, language });
}

/** Returns the code that is made of the markup. */
function markupOf(path: string, text: string): string {
  const file = component(path, text);
  expect(file.text.slice(0, text.length)).toBe(blankMarkup(text));
  expect(file.length).toBe(text.length);
  return file.text.slice(text.length).trim().replaceAll("\n", "");
}

test.each([
  ["src/ArticleCard.vue", "ArticleCard"],
  ["src/article-card.vue", "ArticleCard"],
  ["src/card/index.vue", "Card"],
  ["index.vue", "Index"],
  ["src/routes/+page.svelte", "+page"],
  ["src/pages/[slug].astro", "[slug]"],
])("the component of %s is %s", (path, name) => {
  const file = component(path, "");
  expect(file.name).toBe(name);
  expect(/^[\w$]+\(/.test(file.text.slice(file.nameIndex))).toBe(true);
});

test("a component of Vue takes what it defines", () => {
  const template = "<template>{{ a }}</template>";
  expect(markupOf("A.vue", template)).toBe("let $passedValue: A;function A($passed: A) {( a );}");
  expect(markupOf("A.vue", `<script>const p = defineProps<Props>()</script>${template}`)).toBe(
    "let $passedValue: A & Props;function A($passed: A & Props) {( a );}",
  );
  expect(markupOf("A.vue", `<script>const a = ref(0)</script>${template}`)).toContain(
    "( a.value );",
  );
  expect(markupOf("A.vue", `<script>export default class B extends Vue {}</script>`)).toContain(
    "($passed: B)",
  );
});

test("another definition of the name is kept apart", () => {
  expect(markupOf("A.vue", "<script>interface A {}</script>")).toContain("function A$(");
});

test("a component of Svelte takes the properties that it declares", () => {
  const own = component("A.svelte", "<script>export let a; let { b } = $props();</script>");
  expect(own.text).toContain("function A($passed: A)");
  expect(own.isProperty(own.text.indexOf("a;"))).toBe(true);
  expect(own.isProperty(own.text.indexOf("b "))).toBe(true);
  expect(own.isProperty(own.text.indexOf("script"))).toBe(false);
  expect(markupOf("A.svelte", "<script>let { a }: Props = $props();</script>{$a}{$state}")).toBe(
    "function A($passed: Props) {(a);($state);}",
  );
  expect(markupOf("A.svelte", "<script>\nlet b = 1;\n$: a = b * 2;\n$: b = 3;\n</script>{a}")).toBe(
    "let a = ( b * 2);function A($passed: A) {(a);}",
  );
});

test("a component of Astro has its properties in `Astro.props`", () => {
  expect(markupOf("A.astro", "---\ninterface Props { a: string }\n---\n<b>{a}</b>")).toBe(
    "let Astro: { props: Props };function A($passed: Props) {[a];}",
  );
});

test("stores begin with a dollar sign, and runes are none", () => {
  expect(["$a", "$state", "$$props", "a", "$"].map(storeName)).toEqual([
    "a",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

const HOSTILE = [
  "<",
  "<a ",
  '<a b="',
  "<a b='{\"",
  "{{",
  "{{ a }} <b>",
  "{",
  "{(",
  "{`${",
  "{/[",
  "{#each ",
  "{#each a as b}",
  "{:else}",
  "{#if a}<b>",
  "<A>",
  "<A b={",
  "<A {a}>",
  '<A v-for="(a, b) in c" v-if="a">',
  '<A :b="&quot;',
  "<!--",
  "<script>",
  "{a.map((b) => <B>",
  '<A :b="a => a"/>',
  "---\n",
  "let {",
  "$: a = b\n",
  "\n",
];

/** Time that is not in proportion to the length would exceed the time of a test. */
test.each(HOSTILE)("200 KB of %j are read", (part) => {
  const text = part.repeat(Math.ceil(200_000 / part.length));
  const files = [
    component("a.vue", `<template>${text}</template>`),
    component("a.vue", `<script>${text}</script><template>{{ a }}</template>`),
    component("a.svelte", text),
    component("a.svelte", `<script>${text}</script>{a}`),
    component("a.astro", text),
    component("a.astro", `---\n${text}\n---\n{a}`),
  ];
  for (const file of files) expect(file.text.length).toBeLessThan(file.length * 8);
});
