import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

async function java(source: string): Promise<readonly string[]> {
  return usesIn("java", source);
}

describe("uses in Java", () => {
  it("exclude locals, parameters, labels and names of declarations", async () => {
    expect(
      await java(`class A {
  <T extends Base> void run(int a, String... b) {
    int c = a, d;
    for (int e = 0; e < c; e++) d = e;
    for (var f : b) f = null;
    Runnable g = (h) -> { h = a; };
    outer: while (true) { break outer; }
    if (c > 0 && (Object) a instanceof Foo i) i = null;
    new Thread() { public void start() { } };
  }
}
`),
    ).toEqual([
      "2 type Base in A.run",
      "2 type String in A.run",
      "6 type Runnable in A.run",
      "8 type Object in A.run",
      "8 type Foo in A.run",
      "9 call Thread in A.run",
      "9 inherit Thread in A.run.start",
    ]);
  });

  it("have the types of locals and fields as receivers", async () => {
    const uses = await java(`class A {
  List<Foo> list; Map<String, Foo> map; Optional<Foo> maybe;
  <T extends Base> void f(Foo p, Foo[] many, T bound) {
    p.a(); many[0].b(); bound.c();
    for (Foo one : list) one.d();
    for (var two : map.values()) two.e();
    var made = new Foo(); made.g();
    list.stream().filter(x -> x.h()).forEach((Foo y) -> y.i());
    maybe.orElseThrow().j(); map.get("k").k();
    ((Foo) other).l(); this.list.get(0).m();
    if (other instanceof Foo q) q.n();
    Outer.Inner in = null; in.o();
    try (Reader r = open()) { r.p(); } catch (Error e) { e.q(); }
  }
}
`);
    expect(uses.filter((use) => /\.[a-q] in/.test(use))).toEqual([
      "4 call @Foo.a in A.f",
      "4 call @Foo.b in A.f",
      "4 call @Base.c in A.f",
      "5 call @Foo.d in A.f",
      "6 call #0.map.values()[].e in A.f",
      "7 call @Foo.g in A.f",
      "8 call #0.list.stream()[].h in A.f",
      "8 call @Foo.i in A.f",
      "9 call #0.maybe.orElseThrow().j in A.f",
      "9 call #0.map.get(1).k in A.f",
      "10 call @Foo.l in A.f",
      "10 call #0.list.get(1).m in A.f",
      "11 call @Foo.n in A.f",
      "12 call @Outer.Inner.o in A.f",
      "13 call @Reader.p in A.f",
      "13 call @Error.q in A.f",
    ]);
  });

  it("of members need no receiver, and fields and methods can share a name", async () => {
    expect(
      await java(`class A extends Base implements I, J<Foo> {
  int size;
  int size() { return size + size() + inherited + super.size() + this.size; }
  A() { new A(); }
  class In extends Other { int get() { return size; } }
}
`),
    ).toEqual([
      "1 inherit Base in A",
      "1 inherit I in A",
      "1 inherit J in A",
      "1 type Foo in A",
      "3 value size -> A.size in A.size",
      "3 call size -> A.size in A.size",
      "3 value inherited in A.size",
      "3 call @Base^.size in A.size",
      "3 value #0.size in A.size",
      "4 call A -> A in A.A",
      "5 inherit Other in A.In",
      "5 value size in A.In.get",
    ]);
  });

  it("of constants in a switch are members of the type of its value", async () => {
    const uses = await java(`class A {
  static final int LOCAL = 1;
  void f(Color color, int n) {
    switch (color) { case RED, GREEN: break; case Color.BLUE: }
    switch (n) { case LOCAL -> n = 2; }
  }
}
`);
    expect(uses.filter((use) => / value /.test(use))).toEqual([
      "4 value @Color.RED in A.f",
      "4 value @Color.GREEN in A.f",
      "4 value Color in A.f",
      "4 value Color.BLUE in A.f",
      "5 value @int|.LOCAL in A.f",
    ]);
  });

  it("include annotations, their elements and method references", async () => {
    expect(
      await java(`@Ann(value = Foo.class)
class A {
  @Override public void f() { use(Foo::bar, Foo::new, this::f); }
}
`),
    ).toEqual([
      "1 call Ann in A",
      "1 value Ann.value in A",
      "1 type Foo in A",
      "3 call use in A.f",
      "3 value Foo in A.f",
      "3 value Foo.bar in A.f",
      "3 call Foo in A.f",
      "3 value #0.f in A.f",
    ]);
  });

  it("of record components are uses of fields", async () => {
    expect(
      await java(`record Point(int x, Foo y) {
  Point { check(x); }
  int sum() { return x + y.z; }
}
`),
    ).toEqual([
      "1 type Foo in Point",
      "2 call check in Point.Point",
      "2 value x -> Point.x in Point.Point",
      "3 value x -> Point.x in Point.sum",
      "3 value y -> Point.y in Point.sum",
      "3 value #0.y.z in Point.sum",
    ]);
  });
});

it("imports of Java bind the last part of their name", async () => {
  expect(
    await importsIn(
      "java",
      `package a.b;
import java.util.List;
import a.c.*;
import static a.b.Util.help;
import static a.b.Consts.*;
`,
    ),
  ).toEqual([
    "2 java.util.List List>List",
    "3 a.c wildcard",
    "4 a.b.Util.help help>help",
    "5 a.b.Consts wildcard",
  ]);
});

it("types of Java symbols are the types of fields, components, constants and results", async () => {
  expect(
    await typesIn(
      "java",
      `class A {
  List<Foo> list, other; Foo[] many; final a.b.Foo full = null;
  static <T> Foo make() { return null; }
  void nothing() {}
  enum Color { RED; Color next() { return this; } }
  record Point(Foo x) {}
}
`,
    ),
  ).toEqual([
    "A.list @Foo*",
    "A.other @Foo*",
    "A.many @Foo*",
    "A.full @a.b.Foo",
    "A.make @Foo",
    "A.Color.RED #7",
    "A.Color.next #7",
    "A.Point.x @Foo",
  ]);
});
