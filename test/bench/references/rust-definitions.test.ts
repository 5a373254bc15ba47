import { expect, test } from "vitest";

import { rustDefinitions } from "../../../bench/references/rust-definitions.ts";

test("definitions that others can refer to, without those of functions, tests and implemented traits", () => {
  const text = `use std::fmt;

pub(crate) struct Node<T> {
    pub size: usize,
    next: Option<T>,
}

impl<T> Node<T> {
    pub const fn size(&self) -> usize {
        struct Inner {
            hidden: u8,
        }
        self.size
    }
}

impl<T> fmt::Debug for Node<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {}
}

pub enum Kind {
    Empty,
    One(u8),
}

pub trait Runs {
    type Output;
    fn run(&self);
}

static LIMIT: usize = 3;

#[cfg(test)]
mod tests {
    fn helper() {}
}
`;
  const found = rustDefinitions(text).map(
    ({ kind, container, name, line, column }) =>
      `${kind} ${container === "" ? "" : `${container}.`}${name} ${line}:${column}`,
  );
  expect(found).toEqual([
    "class Node 3:19",
    "field Node.size 4:9",
    "field Node.next 5:5",
    "method Node.size 9:18",
    "enum Kind 21:10",
    "member Kind.Empty 22:5",
    "member Kind.One 23:5",
    "interface Runs 26:11",
    "type Runs.Output 27:10",
    "method Runs.run 28:8",
    "constant LIMIT 31:8",
  ]);
});
