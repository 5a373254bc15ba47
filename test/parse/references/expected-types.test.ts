import { expect, test } from "vitest";

import { usesIn } from "./reference-lines.ts";

/** Returns the keys with the expressions of the types that are expected of their literals. */
async function keysIn(source: string): Promise<readonly string[]> {
  const uses = await usesIn("typescript", source);
  return uses.filter((use) => / [^ ]+:\.\w+/.test(use)).map((use) => use.replace(/ in .*/, ""));
}

test("keys are members of the type that a declaration, a parameter or a result says", async () => {
  expect(
    await keysIn(`import { link, Store, Foo } from "./x.ts";
const a: Foo = { a1: 1, a2, a3() {}, "a4": 1, inner: { a5: 1 } };
const b: Foo[] = [{ b1: 1 }];
link(0, { c1: 1 });
new Store({ d1: 1 });
function f(options: Foo = { e1: 1 }): Foo { return { e2: 1 }; }
const g = (): Foo => ({ g1: 1 });
const h = { h1: 1 } as Foo;
class C { field: Foo = { i1: 1 }; set() { this.field = { i2: 1 }; } }
const j = { j1: 1 };
expect(1).toEqual({ k1: 1 });
`),
  ).toEqual([
    "2 value @Foo:.a1",
    "2 value @Foo:.a2",
    "2 value @Foo:.a3",
    "2 value @Foo:.inner",
    "2 value @Foo.inner:.a5",
    "3 value @Foo:.b1",
    "4 value link{1}:.c1",
    "5 value Store.constructor{0}:.d1",
    "6 value @Foo:.e1",
    "6 value @Foo:.e2",
    "7 value @Foo:.g1",
    "8 value @Foo:.h1",
    "9 value @Foo:.i1",
    "9 value #5.field:.i2",
  ]);
});

test("parameters of a function have the types that the function is expected to take", async () => {
  const uses = await usesIn(
    "typescript",
    `import { link, type Link } from "./x.ts";
link((op) => op.a);
const l: Link = ({ op }) => op.b;
link({ on(event) { event.c; } });
`,
  );
  expect(uses.filter((use) => /\.(?:a|b|c|op)\b/.test(use))).toEqual([
    "2 value link{0}{0}.a",
    "3 value @Link{0}.op in l",
    "3 value @Link{0}.op.b in l",
    "4 value link{0}.on{0}.c",
  ]);
});
