import { expect, test } from "vitest";

import { indentedStatements } from "../../../src/parse/styles/indented-statements.ts";

function read(text: string): readonly string[] {
  return [...indentedStatements(text)].map(({ kind, text: part, line }) =>
    `${line} ${kind} ${part}`.trim(),
  );
}

test("deeper lines are the block of the line above", () => {
  const text = ".a,\n.b\n  top: 0 // why\n  &-c\n    +wide($x)\n=wide($y)\n  left: $y\n";
  expect(read(text)).toEqual([
    "1 open .a,\n.b",
    "3 plain top: 0",
    "4 open &-c",
    "5 plain @include wide($x)",
    "5 close",
    "5 close",
    "6 open @mixin wide($y)",
    "7 plain left: $y",
    "7 close",
  ]);
});

test("comments have the lines below that are indented more", () => {
  expect(read("// a\n   b: c\n$d: 1\n")).toEqual(["3 plain $d: 1"]);
});
