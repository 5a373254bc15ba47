import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "./reference-lines.ts";

async function ts(source: string): Promise<readonly string[]> {
  return usesIn("typescript", source);
}

describe("uses in TypeScript", () => {
  it("are bare names, with their targets in the file", async () => {
    expect(await ts("function open() {}\nopen();\nexport const a = [open, other];\n")).toEqual([
      "2 call open -> open",
      "3 value open -> open in a",
      "3 value other in a",
    ]);
  });

  it("exclude locals, parameters, labels, properties of literals and names in definitions", async () => {
    expect(
      await ts(`function run(a: string, { b, c: [d] }: unknown, ...e: unknown[]) {
  const f = { g: 1, a, b, ["c"]: d };
  label: for (let i = 0; i < 1; i += 1) { if (e) break label; }
  try { f; } catch (error) { String(error); }
  for (const x of e) void x;
  class Inner { h = 1; }
  function later() { return hoisted; }
  var hoisted = new Inner();
}`),
    ).toEqual(["4 call String in run"]);
  });

  it("have the import of a name, and its name in the other module", async () => {
    expect(
      await ts(`import main, { open as start, close } from "./a.ts";
import * as ns from "./b.ts";
main(); start(); close;
ns.open(ns.deep.x);
function f(close: () => void) { close(); }
`),
    ).toEqual([
      "1 import main from 0",
      "1 import open from 0",
      "1 import close from 0",
      "3 call main from 0",
      "3 call open from 0",
      "3 value close from 0",
      "4 value ns from 1",
      "4 call ns.open",
      "4 value ns from 1",
      "4 value ns.deep",
      "4 value ns.deep.x",
    ]);
  });

  it("have the types of locals as receivers", async () => {
    expect(
      await ts(`function f(p: Parser, q?: Readonly<ns.Reader>) {
  p.run(); q?.read();
  const a = new Parser(), b: Promise<Foo | undefined> = x, c = createEngine(), d = g.h;
  a.run(); (await b)!.c(); c.start(); d.e;
  const { i, j: { k } } = c.options;
  i.l; k.m;
  (x as Foo).n; (<Foo>x).n; (x satisfies Foo).n;
  const [first] = d.all;
  first.o; d["name"].q; d[0].r;
}`),
    ).toEqual([
      "1 type Parser in f",
      "1 type Readonly in f",
      "1 type ns in f",
      "1 type ns.Reader in f",
      "2 call @Parser.run in f",
      "2 call @ns.Reader.read in f",
      "3 call Parser in f",
      "3 type Promise in f",
      "3 type Foo in f",
      "3 value x in f",
      "3 call createEngine in f",
      "3 value g in f",
      "3 value g.h in f",
      "4 call @Parser.run in f",
      "4 call @Foo.c in f",
      "4 call createEngine().start in f",
      "4 value g.h.e in f",
      "5 value createEngine().options.i in f",
      "5 value createEngine().options.j in f",
      "5 value createEngine().options.j.k in f",
      "5 value createEngine().options in f",
      "6 value createEngine().options.i.l in f",
      "6 value createEngine().options.j.k.m in f",
      "7 value x in f",
      "7 type Foo in f",
      "7 value @Foo.n in f",
      "7 type Foo in f",
      "7 value x in f",
      "7 value @Foo.n in f",
      "7 value x in f",
      "7 type Foo in f",
      "7 value x.n in f",
      "8 value g.h.all in f",
      "9 value g.h.all[].o in f",
      "9 value g.h.name.q in f",
      "9 value g.h[].r in f",
    ]);
  });

  it("follow elements through loops, callbacks and containers", async () => {
    const uses = await ts(`function f(list: Foo[], map: Map<string, Bar>, set: ReadonlySet<Foo>) {
  for (const x of list) x.a;
  for (const [key, value] of map) { key.b; value.c; }
  list.filter((x) => x.d).map((x, at) => x.e + at);
  set.forEach(({ g }) => g.h);
  list.reduce((sum, x) => sum + x.i, 0);
  list.find((x) => x.j)?.k;
  load().then((x) => x.l);
  map.get("x").m;
  [new Foo()].map((x) => x.n);
  run((x) => x.o);
  function inner(): Foo { return list[0]; }
  const arrow = () => new Bar();
  inner().p; arrow().q;
}`);
    expect(uses.filter((use) => /\.[a-q] in/.test(use))).toEqual([
      "2 value @Foo.a in f",
      "3 value ?.b in f",
      "3 value @Bar.c in f",
      "4 value @Foo.d in f",
      "4 value @Foo.e in f",
      "5 value @Foo.g in f",
      "5 value @Foo.g.h in f",
      "6 value @Foo.i in f",
      "7 value @Foo.j in f",
      "7 value @Foo.k in f",
      "8 value load().l in f",
      "9 value @Bar.m in f",
      "10 value @Foo.n in f",
      "11 value ?.o in f",
      "14 value @Foo.p in f",
      "14 value @Bar.q in f",
    ]);
  });

  it("have the enclosing type as the receiver of members of this", async () => {
    expect(
      await ts(`class A extends b.B<C> implements D {
  x = this.y;
  run() { super.run(); [1].map(() => this.x); }
  other = { z() { this.x; } };
  static s() { return function () { this.x; }; }
}
interface E extends D {}
`),
    ).toEqual([
      "1 value b in A",
      "1 inherit b.B in A",
      "1 type C in A",
      "1 inherit D in A",
      "2 value #0.y in A.x",
      "3 call @b.B^.run in A.run",
      "3 call @number*.map in A.run",
      "3 value #0.x in A.run",
      "4 value #3.x in A.other.z",
      "5 value ?.x in A.s",
      "7 inherit D in E",
    ]);
  });

  it("are calls in constructions, decorators and JSX elements", async () => {
    expect(
      await usesIn(
        "tsx",
        `const a = new Foo(bar);
class B {
  @memo() run() { return <Row title={a}><div id="x" /><ns.Cell>{b}</ns.Cell></Row>; }
}
tag\`x\${c}\`;
`,
      ),
    ).toEqual([
      "1 call Foo in a",
      "1 value bar in a",
      "3 call memo in B.run",
      "3 call Row in B.run",
      "3 value a -> a in B.run",
      "3 value ns in B.run",
      "3 call ns.Cell in B.run",
      "3 value b in B.run",
      "3 value ns in B.run",
      "3 value ns.Cell in B.run",
      "3 value Row in B.run",
      "3 value %css.#x in B.run",
      "5 call tag",
      "5 value c",
    ]);
  });

  it("distinguish types from values and exclude type parameters", async () => {
    expect(
      await ts(`type A<T extends Base = Other> = { [K in keyof T]: Foo<T[K]> } | typeof value;
function f<T>(x: T, guard: (y: Bar) => y is Baz): asserts x is string {}
type I = X extends Y<infer U> ? U : never;
`),
    ).toEqual([
      "1 type Base in A",
      "1 type Other in A",
      "1 type Foo in A",
      "1 value value in A",
      "2 type Bar in f",
      "2 type Baz in f",
      "3 type X in I",
      "3 type Y in I",
    ]);
  });

  it("in any signature of a function belong to the function", async () => {
    expect(
      await ts(`function f(a: A): void;
function f(a: B): void;
function f(a: unknown): void { g(a); }
f(1);
`),
    ).toEqual(["1 type A in f", "2 type B in f", "3 call g in f", "4 call f -> f"]);
  });

  it("of names in a namespace are those of its members", async () => {
    expect(await ts("namespace N { export function f() {}\nf(); }\nN.f();\n")).toEqual([
      "2 call f -> N.f in N",
      "3 value N -> N",
      "3 call N.f",
    ]);
  });
});

