import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";
import { recordedCalls } from "../helpers/recorded-calls.ts";

const TYPES = 35;
const METHODS = ["run", "stop", "close"];

/** A chain of classes, of which each overrides all methods: more than are compared one by one. */
function chain(): Readonly<Record<string, string>> {
  const methods = METHODS.map((name) => `  public void ${name}() {}\n`).join("");
  return Object.fromEntries(
    Array.from({ length: TYPES }, (_, at) => [
      `src/T${at}.java`,
      `package p;\n\npublic class T${at}${at === 0 ? "" : ` extends T${at - 1}`} {\n${methods}}\n`,
    ]),
  );
}

test("the types below a type are looked up once for all of its methods", async () => {
  const files = chain();
  const { reader, calls } = recordedCalls(await memoryIndex(files), "usesOf");
  const graph = await ReferenceGraph.open(reader, (path) => files[path]);
  for (const name of METHODS) {
    const all = await reader.symbolsNamed(name, 100);
    const first = all.find(({ path }) => path === "src/T0.java");
    if (first === undefined) throw new Error(`no ${name}`);
    const overriding = (await graph.implementationsOf(first)).map(({ path }) => path);
    expect(overriding.toSorted()).toEqual(
      Object.keys(files)
        .filter((path) => path !== "src/T0.java")
        .toSorted(),
    );
  }
  expect(calls.filter((name) => /^T\d+$/.test(name))).toHaveLength(TYPES);
});
