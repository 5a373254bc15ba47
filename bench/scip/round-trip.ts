// Imports the SCIP index of a real project and compares the references that svc finds with those of the index; then exports
// svc's graph as SCIP, imports that into another index, and compares both. README.md has the results.
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { createLogger } from "../../src/base/log.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { indexLayout } from "../../src/index/embedded/layout.ts";
import type { IndexReader, SymbolHit } from "../../src/index/port.ts";
import { localOwner } from "../../src/sources/principal.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import { folderBytes, sampleOf } from "./sample.ts";
import { constructorOf, nameOf, readFacts, type ScipFacts } from "./expected.ts";

const { values } = parseArgs({
  options: {
    root: { type: "string" },
    scip: { type: "string" },
    sample: { type: "string", default: "150" },
    show: { type: "string", default: "0" },
  },
});
if (values.root === undefined || values.scip === undefined) {
  throw new Error("node bench/scip/round-trip.ts --root DIR --scip FILE [--sample N] [--show N]");
}
const root = resolve(values.root);
const scip = resolve(values.scip);
const place = mkdtempSync(join(tmpdir(), "svc-scip-"));
const dataDirectory = join(place, "data");
const exported = join(place, "exported.scip");
const caller = { principal: localOwner(), signal: new AbortController().signal };
const engine = createEngine({
  dataDirectory,
  home: place,
  logger: createLogger({ level: "warn", human: true, write: (line) => process.stderr.write(line) }),
});

interface OpenNamespace {
  readonly reader: IndexReader;
  readonly graph: ReferenceGraph;
}

async function open(backend: EmbeddedBackend, namespace: string): Promise<OpenNamespace> {
  const reader = await backend.reader(authorized(namespace));
  if (reader === undefined) throw new Error(`${namespace} has no index`);
  const graph = await ReferenceGraph.open(reader, (path) => {
    try {
      return readFileSync(join(root, path), "utf8");
    } catch {
      return undefined;
    }
  });
  return { reader, graph };
}

/** The places that svc marks as exact, in the files that the SCIP index describes: in others svc resolves names itself. */
async function exactPlaces(
  { graph }: OpenNamespace,
  symbol: SymbolHit,
  { describes }: Pick<ScipFacts, "describes">,
): Promise<ReadonlySet<string>> {
  const all = (await graph.referencesTo(symbol)).filter(({ path }) => describes(path));
  return new Set(
    all.filter(({ certainty }) => certainty === "exact").map(({ path, line }) => `${path}:${line}`),
  );
}

/** Definitions of both, with the symbols that the SCIP index has for each. */
async function definitionsOf(
  { reader }: OpenNamespace,
  { definitions }: ScipFacts,
): Promise<readonly { readonly symbol: SymbolHit; readonly names: readonly string[] }[]> {
  const found = new Map<string, { symbol: SymbolHit; names: Set<string> }>();
  for (const { path, line, symbol: name } of definitions) {
    // oxlint-disable-next-line no-await-in-loop -- mostly in memory
    for (const facts of await reader.symbolsOf(path)) {
      if (facts.nameLine !== line || facts.name !== nameOf(name)) continue;
      // svc has one answer for definitions that share a name: overloads, or an interface and a constant.
      const key = `${path} ${facts.qualifiedName}`;
      const one = found.get(key) ?? { symbol: { ...facts, path }, names: new Set<string>() };
      one.names.add(name);
      found.set(key, one);
    }
  }
  return [...found.values()].map(({ symbol, names }) => ({ symbol, names: [...names] }));
}

function expectedOf(facts: ScipFacts, names: readonly string[]): ReadonlySet<string> {
  const all = names.flatMap((name) => {
    const constructor = constructorOf(name);
    return constructor === undefined ? [name] : [name, constructor];
  });
  return new Set(all.flatMap((name) => [...facts.usesOf(name)]));
}

function refusedText(
  refused: Awaited<ReturnType<typeof engine.index>>["refused"],
): readonly string[] {
  return (refused ?? []).map(({ documents, reason }) => `${documents.length} ${reason}`);
}

function missing(from: ReadonlySet<string>, wanted: ReadonlySet<string>): readonly string[] {
  return [...wanted].filter((one) => !from.has(one)).toSorted();
}

try {
  let started = performance.now();
  await engine.index({ ...caller, source: root, namespace: "plain" });
  const plainMs = performance.now() - started;
  const documents = (namespace: string): string => indexLayout(dataDirectory, namespace).documents;
  const plainBytes = folderBytes(indexLayout(dataDirectory, "plain").directory);
  started = performance.now();
  const imported = await engine.index({
    ...caller,
    source: root,
    namespace: "imported",
    scip: [scip],
  });
  const importMs = performance.now() - started;
  const importedBytes = folderBytes(indexLayout(dataDirectory, "imported").directory);
  started = performance.now();
  const file = openSync(exported, "w");
  const result = await engine.exportScip({
    ...caller,
    source: root,
    namespace: "imported",
    write: async (bytes) => void writeSync(file, bytes),
  });
  closeSync(file);
  const exportMs = performance.now() - started;
  const second = await engine.index({
    ...caller,
    source: root,
    namespace: "again",
    scip: [exported],
  });
  const backend = new EmbeddedBackend(dataDirectory);
  const one = await open(backend, "imported");
  const other = await open(backend, "again");
  const facts = readFacts(scip, () => true);
  const all = await definitionsOf(one, facts);
  const used = all.filter(({ names }) => expectedOf(facts, names).size > 0);
  const sample = sampleOf(used, Number(values.sample));
  const counts = { equal: 0, expected: 0, found: 0, right: 0, again: 0, againLines: 0 };
  let left = Number(values.show);
  for (const { symbol, names } of sample) {
    const expected = expectedOf(facts, names);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const found = await exactPlaces(one, symbol, facts);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const again = await exactPlaces(other, symbol, facts);
    const [missed, wrong] = [missing(found, expected), missing(expected, found)];
    const [lost, added] = [missing(again, found), missing(found, again)];
    counts.expected += expected.size;
    counts.found += found.size;
    counts.right += expected.size - missed.length;
    counts.againLines += found.size - lost.length;
    if (missed.length + wrong.length === 0) counts.equal += 1;
    if (lost.length + added.length === 0) counts.again += 1;
    if (missed.length + wrong.length + lost.length + added.length === 0 || left === 0) continue;
    left -= 1;
    console.log(`${symbol.path}:${symbol.nameLine} ${symbol.qualifiedName}`, names);
    for (const [what, places] of Object.entries({ missed, wrong, lost, added })) {
      if (places.length > 0) console.log(`  ${what}:`, places.slice(0, 5).join(" "));
    }
  }
  backend.close();
  console.log({
    files: imported.status.files,
    scip: imported.status.scip,
    refused: refusedText(imported.refused),
    "refused again": refusedText(second.refused),
    definitions: all.length,
    used: used.length,
    sample: sample.length,
    ...counts,
    "index, ms": Math.round(plainMs),
    "index with import, ms": Math.round(importMs),
    "export, ms": Math.round(exportMs),
    "SCIP, KB": Math.round(statSync(scip).size / 1000),
    "exported, KB": Math.round(statSync(exported).size / 1000),
    "index, KB": Math.round(plainBytes / 1000),
    "index with facts, KB": Math.round(importedBytes / 1000),
    "of which facts, KB": Math.round(folderBytes(documents("imported")) / 1000),
    exported: { ...result, changed: result.changed.length },
  });
} finally {
  await engine.close();
  rmSync(place, { recursive: true, force: true });
}
