import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { definitionsMeant } from "../../../src/engine/symbols/named-definitions.ts";
import { pathNotFound, resolveTarget } from "../../../src/engine/symbols/resolve-target.ts";
import { indexedTree } from "../../helpers/indexed-tree.ts";
import { memoryIndex } from "../../helpers/memory-index.ts";

const INVOKER = "interface Invoker {\n  Result invoke(Call call);\n}\n";
const index = indexedTree(
  {
    "core/src/main/java/org/shop/rpc/Invoker.java": INVOKER,
    "old/src/main/java/com/acme/rpc/Invoker.java": INVOKER,
    "src/Shop/Hashing/Hasher.php":
      "<?php\nnamespace Shop\\Hashing;\nclass Hasher {\n  public function __construct() {}\n  public function make() {}\n}\n",
    "lib/shop/orm/session.py": "class Session:\n    def flush(self):\n        pass\n",
    "app/order.rb": "module Spree\n  class Order\n    def merge!(other); end\n  end\nend\n",
    "src/orders.erl":
      "-module(orders).\n-export([add/2]).\nadd(One, Two) ->\n    store(One, Two).\nstore(One, Two) ->\n    {One, Two}.\n",
    "src/Gate.java": "class Gate {\n  Gate() {}\n  void open() {}\n}\n",
  },
  { memory: true },
);
beforeAll(async () => {
  await index.run();
});
afterAll(index.dispose);

test.each([
  ["org.shop.rpc.Invoker", ["core/src/main/java/org/shop/rpc/Invoker.java Invoker"]],
  ["com.acme.rpc.Invoker.invoke", ["old/src/main/java/com/acme/rpc/Invoker.java Invoker.invoke"]],
  ["Shop\\Hashing\\Hasher", ["src/Shop/Hashing/Hasher.php Hasher"]],
  ["\\Shop\\Hashing\\Hasher::make()", ["src/Shop/Hashing/Hasher.php Hasher.make"]],
  ["shop.orm.Session", ["lib/shop/orm/session.py Session"]],
  ["session.Session.flush", ["lib/shop/orm/session.py Session.flush"]],
  ["orders:add", ["src/orders.erl add"]],
  ["orders:add/2", ["src/orders.erl add"]],
  ["other:add/2", []],
  ["self.flush", ["lib/shop/orm/session.py Session.flush"]],
  ["org.other.rpc.Invoker", []],
  ["Session.rollback", []],
])("%s means %j", async (name, places) => {
  const { reader } = await index.queryContext();
  const found = await definitionsMeant(reader, name);
  expect(found.map(({ path, qualifiedName }) => `${path} ${qualifiedName}`)).toEqual(places);
});

test("a method in the notation of Ruby's documentation is no file", async () => {
  const target = await resolveTarget(await index.queryContext(), "Spree::Order#merge!");
  expect(target).toMatchObject({ path: "app/order.rb", symbol: "Spree.Order.merge!" });
});

test("the number of arguments of a function of Erlang is no folder", async () => {
  const target = await resolveTarget(await index.queryContext(), "orders:add/2");
  expect(target).toMatchObject({ path: "src/orders.erl", symbol: "add" });
});

test("a constructor is not another definition of its type", async () => {
  const target = await resolveTarget(await index.queryContext(), "Gate");
  expect(target).toMatchObject({ symbol: "Gate", startLine: 1, others: [] });
});

test("a range whose end comes first is the same range", async () => {
  const target = await resolveTarget(await index.queryContext(), "src/Gate.java:3-2");
  expect(target).toMatchObject({ startLine: 2, endLine: 3 });
});

test("a folder is called one", async () => {
  const { reader } = await index.queryContext();
  expect((await pathNotFound(reader, "lib/shop/")).message).toBe(
    '"lib/shop/" is a folder, not a file.',
  );
});

test("a file that is removed while svc reads the folder is missing, not unreadable", async () => {
  const changing = indexedTree({ "a.py": "def open(): pass\n", "b.py": "def close(): pass\n" });
  onTestFinished(changing.dispose);
  const onProgress = ({ stage }: { readonly stage: string }): void => {
    if (stage === "list") rmSync(join(changing.root, "a.py"), { force: true });
  };
  await changing.run({}, { onProgress });
  const context = await changing.queryContext();
  expect(await context.reader.file("a.py")).toMatchObject({ skipped: "vanished" });
  await expect(resolveTarget(context, "a.py")).rejects.toMatchObject({
    message: expect.stringMatching(/^No file "a\.py"/),
  });
});

test.skipIf(process.platform === "win32")("a pipe is called one", async () => {
  const piped = indexedTree({ "a.py": "def open(): pass\n" });
  onTestFinished(piped.dispose);
  execFileSync("mkfifo", [join(piped.root, "pipe.py"), join(piped.root, "pipe")]);
  await piped.run();
  const context = await piped.queryContext();
  for (const name of ["pipe.py", "pipe"]) {
    await expect(resolveTarget(context, name)).rejects.toMatchObject({
      message: `${name} has no text to show.`,
      hint: "It is a pipe, a socket or a device.",
    });
  }
});

test("of a type and its extensions, the file that is named after it has the type", async () => {
  const reader = await memoryIndex({
    "app/Door+Lock.swift": "extension Door {\n  func lock() {}\n}\n",
    "app/Door.swift": "final class Door {\n  func open() {}\n}\n",
    "app/Zoo.swift": "extension Door {\n  func close() {}\n}\n",
  });
  const [first] = await definitionsMeant(reader, "Door");
  expect(first?.path).toBe("app/Door.swift");
});