describe("imports in TypeScript and JavaScript", () => {
  it("are read in every form", async () => {
    expect(
      await importsIn(
        "typescript",
        `import "./side.ts";
import def, * as ns from "./a.ts";
import type { A, B as C } from './b.ts';
import legacy = require("legacy");
export { d, e as f, default as g } from "./c.ts";
export * from "./d.ts";
export * as all from "./e.ts";
const { readFile, stat: stats } = require("node:fs");
const path = require("node:path"), join = require("node:path").join;
const lazy = await import("./f.ts");
async function load() { const { h } = await import("./g.ts"); h(); return import("./h.ts"); }
`,
      ),
    ).toEqual([
      "1 ./side.ts",
      "2 ./a.ts default>def *>ns",
      "3 ./b.ts A>A B>C",
      "4 legacy *>legacy",
      "5 ./c.ts d> e>f default>g reexport",
      "6 ./d.ts wildcard reexport",
      "7 ./e.ts *>all reexport",
      "8 node:fs readFile>readFile stat>stats",
      "9 node:path *>path",
      "9 node:path join>join",
      "10 ./f.ts *>lazy",
      "11 ./g.ts h>h",
      "11 ./h.ts",
    ]);
  });

  it("are uses of the imported names, as are exports", async () => {
    expect(
      await ts(`import { a as b } from "./a.ts";
export { c as d } from "./c.ts";
export { b, own as other };
export default own;
const own = 1;
`),
    ).toEqual([
      "1 import a from 0",
      "2 import c from 1",
      "3 value a from 0",
      "3 value own -> own",
      "4 value own -> own",
    ]);
  });
});

