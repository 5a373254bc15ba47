import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";
import { recordedCalls } from "../helpers/recorded-calls.ts";

const FILES = {
  "src/p/Base.java": `package p;

public class Base {
  protected static class Inner {}

  protected void close() {}
}
`,
  "src/p/Inner.java": "package p;\n\npublic class Inner {}\n",
  "src/p/Other.java":
    "package p;\n\npublic class Other {\n  public Other() {}\n\n  public void go() {}\n}\n",
  "src/q/Sub.java": `package q;

import p.Base;
import p.Other;

public class Sub extends Base {
  Inner inner = new Inner();
  Other other = new Other();

  void run() {
    close();
    other.go();
  }
}
`,
};

test("a name that a supertype has as a member refers to that member", async () => {
  const { reader, calls } = recordedCalls(await memoryIndex(FILES), "inheritsOf");
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const found = await graph.usesFromFile("src/q/Sub.java");
  const members = found.flatMap(({ name, targets }) =>
    name === "Inner" || name === "close" ? targets : [],
  );
  expect(new Set(members.map(({ qualifiedName }) => qualifiedName))).toEqual(
    new Set(["Base.Inner", "Base.close"]),
  );
  expect(calls).toContain("src/q/Sub.java");
});

test("supertypes are not read for a name that no type has as a member but as its constructor", async () => {
  const text = FILES["src/q/Sub.java"].replaceAll(/Inner|close/g, "Other");
  const files = { ...FILES, "src/q/Sub.java": text };
  const { reader, calls } = recordedCalls(await memoryIndex(files), "inheritsOf");
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const found = await graph.usesFromFile("src/q/Sub.java");
  const others = found.flatMap(({ name, targets }) => (/Other|go/.test(name) ? targets : []));
  expect(others.map(({ name }) => name)).toContain("go");
  expect(new Set(others.map(({ path }) => path))).toEqual(new Set(["src/p/Other.java"]));
  expect(calls).toEqual([]);
});
