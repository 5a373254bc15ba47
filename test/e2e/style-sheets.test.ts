// The shipped program in a project with style sheets: what defines a class, a variable or a mixin, and who uses it.
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createPlace, svc } from "../spec/program.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const place = createPlace({
  "scss/_theme.scss": "$gap: 4px;\n:root { --brand: #06c; }\n@mixin wide { width: 100%; }\n",
  "scss/button.scss": `@use "theme" as t;
.btn {
  padding: t.$gap;
  color: var(--brand);
  @include t.wide;
  &-primary { font-weight: bold; }
}
`,
  "web/index.html": '<a class="btn btn-primary" href="#">Go</a>\n',
  "web/Card.vue": `<template><p class="card" :class="{ 'card-open': open }"></p></template>
<script setup>
const open = true;
</script>
<style scoped>
.card { color: var(--brand); }
.card-open { color: red; }
</style>
`,
  "web/Menu.tsx": `import styles from "./menu.module.css";
export const Menu = () => <ul className={styles.listWide} />;
`,
  "web/menu.module.css": ".list-wide { width: 100%; }\n",
  "web/page.erb": '<div class="<%= on ? "btn-primary" : "" %> card">\n',
  "web/colors.ts": 'export interface Colors { "--brand": string }\n',
  "web/btn.ts": "export function btn() {}\nbtn();\n",
});
beforeAll(async () => {
  const { exit, stderr } = await svc(place, "index", place.root);
  if (exit !== 0) throw new Error(stderr);
}, 120_000);
afterAll(() => {
  place.remove();
});

async function references(symbol: string): Promise<readonly string[]> {
  const { stdout } = await svc(place, "refs", "--json", "--", symbol);
  const found: {
    readonly references: readonly {
      readonly path: string;
      readonly line: number;
      readonly certainty: string;
    }[];
  } = JSON.parse(stdout);
  return found.references.map(({ path, line, certainty }) => `${path}:${line} ${certainty}`);
}

test("a class is found with and without its dot", async () => {
  const users = ["web/index.html:1 name", "web/page.erb:1 name"];
  expect(await references(".btn-primary")).toEqual(users);
  expect(await references("btn-primary")).toEqual(users);
  const { stdout } = await svc(place, "symbols", "btn-primary");
  expect(stdout).toContain("scss/button.scss:6");
});

test("a function of the name of a class is another definition", async () => {
  expect(await references("btn")).toEqual(["web/btn.ts:2 exact"]);
  expect(await references(".btn")).toEqual(["web/index.html:1 name"]);
});

test("variables and mixins are exact through their module, and properties are found in components", async () => {
  expect(await references("$gap")).toEqual(["scss/button.scss:3 exact"]);
  expect(await references("wide")).toEqual(["scss/button.scss:5 exact"]);
  const users = ["scss/button.scss:4 exact", "web/Card.vue:6 name", "web/colors.ts:1 name"];
  expect(await references("--brand")).toEqual(users);
  // A key of an object has the name too.
  expect(await references("brand")).toEqual(users);
});

test("modules and components", async () => {
  expect(await references(".list-wide")).toEqual(["web/Menu.tsx:2 exact"]);
  expect(await references(".card-open")).toEqual(["web/Card.vue:1 exact"]);
  // A page of another language has no class of a component.
  expect(await references(".card")).toEqual(["web/Card.vue:1 exact"]);
});

test("the impact of a style sheet has its users", async () => {
  const { stdout } = await svc(place, "impact", "web/menu.module.css");
  expect(stdout).toContain("web/Menu.tsx");
  const { stdout: ofClass } = await svc(place, "impact", ".btn-primary");
  expect(ofClass).toContain("web/index.html");
  const { stdout: importers } = await svc(place, "refs", "-r", "importers", "scss/_theme.scss");
  expect(importers).toContain("scss/button.scss");
});
