import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("Go: packages, methods, embedded types and literals across files", async () => {
  const users = await usersIn({
    "go.mod": "module example.com/app/v2\n",
    "store/store.go": `package store

type Base struct { Name string }
func (b *Base) Close() error { return nil }
type Items []Item
func (l Items) First() Item { return l[0] }
type Item struct { ID int }
type conn struct { Inner *Base }
type Store struct {
	*Base
	items Items
	byID  map[string]*Item
	conn  *conn
}
type Option struct { Limit int }
func New(option Option) (*Store, error) { return &Store{items: nil}, nil }
`,
    "store/methods.go": `package store

func (s *Store) All() Items {
	s.conn.Inner.Close()
	for _, item := range s.items { use(item.ID) }
	return s.items
}
func use(id int) {}
`,
    "main.go": `package main

import "example.com/app/v2/store"

func main() {
	s, err := store.New(store.Option{Limit: 3})
	s.Close()
	s.All().First()
	one := s.All()[0]
	use(one.ID, err)
}
func use(id int, err error) {}
`,
    "other/close.go": "package other\n\nfunc Close() {}\n",
  });
  expect(await users("Base.Close")).toEqual(["main.go:7 call", "store/methods.go:4 call"]);
  expect(await users("Base")).toEqual([
    "store/store.go:4 type",
    "store/store.go:8 type",
    "store/store.go:10 inherit",
  ]);
  expect(await users("Item.ID")).toEqual(["main.go:10 value", "store/methods.go:5 value"]);
  expect(await users("Option.Limit")).toEqual(["main.go:6 value"]);
  expect(await users("Items.First")).toEqual(["main.go:8 call"]);
  expect(await users("Store.All")).toEqual(["main.go:8 call", "main.go:9 call"]);
  expect(await users("Store.items")).toEqual([
    "store/methods.go:5 value",
    "store/methods.go:6 value",
    "store/store.go:16 value",
  ]);
  expect(await users("use", "main.go")).toEqual(["main.go:10 call"]);
  expect(await users("use", "store/methods.go")).toEqual(["store/methods.go:5 call"]);
});

const STORE_FILES = {
  "go.mod": "module example.com/app\n",
  "store/store.go": `package store

type Disk struct { base }
type base struct{}
func (b *base) Close() error { return nil }
func (d *Disk) Close() error { return d.base.Close() }
func (d *Disk) Vote(id string) error { return nil }
`,
  "store/load.go": "package store\n\nfunc (d *Disk) Load(id string) error { return nil }\n",
  "api/api.go": `package api

type voter interface {
	Vote(id string) error
	Load(id string) error
}
type Server struct { votes voter }
func (s *Server) handle() { s.votes.Vote("1") }
`,
  "other/other.go": `package other

type Half struct{}
func (h *Half) Vote(id string) error { return nil }
func use(d *store.Disk) { d.Vote("2"); d.Close() }
`,
};

test("Go: a call through an interface uses the methods that implement it", async () => {
  const users = await usersIn({
    ...STORE_FILES,
    "other/other.go": STORE_FILES["other/other.go"].replace(
      "package other",
      'package other\n\nimport "example.com/app/store"',
    ),
  });
  expect(await users("Disk.Vote")).toEqual(["api/api.go:8 call", "other/other.go:7 call"]);
  expect(await users("voter.Vote")).toEqual(["api/api.go:8 call", "other/other.go:7 call"]);
  // It has only one of the two methods.
  expect(await users("Half.Vote")).toEqual([]);
  // A method of a struct hides that of an embedded one; it does not override it.
  expect(await users("base.Close")).toEqual(["store/store.go:6 call"]);
  expect(await users("Disk.Close")).toEqual(["other/other.go:7 call"]);
});

test("Go: the users of a method through an interface are found however many types have the method", async () => {
  const types = Array.from(
    { length: 40 },
    (_, at) => `type T${at} struct{}\nfunc (t T${at}) Vote(id string) error { return nil }\n`,
  );
  const users = await usersIn({
    ...STORE_FILES,
    "many/many.go": `package many\n\n${types.join("")}`,
  });
  expect(await users("Disk.Vote")).toContain("api/api.go:8 call");
  expect(await users("T7.Vote")).not.toContain("api/api.go:8 call");
});
