import { expect, test } from "vitest";

import { NO_REFERENCES, type Import } from "../../../src/parse/references/references.ts";
import { withStyles } from "../../../src/parse/styles/read-styles.ts";
import { LINEAR_TIME } from "../../chunk/helpers.ts";

interface Read {
  readonly symbols: readonly string[];
  readonly uses: readonly string[];
  readonly imports: readonly string[];
}

function read(path: string, language: string, text: string, imports: readonly Import[] = []): Read {
  const file = { path, language, text, symbols: [] };
  const { symbols, references } = withStyles(file, { ...NO_REFERENCES, imports });
  return {
    symbols: symbols.map(({ name, startLine, access }) => `${startLine} ${name} ${access}`),
    uses: references.uses.map(
      ({ name, line, receiver, owner }) => `${line} ${name} ${receiver} ${owner}`,
    ),
    imports: references.imports.map(({ module, isWildcard }) => `${module} ${isWildcard}`),
  };
}

test("a style sheet defines, uses and imports", () => {
  const found = read("a.scss", "css", '@use "b";\n.x {\n  top: b.$y;\n  color: var(--z);\n}\n');
  expect(found).toEqual({
    symbols: ["2 .x internal"],
    uses: ["3 $y %css.b 0", "4 --z %css 0"],
    imports: ["b false"],
  });
});

test("a component uses its own classes, and those of its modules", () => {
  const found = read(
    "a.vue",
    "vue",
    `<template><p class="x" :class="$style.y" /></template>
<style module>
@import "./base.css";
.y { top: 0 }
@keyframes z { from { top: 0 } }
</style>
`,
  );
  expect(found).toEqual({
    symbols: ["4 .y private"],
    uses: ["1 .x %css -1", "1 .y %css= -1"],
    imports: ["./base.css false"],
  });
});

test("a script uses classes of the style sheet that it imports", () => {
  const bindings = [{ name: "default", local: "s" }];
  const imports = [
    { line: 1, module: "./a.module.css", bindings, isWildcard: false, isReexport: false },
  ];
  const text = 'import s from "./a.module.css";\nconst a = <p className={s.big} />;\n';
  expect(read("a.tsx", "tsx", text, imports).uses).toEqual(["2 .big %css.s -1"]);
});

test("a page links to style sheets", () => {
  const text =
    '<link rel="stylesheet" href="css/a.css?v=1">\n<link href="{{ x }}.css">\n<p id="b">';
  const { uses, imports } = read("a.html", "html", text);
  expect(imports).toEqual(["css/a.css false"]);
  expect(uses).toEqual(["3 #b %css -1"]);
});

test("minified style sheets and copies of libraries are data", () => {
  const rule = ".a { top: 0 }\n";
  expect(read("vendor/a.css", "css", rule).symbols).toEqual([]);
  expect(read("a.css", "css", `.a{top:0}${".b{top:0}".repeat(100)}`).symbols).toEqual([]);
  expect(read("a.module.css", "css", rule).symbols).toEqual(["1 .a private"]);
  expect(read("a.py", "python", 'x = {"class": "a"}').uses).toEqual([]);
});

test.each([".a{", "&-a{", 'class="', "@include a(", "cn(", "className={`${"])(
  "50,000 times %s takes linear time",
  { timeout: LINEAR_TIME },
  (part) => {
    const files = [
      ["a.scss", "css"],
      ["a.tsx", "tsx"],
      ["a.vue", "vue"],
    ] as const;
    for (const [path, language] of files) {
      for (const text of [part.repeat(50_000), `${part}\n`.repeat(50_000)]) {
        expect(read(path, language, text).symbols.length).toBeLessThan(1000);
      }
    }
  },
);
