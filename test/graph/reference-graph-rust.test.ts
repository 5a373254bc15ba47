import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const MANIFEST = '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n';

test("Rust: modules, impl blocks, wrapped values and macro arguments across files", async () => {
  const users = await usersIn({
    "Cargo.toml": MANIFEST,
    "src/lib.rs": `pub mod store;
mod macros;
pub use self::store::{Item, Store as Shop};

pub fn open() -> Result<Shop, Error> {
    let store = Shop::new(3)?;
    store.item.as_ref().unwrap().run();
    Ok(store)
}
pub struct Error;
`,
    "src/store.rs": `use crate::Error;

pub struct Item { pub name: String }
pub enum Kind { Empty, One(Item), Named { item: Item } }
pub trait Runs { fn run(&self); fn twice(&self) { self.run() } }
impl Item { pub fn new() -> Self { Self { name: String::new() } } }
impl Runs for Item { fn run(&self) {} }
pub struct Store { pub item: Option<Box<Item>>, list: Vec<Item>, kind: Kind }
impl Store {
    pub fn new(count: usize) -> Result<Self, Error> {
        Ok(Store { item: None, list: vec![Item::new()], kind: Kind::Empty })
    }
    pub fn all(&self) {
        for item in self.list.iter() { item.run(); }
        self.list.iter().filter(|one| one.name.is_empty()).count();
        if let Some(item) = &self.item { item.twice(); }
        match &self.kind {
            Kind::One(item) => item.run(),
            Kind::Named { item } => item.run(),
            Kind::Empty => {}
        }
        println!("{}", self.list.len(), Item::new().name);
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    fn it() { check!(Store::new(1)); crate::store::Item::new(); }
}
`,
    "src/macros.rs": "#[macro_export]\nmacro_rules! check { ($e:expr) => { $e }; }\n",
    "tests/all.rs": `use app::{open, Item};

fn all(item: &Item) {
    app::check!(open().unwrap().all());
    item.run();
}
`,
  });
  expect(await users("Item.run")).toEqual([
    "src/lib.rs:7 call",
    "src/store.rs:5 call",
    "src/store.rs:14 call",
    "src/store.rs:18 call",
    "src/store.rs:19 call",
    "tests/all.rs:5 call",
  ]);
  expect(await users("Item.new")).toEqual([
    "src/store.rs:11 value",
    "src/store.rs:22 value",
    "src/store.rs:28 call",
  ]);
  expect(await users("Item.name")).toEqual([
    "src/store.rs:6 value",
    "src/store.rs:15 value",
    "src/store.rs:22 value",
  ]);
  expect(await users("Runs.twice")).toEqual(["src/store.rs:16 call"]);
  expect(await users("Store.all")).toEqual(["tests/all.rs:4 value"]);
  expect(await users("Store.new")).toEqual(["src/lib.rs:6 call", "src/store.rs:28 value"]);
  expect(await users("Kind.One")).toEqual(["src/store.rs:18 value"]);
  expect(await users("Kind.Named.item")).toEqual(["src/store.rs:19 value"]);
  expect(await users("check")).toEqual(["src/store.rs:28 call", "tests/all.rs:4 call"]);
  expect(await users("Error")).toEqual([
    "src/lib.rs:5 type",
    "src/store.rs:1 import",
    "src/store.rs:10 type",
  ]);
});

test("Rust: a field and a method of one name, literals in macro calls, modules that a parameter hides", async () => {
  const users = await usersIn({
    "Cargo.toml": MANIFEST,
    "src/lib.rs": `pub mod node;
use node::Node;

fn grow(node: &Node) -> Node {
    let other = node::Node { size: node.size(), next: None };
    assert_eq!(other, node::Node { size: 1, next: None });
    println!("{}", other.size);
    other
}
fn sizes(all: &[Node]) -> Vec<usize> { all.iter().map(Node::size).collect() }
`,
    "src/node.rs": `pub struct Node { pub size: usize, pub next: Option<Box<Node>> }
impl Node { pub fn size(&self) -> usize { self.size } }
`,
  });
  expect(await users("Node.next")).toEqual(["src/lib.rs:5 value", "src/lib.rs:6 value"]);
  const [field, method] = await Promise.all([
    users("Node.size", { kind: "field" }),
    users("Node.size", { kind: "method" }),
  ]);
  expect(field).toEqual([
    "src/lib.rs:5 value",
    "src/lib.rs:6 value",
    "src/lib.rs:7 value",
    "src/node.rs:2 value",
  ]);
  expect(method).toEqual(["src/lib.rs:5 call", "src/lib.rs:10 value"]);
  expect(await users("Node")).toEqual([
    "src/lib.rs:2 import",
    "src/lib.rs:4 type",
    "src/lib.rs:5 call",
    "src/lib.rs:6 value",
    "src/lib.rs:10 type",
    "src/lib.rs:10 value",
    "src/node.rs:1 type",
    "src/node.rs:2 type",
  ]);
});
