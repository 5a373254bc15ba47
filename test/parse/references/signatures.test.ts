import { expect, test } from "vitest";

import { chunk } from "../../chunk/helpers.ts";

const SOURCE = `package a;
class Box<K extends Comparable<K>, V> extends Base {
  private final List<String> items = null;
  int[][] grid;
  Box(int a) { this(a, "x" + a); }
  Box(int a, String... rest) {
    super(a);
    foo(items, grid, 1L, 'c', a + 2.0, null, x -> x, () -> { go(); }, Box::new, new int[3][], (Object) rest);
    foo(this.items.size(), go(1).go(2).go(), Box.class, -a, a == 1, !b, a >> 2, "a" + 1);
    String.valueOf(a);
    assertTrue(a, 1);
  }
  <X> X foo(Map<K, X> map, K key, X[] xs, V value, int... more) { return null; }
  void bar() { Runnable r = this::bar; }
  enum E { A(1), B; E() {} E(int n) {} }
}
`;

test("signatures have the types of parameters, and of results that are containers", async () => {
  const { symbols, references } = await chunk("java", SOURCE);
  const found = symbols.flatMap(({ qualifiedName }, number) => {
    const signature = references.signatures?.[number] ?? "";
    return signature === "" ? [] : [`${qualifiedName} ${signature}`];
  });
  expect(found).toEqual([
    "Box.items List",
    "Box.grid int[][]",
    "Box.Box (int)",
    "Box.Box (int,String...)",
    "Box.foo (Map,?Comparable,?[],?,int...)",
    "Box.bar ()void",
    "Box.E.E ()",
    "Box.E.E (int)",
  ]);
});

test("calls have the types of their arguments", async () => {
  const { references } = await chunk("java", SOURCE);
  const found = references.uses.flatMap(({ line, name, arguments: passed }) =>
    passed === undefined ? [] : [`${line} ${name} ${passed}`],
  );
  expect(found).toEqual([
    "5 Box @int,@String",
    "7 Base @int",
    "8 foo #0.items,#0.grid,@long,@char,@double,!,^1r,^0v,^,:int[][],@Object",
    "8 go ",
    "8 Box ^",
    "9 foo ?,?,@Class,@int,@boolean,@boolean,@int,@String",
    "9 size ",
    "9 go @int",
    "9 go @int",
    "9 go ",
    "11 assertTrue ?,?",
    "14 bar ^",
    "15 E @int",
    "15 E ",
  ]);
});
