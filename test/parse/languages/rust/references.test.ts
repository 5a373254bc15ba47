import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

async function rust(source: string): Promise<readonly string[]> {
  return usesIn("rust", source);
}

describe("uses in Rust", () => {
  it("exclude locals, parameters, lifetimes and prelude names", async () => {
    expect(
      await rust(`fn run<'a, T: Clone>(a: &'a T, (b, c): (u8, u8)) -> Option<T> {
    let mut d = a;
    let Some(e) = d else { return None };
    for (f, g) in e { f(g); }
    'outer: loop { break 'outer; }
    match b { h if h > LIMIT => {} MAX | 3 => {} i @ 1..=2 => { i; } _ => {} }
    let j = |k, l: T| { k; l };
    #[allow(unused)]
    if let Ok(m) = c { m; }
    Some(d)
}
`),
    ).toEqual([
      "1 type Clone in run",
      "1 type Option in run",
      "6 value LIMIT in run",
      "6 value MAX in run",
    ]);
  });

  it("have the types of locals as receivers, without wrapper types", async () => {
    const uses =
      await rust(`fn f<T: Bound>(p: &mut Parser, list: Vec<Item>, o: Option<Box<Foo>>, t: T, d: &dyn Dynamic, i: impl Impl) {
    p.a(); t.b(); d.c(); i.d();
    for one in list.iter() { one.e(); }
    for (n, one) in list.iter().enumerate() { one.f(); }
    if let Some(x) = &o { x.g(); }
    let new = Server::new()?; new.h();
    let lit = ns::Thing { x: 1 }; lit.i();
    list.iter().filter(|y| y.j()).map(|z| z.k());
    let wrapped = Arc::new(p); wrapped.l();
    match o { Some(v) => v.m(), None => {} }
    while let Some(w) = list.pop() { w.n(); }
    (await_me.await?).o(); (p as &Other).p();
    match kind { Kind::One(q) => q.q() }
}
`);
    expect(uses.filter((use) => /\.[a-q] in/.test(use))).toEqual([
      "2 call @Parser.a in f",
      "2 call @Bound.b in f",
      "2 call @Dynamic.c in f",
      "2 call @Impl.d in f",
      "3 call @Item.e in f",
      "4 call @Item.f in f",
      "5 call @Foo.g in f",
      "6 call Server.new().h in f",
      "7 call @ns.Thing.i in f",
      "8 call @Item.j in f",
      "8 call @Item.k in f",
      "9 call @Parser.l in f",
      "10 call @Foo.m in f",
      "11 call @Item.n in f",
      "12 call await_me.o in f",
      "12 call @Other.p in f",
      "13 call Kind.One.q in f",
    ]);
  });

  it("have the type of the impl block as the receiver of members of self", async () => {
    expect(
      await rust(`pub struct A { x: Foo }
impl Trait for A {
    fn run(&self, far: Far) -> Self { self.x.go(); self.run(far); Self::new(Self::MAX) }
}
impl Far { fn go(self) { self.y; } }
`),
    ).toEqual([
      "1 type Foo in A.x",
      "2 inherit Trait in A",
      "2 type A -> A in A",
      "3 type Far in A.run",
      "3 value #0.x in A.run",
      "3 call #0.x.go in A.run",
      "3 call #0.run in A.run",
      "3 call #0.new in A.run",
      "3 value #0.MAX in A.run",
      "5 type Far",
      "5 value @Far.y in Far.go",
    ]);
  });

  it("include fields in literals and patterns", async () => {
    expect(
      await rust(`fn f(n: u8) {
    let a = Server { conn: n, n, ..base() };
    let Server { conn, limit: other, .. } = a;
    if let Kind::Named { item } = a { item.x(); }
}
`),
    ).toEqual([
      "2 call Server in f",
      "2 value @Server.conn in f",
      "2 value @Server.n in f",
      "2 call base in f",
      "3 type Server in f",
      "3 value @Server.conn in f",
      "3 value @Server.limit in f",
      "4 value Kind in f",
      "4 type Kind.Named in f",
      "4 value @Kind.Named.item in f",
      "4 call @Kind.Named.item.x in f",
    ]);
  });

  it("are found in macro arguments", async () => {
    expect(
      await rust(`fn f(p: Parser) {
    println!("{}", p.name, LIMIT, Foo::new(p).x, crate::a::MAX);
    assert_eq!(p.list()[0], vec![other]);
}
#[derive(Debug)]
#[cfg(test)]
struct A;
`),
    ).toEqual([
      "1 type Parser in f",
      "2 call println in f",
      "2 value @Parser.name in f",
      "2 value LIMIT in f",
      "2 value Foo in f",
      "2 value Foo.new in f",
      "2 value Foo.new().x in f",
      "2 value crate.a in f",
      "2 value crate.a.MAX in f",
      "3 call assert_eq in f",
      "3 value @Parser.list in f",
      "3 value vec in f",
      "3 value other in f",
      "5 value Debug in A",
    ]);
  });
});

it("imports of Rust bind one name each", async () => {
  expect(
    await importsIn(
      "rust",
      `use std::{fmt, io::{self, Read as R, *}};
pub use self::inner::Thing as Other;
use super::*;
use a::B as _;
mod other;
mod inline { use super::Server; }
extern crate foo as bar;
`,
    ),
  ).toEqual([
    "1 std::fmt fmt>fmt",
    "1 std::io io>io",
    "1 std::io::Read Read>R",
    "1 std::io wildcard",
    "2 self::inner::Thing Thing>Other reexport",
    "3 super wildcard",
    "4 a::B B>",
    "5 self::other *>other",
    "6 super::Server Server>Server",
    "7 foo *>bar",
  ]);
});

it("types of Rust symbols are the types of fields, variants, aliases and results", async () => {
  expect(
    await typesIn(
      "rust",
      `struct A { a: Option<Foo>, b: Vec<Arc<Foo>>, c: HashMap<String, Foo>, d: &'static str }
struct Wrapped(Foo);
enum Kind { Empty, One(Foo), Two(Foo, Foo), Named { x: Foo } }
trait T { type Out; fn get(&self) -> io::Result<Self>; }
impl A { const MAX: usize = 1; fn all(&self) -> impl Iterator<Item = Foo> { todo!() } }
type Alias<T> = Wrapped;
fn nothing() {}
static X: Lazy<Foo> = Lazy::new(make);
macro_rules! check { () => {} }
`,
    ),
  ).toEqual([
    "A.a @Foo",
    "A.b @Foo*",
    "A.c @Foo*",
    "A.d @str",
    "Wrapped @Foo",
    "Kind.Empty #6",
    "Kind.One @Foo",
    "Kind.Named.x @Foo",
    "T.get #12",
    "A.MAX @usize",
    "A.all @Foo*",
    "Alias @Wrapped",
    "X @Foo",
    "check @macro_rules",
  ]);
});
