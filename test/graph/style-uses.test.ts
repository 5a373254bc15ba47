import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a class: exact where an import leads to the style sheet, else by name", async () => {
  const users = await usersIn({
    "src/button.css": ".btn { top: 0 }\n.nav .btn:hover { top: 1px }\n",
    "src/Button.tsx": 'import "./button.css";\nexport const a = <b className="btn big" />;\n',
    "src/index.html": '<b class="btn">\n',
    "src/code.ts": "export function btn() {}\nbtn();\n",
  });
  expect(await users(".btn", "src/button.css")).toEqual([
    "src/Button.tsx:2 value",
    "src/index.html:1 value ?",
  ]);
  expect(await users("btn", "src/code.ts")).toEqual(["src/code.ts:2 call"]);
});

test("CSS modules: exact, in camel case too, and unknown to other files", async () => {
  const users = await usersIn({
    "a.module.css": ".big { top: 0 }\n.is-on { composes: big }\n",
    "A.tsx":
      'import styles from "./a.module.css";\nexport const a = [styles.big, styles["is-on"], styles.isOn];\n',
    "b.html": '<b class="big">\n',
  });
  expect(await users(".big")).toEqual(["A.tsx:2 value", "a.module.css:2 value"]);
  expect(await users(".is-on")).toEqual(["A.tsx:2 value"]);
});

test("components: their own style sheets are exact, and those of others are not meant", async () => {
  const users = await usersIn({
    "A.vue":
      '<template><p class="card" :class="{ on: x }"/></template>\n<style scoped>\n.card.on { top: 0 }\n</style>\n',
    "B.svelte": '<p class="card" class:on={x}></p>\n<style>\n.card { top: 0 }\n</style>\n',
  });
  expect(await users(".card", "A.vue")).toEqual(["A.vue:1 value"]);
  expect(await users(".on", "A.vue")).toEqual(["A.vue:1 value"]);
  expect(await users(".card", "B.svelte")).toEqual(["B.svelte:1 value"]);
});

test("Angular: the style sheet next to the template", async () => {
  const users = await usersIn({
    "hero.component.html": '<p class="title">\n',
    "hero.component.scss": ".title { top: 0 }\n",
    "row.component.html": '<p class="title">\n',
  });
  expect(await users(".title")).toEqual(["hero.component.html:1 value"]);
});

test("Sass: modules, forwarded ones, partials and folders", async () => {
  const users = await usersIn({
    "scss/_theme.scss": '@forward "colors";\n$gap: 4px;\n@mixin wide { width: $gap; }\n',
    "scss/_colors.scss": "$ink: #000;\n@function tint($c) { @return $c; }\n",
    "scss/app.scss":
      '@use "theme" as t;\n.a { color: t.tint(t.$ink); @include t.wide; top: t.$gap; }\n',
    "scss/old.scss": '@import "theme";\n.b { @include wide; color: $ink; }\n',
    "scss/other.scss": ".c { @include wide; }\n",
  });
  expect(await users("$ink")).toEqual(["scss/app.scss:2 value", "scss/old.scss:2 value"]);
  expect(await users("tint")).toEqual(["scss/app.scss:2 call"]);
  expect(await users("wide")).toEqual([
    "scss/app.scss:2 call",
    "scss/old.scss:2 call",
    "scss/other.scss:1 call ?",
  ]);
  expect(await users("$gap")).toEqual(["scss/_theme.scss:3 value", "scss/app.scss:2 value"]);
});

test("custom properties in all rules of a file, and in scripts", async () => {
  const users = await usersIn({
    "a.css": ":root {\n  --ink: #000;\n}\n.dark {\n  --ink: #fff;\n}\n.a { color: var(--ink); }\n",
    "a.ts": 'el.style.setProperty("--ink", "red");\n',
  });
  expect(await users(":root.--ink")).toEqual(["a.css:7 value", "a.ts:1 value ?"]);
  expect(await users(".dark.--ink")).toEqual(["a.css:7 value", "a.ts:1 value ?"]);
});

test("keyframes and mixins are not each other's", async () => {
  const users = await usersIn({
    "a.less": "@gap: 1px;\n.fade() { top: @gap; }\n.b { .fade(); }\n",
    "b.scss":
      "@mixin fade { top: 0 }\n@keyframes fade { from { top: 0 } }\n.c { animation: fade 1s; }\n",
  });
  expect(await users(".fade")).toEqual(["a.less:3 call"]);
  expect(await users("@gap")).toEqual(["a.less:2 value"]);
  expect(await users("fade", { path: "b.scss", kind: "section" })).toEqual(["b.scss:3 value"]);
});

test("a class that many files define is not known by name", async () => {
  const sheets = Array.from({ length: 41 }, (_, at) => [`${at}.css`, ".active { top: 0 }\n"]);
  const users = await usersIn({ ...Object.fromEntries(sheets), "a.html": '<p class="active">\n' });
  expect(await users(".active", "0.css")).toEqual([]);
});

test("what one style sheet imports is one whole", async () => {
  const users = await usersIn({
    "scss/app.scss": '@import "vars", "parts/index";\n',
    "scss/parts/_index.scss": '@import "box";\n',
    "scss/parts/_box.scss": ".box { width: $gap; }\n",
    "scss/_vars.scss": "$gap: 4px;\n",
    "other/_vars.scss": "$gap: 8px;\n",
  });
  expect(await users("$gap", "scss/_vars.scss")).toEqual(["scss/parts/_box.scss:1 value"]);
  expect(await users("$gap", "other/_vars.scss")).toEqual([]);
});
