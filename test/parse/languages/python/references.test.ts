import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

async function py(source: string): Promise<readonly string[]> {
  return usesIn("python", source);
}

describe("uses in Python", () => {
  it("exclude locals, parameters and keyword arguments", async () => {
    expect(
      await py(`LIMIT = 1
def run(a, b=LIMIT, *c, d: int = 2, **e):
    f = g = a
    for h, (i, j) in c: print(h, i, j, b, d, e, f, g)
    with open("x") as k, (lambda m: m)(1) as n: k, n
    [o for o in a if (p := o)]
    other(key=p)
`),
    ).toEqual([
      "2 value LIMIT -> LIMIT in run",
      "2 type int in run",
      "4 call print in run",
      "5 call open in run",
      "7 call other in run",
    ]);
  });

  it("have the import of a name, and its name in the other module", async () => {
    expect(
      await py(`import os.path
import numpy as np
from .engine import Engine as E, run
E(); run(); np.array(); os.path.join()
def f():
    from x import y
    y()
`),
    ).toEqual([
      "3 import Engine from 2",
      "3 import run from 2",
      "4 call Engine from 2",
      "4 call run from 2",
      "4 value np from 1",
      "4 call np.array",
      "4 value os from 0",
      "4 value os.path",
      "4 call os.path.join",
      "6 import y from 3 in f",
      "7 call y from 3 in f",
    ]);
  });

  it("have the types of locals as receivers", async () => {
    const uses =
      await py(`def f(p: Parser, q: "ns.Reader | None" = None, *, r: Optional["Foo"] = None):
    p.a; r.b
    s = Engine(p)
    s.c
    t: list[Foo] = []
    for u in t: u.d
    for k, v in g(): v.e
    [x.h for x in t]
    try: pass
    except ns.Error as error: error.i
    with make() as m: m.j
    w = s.k.l()
    w.m
    (await w).n
    y = [Foo()]
    y[0].o
    z = p or s
    z.q
`);
    expect(uses.filter((use) => /\.[a-q] in/.test(use))).toEqual([
      "2 value @Parser.a in f",
      "2 value @Foo.b in f",
      "4 value Engine().c in f",
      "6 value @Foo.d in f",
      "7 value g()[].e in f",
      "8 value @Foo.h in f",
      "10 value @ns.Error.i in f",
      "11 value make().j in f",
      "12 value Engine().k in f",
      "12 call Engine().k.l in f",
      "13 value Engine().k.l().m in f",
      "14 value Engine().k.l().n in f",
      "16 value @list[].o in f",
      "18 value @Parser.q in f",
    ]);
  });

  it("have the enclosing class as the receiver of members of self", async () => {
    expect(
      await py(`@register(1)
class A(Base, ns.Mixin, metaclass=Meta):
    size = LIMIT
    half = size
    def run(self, x):
        super().run()
        self.go(x)
        size
    @staticmethod
    def make(): return A()
`),
    ).toEqual([
      "1 call register in A",
      "2 inherit Base in A",
      "2 value ns in A",
      "2 inherit ns.Mixin in A",
      "2 value Meta in A",
      "3 value LIMIT in A.size",
      "4 value size -> A.size in A.half",
      "6 call @Base^.run in A.run",
      "7 call #0.go in A.run",
      "8 value size in A.run",
      "9 call staticmethod in A.make",
      "10 call A -> A in A.make",
    ]);
  });
});

describe("imports in Python", () => {
  it("are read in every form", async () => {
    expect(
      await importsIn(
        "python",
        `from __future__ import annotations
import os, a.b as c
from ..pkg.mod import (x, y as z)
from . import sibling
from m import *
`,
      ),
    ).toEqual([
      "2 os *>os",
      "2 a.b *>c",
      "3 ..pkg.mod x>x y>z",
      "4 . sibling>sibling",
      "5 m wildcard",
    ]);
  });
});

describe("types in Python", () => {
  it("are the declared types, else the types of values", async () => {
    expect(
      await typesIn(
        "python",
        `LIMIT = 1
NAMES: dict[str, Foo] = {}
class A:
    a: Foo | None
    def __init__(self, b: Foo):
        self.b = b
        self.c = Bar(b)
    def d(self) -> "list[Foo]": ...
    async def e(self) -> Foo: ...
    def f(self): return self.b.g
`,
      ),
    ).toEqual([
      "LIMIT @int",
      "NAMES @Foo*",
      "A.a @Foo",
      "A.e @Foo",
      "A.f #2.b.g",
      "A.b @Foo",
      "A.c Bar()",
    ]);
  });
});

describe("names in texts that are types", () => {
  it("are uses, except in texts that say what a value is", async () => {
    const uses = await py(
      'def run(a: "Base | None", b: list["m.Other"], c: Literal["Kind"]) -> "Job": pass\n',
    );
    expect(uses.join("\n")).toMatch(/Base[\s\S]*Other[\s\S]*Job/);
    expect(uses.join("\n")).not.toMatch(/Kind/);
  });

  it("are looked for only a few levels up, so that sums of thousands of texts are read in linear time", async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `"Type${at}x"`).join(" | ");
    const uses = (await py(`def run(a: ${texts}): pass\n`)).join("\n");
    expect(uses).toContain("Type39x");
    expect(uses).not.toContain("Type0x");
  });
});
