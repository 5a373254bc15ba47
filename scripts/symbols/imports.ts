// Measures the share of a tree's imports that svc resolves to files.
//
//     node scripts/symbols/imports.ts [--list <n>] <folder> [<folder> …]
//
// By language: imports, those resolved to a file of the tree, those of other packages, and unresolved ones.
// With `--list` the modules that are most often unresolved, with a file that imports each. Time is the CPU time
// of only the resolver, from a cold start.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { readAsset, readGrammar } from "../../src/base/assets.ts";
import { GRAMMAR_FILES } from "../../src/base/grammar-files.ts";
import { chunkFile } from "../../src/chunk/chunk.ts";
import type { Import } from "../../src/parse/references/references.ts";
import { createGrammars } from "../../src/parse/syntax.ts";
import {
  ModuleResolver,
  type Importer,
  type ModuleTarget,
} from "../../src/graph/modules/module-resolver.ts";
import { fileTreeOf } from "../../src/index/file-tree.ts";
import { languageOf } from "../../src/scan/classify.ts";
import { walk } from "../../src/scan/walk.ts";

interface Found {
  readonly importer: Importer;
  readonly import: Import;
}

interface Row {
  imports: number;
  resolved: number;
  external: number;
  /** Module -> how often it is unresolved, and a file that imports it. */
  readonly unknown: Map<string, { times: number; readonly path: string }>;
}

const { folders, listed } = readArguments(process.argv.slice(2));
const grammars = await createGrammars({
  core: readAsset("tree-sitter.wasm"),
  grammar: readGrammar,
});
for (const folder of folders) measure(folder);

function measure(folder: string): void {
  const paths = walk(folder).files.map(({ path }) => path);
  const found = paths.flatMap((path) => importsOf(folder, path));
  const start = process.cpuUsage();
  const read = (path: string): string | undefined => readIn(folder, path);
  const resolver = new ModuleResolver({ tree: fileTreeOf(paths.toSorted()), read });
  const targets = found.map((one) => targetOf(resolver, one));
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1000;
  const perMs = Math.round(found.length / milliseconds);
  console.log(
    `${folder}: ${paths.length} files, ${found.length} imports, ${perMs} per millisecond`,
  );
  const rows = new Map<string, Row>();
  for (const [at, target] of targets.entries()) count(rows, found[at], target);
  for (const [language, row] of rows) print(language, row);
}

function importsOf(folder: string, path: string): readonly Found[] {
  const language = languageOf(path);
  const text =
    language !== undefined && language in GRAMMAR_FILES ? readIn(folder, path) : undefined;
  if (language === undefined || text === undefined) return [];
  const { references } = chunkFile({ path, language, text }, grammars);
  const importer: Importer = { path, language, package: references.package };
  return references.imports.map((one) => ({ importer, import: one }));
}

/** A name that is imported from a Python package may be one of its modules. */
function targetOf(resolver: ModuleResolver, { importer, import: written }: Found): ModuleTarget {
  const target = resolver.resolve(importer, written.module);
  if (target.files.length > 0 || importer.language !== "python") return target;
  const dot = written.module.endsWith(".") ? "" : ".";
  const inner = written.bindings.map(({ name }) =>
    resolver.resolve(importer, `${written.module}${dot}${name}`),
  );
  return inner.find(({ files }) => files.length > 0) ?? target;
}

function count(rows: Map<string, Row>, found: Found | undefined, target: ModuleTarget): void {
  if (found === undefined) return;
  const { language, path } = found.importer;
  const row = rows.get(language) ?? { imports: 0, resolved: 0, external: 0, unknown: new Map() };
  rows.set(language, row);
  row.imports += 1;
  if (target.files.length > 0) row.resolved += 1;
  else if (target.isExternal) row.external += 1;
  else {
    const known = row.unknown.get(found.import.module);
    if (known === undefined) row.unknown.set(found.import.module, { times: 1, path });
    else known.times += 1;
  }
}

function print(language: string, { imports, resolved, external, unknown }: Row): void {
  const rest = imports - resolved - external;
  console.log(
    `  ${language.padEnd(12)} ${String(imports).padStart(6)} imports  resolved ${share(resolved, imports)}` +
      `  external ${share(external, imports)}  of the others resolved ${share(resolved, resolved + rest)}`,
  );
  const maximum = [...unknown].toSorted(([, a], [, b]) => b.times - a.times).slice(0, listed);
  for (const [module, { times, path }] of maximum)
    console.log(`    ${times} × ${module}  in ${path}`);
}

function share(part: number, of: number): string {
  return of === 0 ? "     -" : `${((100 * part) / of).toFixed(1).padStart(5)}%`;
}

function readIn(folder: string, path: string): string | undefined {
  try {
    return readFileSync(join(folder, path), "utf8");
  } catch {
    return undefined;
  }
}

function readArguments(words: readonly string[]): { folders: readonly string[]; listed: number } {
  const at = words.indexOf("--list");
  if (at === -1) return { folders: words, listed: 0 };
  return { folders: words.toSpliced(at, 2), listed: Number(words[at + 1]) };
}
