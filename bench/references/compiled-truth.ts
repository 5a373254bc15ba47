// node bench/references/compiled-truth.ts --mirrors DIR [--cache DIR] [--only NAME,…] [--count N] [--out DIR]
// The users of a sample of the definitions of each repository of compiled-repositories.ts, from the program of its
// language in oracles/. Stored in truth/, for score.ts.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { COMPILED_REPOSITORIES, type CompiledRepository } from "./compiled-repositories.ts";
import { treeOf } from "./open-tree.ts";
import { stratified } from "./sample.ts";
import {
  KINDS_OF_DEFINITION,
  parseTruths,
  TRUTH_FOLDER,
  writeTruth,
  type Manifest,
  type Truth,
} from "./truth.ts";

const SEED = "compiled-1";
const MAX_OUTPUT_BYTES = 1 << 30;

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    only: { type: "string", default: COMPILED_REPOSITORIES.map(({ name }) => name).join(",") },
    count: { type: "string", default: "160" },
    out: { type: "string", default: TRUTH_FOLDER },
  },
});
const only = values.only.split(",");
for (const repository of COMPILED_REPOSITORIES) {
  if (only.includes(repository.name)) console.log(makeTruth(repository));
}

/** Returns a line that describes the result. */
function makeTruth({ name, github, commit, sources }: CompiledRepository): string {
  const root = treeOf({ name, repository: github, commit }, values);
  const all = definitionsOf(root, sources);
  const seed = `${SEED}\0${name}`;
  const truths = stratified(all, ({ kind }) => kind, { count: Number(values.count), seed });
  const counts = KINDS_OF_DEFINITION.map(
    (kind) => [kind, { known: countOf(all, kind), sampled: countOf(truths, kind) }] as const,
  );
  const manifest: Manifest = {
    name,
    repository: github,
    commit,
    tool: javaVersion(),
    packages: "not installed",
    seed: SEED,
    definitions: Object.fromEntries(counts.filter(([, { known }]) => known > 0)),
    references: truths
      .flatMap(({ references }) => references)
      .filter(({ isUnknown }) => isUnknown !== true).length,
  };
  writeTruth(values.out, manifest, truths);
  return `${name}: ${truths.length} of ${all.length} definitions, ${manifest.references} references`;
}

function definitionsOf(root: string, sources: string): readonly Truth[] {
  const program = join(import.meta.dirname, "oracles/JavaReferences.java");
  return parseTruths(run("java", [program, root, sources]));
}

function javaVersion(): string {
  return run("javac", ["-version"]).trim();
}

function run(command: string, words: readonly string[]): string {
  const { status, error, stdout, stderr } = spawnSync(command, words, {
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${words.join(" ")}: ${error?.message ?? stderr}`);
}

function countOf(truths: readonly Truth[], kind: string): number {
  return truths.filter((truth) => truth.kind === kind).length;
}
