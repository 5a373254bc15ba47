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