describe("types in TypeScript", () => {
  it("are the declared types, else the types of values", async () => {
    expect(
      await typesIn(
        "typescript",
        `class A {
  a: Foo | null = null;
  #b = new Foo();
  constructor(private readonly c: Foo[], d: Foo) {}
  get e() { return this.#b; }
  f(): Promise<readonly Foo[]> { return x; }
  g() { if (x) return make(); return make(); }
  h() { if (x) return make(); return other(); }
  static i = (x: Foo) => x.y;
}
interface B { j: Foo; k(): ns.Foo; l: "x" | "y" }
enum C { D, E = 1 }
type F = Array<Foo>;
const s = "x", n = [1], o = { p: 1 }, q = A.i;
const { r } = q.t;
function u(): void {}
`,
      ),
    ).toEqual([
      "A.a @Foo",
      "A.#b @Foo",
      "A.e #0.#b",
      "A.f @Foo*",
      "A.g make()",
      "A.i @Foo.y",
      "A.c @Foo*",
      "B.j @Foo",
      "B.k @ns.Foo",
      "B.l @string",
      "C.D #14",
      "C.E #14",
      "F @Foo*",
      "s @string",
      "n @number*",
      "o.p @number",
      "q A.i",
      "r q.t.r",
    ]);
  });
});

describe("uses and types in JavaScript", () => {
  it("include prototypes, assigned fields and exports by assignment", async () => {
    const source = `function Queue(size, { limit } = {}, ...rest) { this.size = size; rest; limit; }
Queue.prototype.push = function (job) { open(job); };
class A extends Queue {
  constructor(log) { super(log); this.log = new Logger(); }
  run() { this.log.info(log); }
}
exports.make = () => new A();
`;
    expect(await usesIn("javascript", source)).toEqual([
      "2 value Queue -> Queue in Queue.push",
      "2 value Queue.prototype in Queue.push",
      "2 call open in Queue.push",
      "3 inherit Queue -> Queue in A",
      "4 call Logger in A.log",
      "5 value #3.log in A.run",
      "5 call #3.log.info in A.run",
      "5 value log in A.run",
      "7 value exports in make",
      "7 call A -> A in make",
    ]);
    expect(await typesIn("javascript", source)).toEqual(["A.log @Logger", "make @A"]);
  });
});

it("names in further clauses of a function are not uses of it", async () => {
  const source = "total :: [Int] -> Int\ntotal [] = 0\ntotal (x:xs) = x + total xs\n";
  const uses = await usesIn("haskell", source);
  expect(uses.filter((use) => use.includes("total ->"))).toEqual([
    "3 call total -> total in total",
  ]);
});
