import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

async function go(source: string): Promise<readonly string[]> {
  return usesIn("go", `package a\n${source}`);
}

describe("uses in Go", () => {
  it("exclude locals, parameters, labels and predeclared names", async () => {
    expect(
      await go(`func run[T any](a, b int, c ...string) (d error) {
	e, f := a, b
	for g, h := range c { print(g, h, e, f, d) }
	switch i := any(a).(type) { case string: _ = i }
	j := func(k T) { other(k) }
outer:
	for l := 0; l < 3; l++ { break outer }
	if m := a; m > 0 { j(nil) }
	return nil
}
`),
    ).toEqual(["4 call print in run", "6 call other in run"]);
  });

  it("have the types of locals as receivers", async () => {
    const uses = await go(`func f(p *Parser, list []*Item, m map[string]Item, ch chan Item) {
	p.a()
	s, err := pkg.New()
	s.b; err.c
	for _, item := range list { item.d() }
	for key, value := range m { value.e() }
	m["x"].g; list[0].h; (<-ch).i
	if t, ok := p.(*Server); ok { t.j() }
	switch v := p.(type) {
	case *Server: v.k()
	case Item, Other: v.l()
	}
	one, two := &Item{}, New()
	one.m; two.n
	made := make(map[string]*Item); made["a"].o
	more := append(list, one); more[1].p
	var fn func() (*Foo, error); fn().q
}
`);
    expect(uses.filter((use) => /\.[a-q] in/.test(use))).toEqual([
      "3 call @Parser.a in f",
      "5 value pkg.New().b in f",
      "5 value ?.c in f",
      "6 call @Item.d in f",
      "7 call @Item.e in f",
      "8 value @Item.g in f",
      "8 value @Item.h in f",
      "8 value @Item.i in f",
      "9 call @Server.j in f",
      "11 call @Server.k in f",
      "12 call @Parser.l in f",
      "15 value @Item.m in f",
      "15 value New().n in f",
      "16 value @Item.o in f",
      "17 value @Item.p in f",
      "18 value @Foo().q in f",
    ]);
  });

  it("include the fields of literals and the keys of maps", async () => {
    expect(
      await go(`func f(local int) {
	use(&Server{Limit: local, List: []Item{{ID: KEY}}, pkg: pkg.Other{Name: ""}})
	use(map[Kind]Item{First: {ID: 1}})
}
`),
    ).toEqual([
      "3 call use in f",
      "3 call Server in f",
      "3 value @Server.Limit in f",
      "3 value @Server.List in f",
      "3 type Item in f",
      "3 value @Item.ID in f",
      "3 value KEY in f",
      "3 value @Server.pkg in f",
      "3 value pkg in f",
      "3 call pkg.Other in f",
      "3 value @pkg.Other.Name in f",
      "4 call use in f",
      "4 type Kind in f",
      "4 type Item in f",
      "4 value First in f",
      "4 value @Item.ID in f",
    ]);
  });

  it("of embedded types are supertypes of the enclosing type", async () => {
    expect(
      await go(`type Server struct {
	*Base
	pkg.Other
	conn net.Conn
}
type Reader interface {
	io.Closer
	Read(from *Base) Result
}
`),
    ).toEqual([
      "3 inherit Base in Server",
      "4 value pkg in Server.Other",
      "4 inherit pkg.Other in Server",
      "5 value net in Server.conn",
      "5 type net.Conn in Server.conn",
      "8 value io in Reader",
      "8 inherit io.Closer in Reader",
      "9 type Base in Reader.Read",
      "9 type Result in Reader.Read",
    ]);
  });

  it("distinguish functions from methods, and types from values with the same name", async () => {
    expect(
      await go(`func (s *Set[T]) add(item item, one T) { add(item); one.x() }
func add(x int) {}
type Set[T any] struct{}
`),
    ).toEqual([
      "2 type Set -> Set in Set.add",
      "2 type item in Set.add",
      "2 call add -> add in Set.add",
      "2 call ?.x in Set.add",
    ]);
  });
});

it("imports of Go bind packages by their names", async () => {
  expect(
    await importsIn(
      "go",
      `package a
import "fmt"
import (
	x "a/b"
	. "dot"
	_ "blank"
	"github.com/a/b/v2"
	"gopkg.in/yaml.v3"
	"github.com/a/go-tty"
)
var _ = tty.Open
`,
    ),
  ).toEqual([
    "2 fmt *>fmt",
    "4 a/b *>x",
    "5 dot wildcard",
    "6 blank",
    "7 github.com/a/b/v2 *>b",
    "8 gopkg.in/yaml.v3 *>yaml",
    "9 github.com/a/go-tty *>tty",
  ]);
});

it("types of Go symbols are results, fields and underlying types", async () => {
  expect(
    await typesIn(
      "go",
      `package a
type Items []*Item
type Alias = pkg.Other
type Handler func(in string) (*Item, error)
type Plain struct { list []Item; byID map[string]*pkg.Item; get func() *Item; inner struct{ x int } }
func (p Plain) All() (Items, error) { return nil, nil }
var first, second = New(), &Item{}
const limit Kind = 3
`,
    ),
  ).toEqual([
    "Items @Item*",
    "Alias @pkg.Other",
    "Handler @Item",
    "Plain.list @Item*",
    "Plain.byID @pkg.Item*",
    "Plain.get @Item",
    "Plain.inner.x @int",
    "Plain.All @Items",
    "first New()",
    "second @Item",
    "limit @Kind",
  ]);
});
