import { expect, test } from "vitest";

import { styleStatements } from "../../../src/parse/styles/style-statements.ts";

function read(text: string, hasLineComments = true): readonly string[] {
  return [...styleStatements(text, { hasLineComments })].map(({ kind, text: part, line }) =>
    `${line} ${kind} ${part}`.trim(),
  );
}

test("blocks and declarations with their lines", () => {
  expect(read(".a,\n.b {\n  top: 0;\n  left: 1\n}\n@use 'x';")).toEqual([
    "1 open .a,\n.b",
    "3 plain top: 0",
    "4 plain left: 1",
    "5 close",
    "6 plain @use 'x'",
  ]);
});

test("comments, texts, addresses and interpolations have no marks", () => {
  expect(read('/* { \n */ .a { b: "};{"; // }\n c: url(data:x;y) ; #{$d}: e }')).toEqual([
    "2 open .a",
    '2 plain b: "};{"',
    "3 plain c: url(data:x;y)",
    "3 plain #{$d}: e",
    "3 close",
  ]);
  expect(read("a: url(//x.y/z); // not here\nb: c;", false)).toEqual([
    "1 plain a: url(//x.y/z)",
    "1 plain // not here\nb: c",
  ]);
});

test("semicolons in brackets separate arguments of Less", () => {
  expect(read(".m(1; 2);\n.n")).toEqual(["1 plain .m(1; 2)", "2 plain .n"]);
});

test("what does not end is read to the end", () => {
  expect(read('a: "b\nc: d')).toEqual(['1 plain a: "b\nc: d']);
  expect(read("a /* b")).toEqual(["1 plain a"]);
});
