import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import {
  decodeCompilerFacts,
  type CompilerFacts,
} from "../../src/index/compiler-facts/compiler-facts.ts";
import type { SymbolFacts } from "../../src/index/types.ts";
import { linesOfText } from "../../src/base/lines-of-text.ts";
import { takeIndexes, type ScipProject, type TakenIndexes } from "../../src/scip/import-index.ts";
import { tree } from "../helpers/tree.ts";
import { filesOf, scipOf, type FixtureName } from "./fixture-projects.ts";

const SQUARE: SymbolFacts = {
  name: "Square",
  qualifiedName: "Square",
  kind: "class",
  access: "exported",
  startLine: 20,
  endLine: 31,
  nameLine: 20,
};

function projectOf(name: FixtureName, symbols: readonly SymbolFacts[] = []): ScipProject {
  const files = filesOf(name);
  return {
    folderOf: async () => "",
    file: async (path) => {
      const text = files[path];
      if (text === undefined) return undefined;
      const lines = linesOfText(text);
      const own = path === "src/shape.ts" ? symbols : [];
      return { path, hash: "0".repeat(32), text, lines, symbols: own };
    },
  };
}

interface Taken extends TakenIndexes {
  readonly facts: ReadonlyMap<string, CompilerFacts>;
}

async function take(paths: readonly string[], project: ScipProject): Promise<Taken> {
  const facts = new Map<string, CompilerFacts>();
  const taken = await takeIndexes(paths, project, {
    signal: new AbortController().signal,
    keep: async ({ path }, bytes) => {
      const one = decodeCompilerFacts(bytes);
      if (one !== undefined) facts.set(path, one);
    },
  });
  return { ...taken, facts };
}

test("definitions that svc does not have are added, with what is known of them", async () => {
  const { facts } = await take([scipOf("shapes")], projectOf("shapes", [SQUARE]));
  const added = facts.get("src/shape.ts")?.definitions ?? [];
  expect(added.map(({ qualifiedName, kind }) => `${kind} ${qualifiedName}`)).toEqual([
    "type Shape",
    "field name",
    "method area",
    "type Circle",
    "field name",
    "field #radius",
    "method constructor",
    "method area",
    "field Square.name",
    "field Square.side",
    "method Square.constructor",
    "method Square.area",
    "constant scale",
  ]);
  expect(added.find(({ name }) => name === "Circle")).toMatchObject({
    startLine: 7,
    endLine: 18,
    nameLine: 7,
  });
});

test("uses have the definition, also of what an import has renamed or constructs", async () => {
  const { facts } = await take([scipOf("shapes")], projectOf("shapes", [SQUARE]));
  const uses = facts.get("src/registry.ts")?.uses.filter(({ text }) => text === "Box");
  const square = { path: "src/shape.ts", qualifiedName: "Square", name: "Square" };
  const constructor = { ...square, qualifiedName: "Square.constructor", name: "constructor" };
  expect(uses).toEqual([
    { line: 1, text: "Box", role: "type", target: square },
    { line: 6, text: "Box", role: "call", target: constructor },
    { line: 6, text: "Box", role: "call", target: square },
  ]);
});

test("names of other projects, of variables and of parameters differ", async () => {
  const { facts } = await take([scipOf("shapes")], projectOf("shapes"));
  const targets = (text: string): readonly unknown[] =>
    (facts.get("src/registry.ts")?.uses ?? [])
      .filter((use) => use.text === text)
      .map(({ target }) => (typeof target === "object" ? target.qualifiedName : target));
  expect(targets("Record")).toEqual(["outside"]);
  expect(targets("sum")).toEqual(["local", "local"]);
  expect(targets("shapes")).toEqual(["local"]);
  expect(targets("known")).toEqual(["known"]);
});

test("an index that is given twice is used once", async () => {
  const { refused, facts } = await take([scipOf("app"), scipOf("app")], projectOf("app"));
  expect(facts.size).toBe(3);
  expect([...refused.keys()]).toEqual(["second document of a file"]);
});

test("an aborted import ends", async () => {
  const signal = AbortSignal.abort();
  const options = { signal, keep: async () => undefined };
  await expect(takeIndexes([scipOf("app")], projectOf("app"), options)).rejects.toThrow("aborted");
});

/** The problems with importing an index: a failure other than a refusal, or lines outside a file. */
async function problemsOf(
  file: string,
  project: ScipProject,
  lines: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  let taken: Taken;
  try {
    taken = await take([file], project);
  } catch (thrown) {
    if (!(thrown instanceof SvcError)) throw thrown;
    const isRefusal = thrown.code === "INVALID_PARAMS" && thrown.hint !== undefined;
    return isRefusal ? [] : [thrown.message];
  }
  return [...taken.facts].flatMap(([path, { definitions, uses }]) => {
    const count = lines.get(path) ?? 0;
    const all = [...uses.map(({ line }) => line), ...definitions.map(({ endLine }) => endLine)];
    return all.every((line) => line >= 1 && line <= count) ? [] : [path];
  });
}

test("of 1,000 damaged indexes each is refused with a reason, or used where it fits", async () => {
  const { path: folder, dispose } = tree();
  onTestFinished(dispose);
  const file = join(folder, "damaged.scip");
  const original = readFileSync(scipOf("shapes"));
  const project = projectOf("shapes", [SQUARE]);
  const lines = new Map(
    Object.entries(filesOf("shapes")).map(([path, text]) => [path, linesOfText(text).length]),
  );
  const change = fc.record({ at: fc.nat(original.length - 1), byte: fc.nat(255) });
  const damage = fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 8 }),
    length: fc.option(fc.nat(original.length), { nil: original.length, freq: 4 }),
    inserted: fc.uint8Array({ maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ changes, length, inserted }) => {
      const bytes = Buffer.from(original);
      for (const { at, byte } of changes) bytes[at] = byte;
      const [{ at: from } = { at: 0 }] = changes;
      const parts = [bytes.subarray(0, from), inserted, bytes.subarray(from)];
      writeFileSync(file, Buffer.concat(parts).subarray(0, length));
      expect(await problemsOf(file, project, lines)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
