import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";
import { recordedCalls } from "../helpers/recorded-calls.ts";
import { usersIn } from "../helpers/reference-users.ts";

const TYPES = 35;
const METHODS = ["run", "stop", "close"];

/** A chain of classes, each of which overrides all methods: more than svc compares one by one. */
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

test.each([
  [
    "fields.ts",
    `export class Field { load() { return 1 } }
export class Text extends Field { override load() { return super.load() } }
export class Day extends Text { override load() { return super.load() } }
export const load = (field: Field) => field.load();
`,
  ],
  [
    "fields.py",
    `class Field:
    def load(self): ...
class Text(Field):
    def load(self): return super().load()
class Day(Text):
    def load(self): return super().load()
def load(field: Field): return field.load()
`,
  ],
  [
    "Fields.java",
    `class Field { int load() { return 1; } }
class Text extends Field { int load() { return super.load(); } }
class Day extends Text { int load() { return super.load(); } }
class Use { int load(Field field) { return field.load(); } }
`,
  ],
])(
  "in %s, a call through `super` is none of what overrides the called method",
  async (path, text) => {
    const users = await usersIn({ [path]: text });
    const [ofText, ofDay, plain] = text
      .split("\n")
      .flatMap((line, at) => (/super|field\.load/.test(line) ? [`${path}:${at + 1} call`] : []));
    expect(await users("Day.load")).toEqual([plain]);
    expect(await users("Text.load")).toEqual([ofDay, plain]);
    expect(await users("Field.load")).toEqual([ofText, ofDay, plain]);
  },
);
