import { expect, test } from "vitest";

import { styleSyntax } from "../../../src/parse/styles/style-dialect.ts";
import { readStyleSheet } from "../../../src/parse/styles/style-sheet.ts";

function read(
  text: string,
  ending: string,
  { isScoped = false } = {},
): { readonly defined: readonly string[]; readonly used: readonly string[] } {
  const syntax = styleSyntax(ending) ?? { dialect: "css", isIndented: false };
  const { definitions, uses } = readStyleSheet(text, { ...syntax, isScoped, firstLine: 1 });
  return {
    defined: definitions.map(
      ({ name, line, endLine, kind, isScoped: isOwn }) =>
        `${line}-${endLine} ${kind} ${name}${isOwn ? " own" : ""}`,
    ),
    used: uses.map(
      ({ name, line, module, isCall = false }) =>
        `${line} ${module === undefined ? "" : `${module}.`}${name}${isCall ? "()" : ""}`,
    ),
  };
}

test("Sass: nested rules, suffixes, mixins and variables", () => {
  const { defined, used } = read(
    `@use "sass:math" as m;
$gap: m.div(8px, 2) !default;
@mixin wide($size) {
  $half: $size / 2;
  width: $size + $half + $gap;
}
.btn {
  @extend %base;
  &-primary {
    @include wide($gap);
    @include theme.dark { top: theme.$top; }
  }
  .nav & { animation: fade 1s; }
}
@each $name in $names { .x-#{$name} { @apply flex btn; } }
`,
    "scss",
  );
  expect(defined).toEqual([
    "2-2 constant $gap",
    "3-6 function wide",
    "7-14 section .btn",
    "9-12 section .btn-primary",
    "13-13 section .nav",
  ]);
  expect(used).toEqual([
    "5 $gap",
    "8 %base",
    "10 wide()",
    "10 $gap",
    "11 theme.dark()",
    "11 theme.$top",
    "13 fade",
    "15 $names",
    "15 .flex",
    "15 .btn",
  ]);
});

test("Less: mixins, variables and their scopes", () => {
  const { defined, used } = read(
    `@gap: 4px;
.rounded(@size; @more: 2px) { border-radius: @size + @more + @gap; }
.box { .rounded(@gap; 1px); #shapes > .round; @own: 1; top: @own; &:extend(.base all); }
@media @wide { .box:hover { color: fade(@ink, 10%); } }
`,
    "less",
  );
  expect(defined).toEqual([
    "1-1 constant @gap",
    "2-2 section .rounded",
    "3-3 section .box",
    "4-4 section .box",
  ]);
  expect(used).toEqual([
    "2 @gap",
    "3 .rounded()",
    "3 @gap",
    "3 #shapes()",
    "3 .round()",
    "3 .base",
    "4 @wide",
    "4 @ink",
  ]);
});

test("Sass with indentation", () => {
  const { defined, used } = read("$a: 1\n.b\n  &-c\n    top: $a\n    +d\n", "sass");
  expect(defined).toEqual(["1-1 constant $a", "2-5 section .b", "3-5 section .b-c"]);
  expect(used).toEqual(["4 $a", "5 d()"]);
});

test("CSS: properties, and names that rules only mention", () => {
  const { defined, used } = read(
    ":root { --ink: #000; }\n.dark .card { color: var(--ink); }\n.dark a { top: 0 }\n",
    "css",
  );
  expect(defined).toEqual(["1-1 constant --ink", "2-2 section .card", "2-2 section .dark"]);
  expect(used).toEqual(["2 --ink", "3 .dark"]);
});

test("the style sheet of a component", () => {
  const { defined, used } = read(
    ".card { composes: base wide from './b.css'; --gap: 1 }\n.card :deep(.x) {}\n:global(.y) {}\n.card :global {\n.z {}\n}\n",
    "css",
    { isScoped: true },
  );
  expect(defined).toEqual([
    "1-1 section .card own",
    "1-1 constant --gap",
    "2-2 section .x",
    "3-3 section .y",
    "5-5 section .z",
  ]);
  expect(used).toEqual(["1 ./b.css..base", "1 ./b.css..wide", "2 .card", "4 .card"]);
});

test("a name has a number of rules, and a style sheet a number of definitions", () => {
  const same = read(".a { top: 0 }\n".repeat(30), "css");
  expect([same.defined.length, same.used.length]).toEqual([8, 22]);
  const many = Array.from({ length: 5000 }, (_, at) => `.a${at} { top: 0 }\n`).join("");
  expect(read(many, "css").defined).toHaveLength(4000);
});
