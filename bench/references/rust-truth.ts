// node bench/references/rust-truth.ts --mirrors DIR [--cache DIR] [--only NAME,…] [--count N] [--out DIR]
// The users of a sample of the definitions of Rust crates, from the compiler: see rust-renames.ts. Stored in truth/, for
// score.ts. The crates need nothing but the standard library.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { filesAt, mirrorDirectory } from "../quality/mirror.ts";
import { writeTree } from "./checkout.ts";
import { importLines } from "./import-lines.ts";
import { rustDefinitions, type RustDefinition } from "./rust-definitions.ts";
import { compiledLines, leftOut } from "./rust-inactive.ts";
import { compile, isLocalName, usersOf, type Crate, type Renamed } from "./rust-renames.ts";
import { shuffled, stratified } from "./sample.ts";
import {
  countsOf,
  inOrder,
  TRUTH_FOLDER,
  writeTruth,
  type Manifest,
  type Truth,
  type TruePlace,
  type TrueReference,
} from "./truth.ts";

interface RustRepository extends Crate {
  /** Of the truth. */
  readonly title: string;
  /** `owner/name`. */
  readonly github: string;
  readonly commit: string;
  /** The files of the crate. */
  readonly files: RegExp;
}

interface Candidate extends RustDefinition {
  readonly path: string;
}

const SEED = "references-2";
const BATCH_SIZE = 30;

const features = (names: string): readonly string[] =>
  names.split(" ").flatMap((name) => ["--cfg", `feature="${name}"`]);

const RUST_REPOSITORIES: readonly RustRepository[] = [
  {
    title: "regex-lite",
    github: "rust-lang/regex",
    commit: "2b527599eb9eea0dcc288c704584f242f26a5c61",
    file: "regex-lite/src/lib.rs",
    name: "regex_lite",
    edition: "2021",
    files: /^regex-lite\/src\/.*\.rs$/,
    words: features("std string"),
  },
  {
    title: "regex-syntax",
    github: "rust-lang/regex",
    commit: "2b527599eb9eea0dcc288c704584f242f26a5c61",
    file: "regex-syntax/src/lib.rs",
    name: "regex_syntax",
    edition: "2021",
    files: /^regex-syntax\/src\/.*\.rs$/,
    words: features(
      "std unicode unicode-age unicode-bool unicode-case unicode-gencat unicode-perl unicode-script unicode-segment",
    ),
  },
  {
    title: "aho-corasick",
    github: "BurntSushi/aho-corasick",
    commit: "948d2e1f8e4b6b0aff13075176922e158c8bed46",
    file: "src/lib.rs",
    name: "aho_corasick",
    edition: "2021",
    files: /^src\/.*\.rs$/,
    words: features("std"),
  },
  {
    title: "xml-rs",
    github: "kornelski/xml-rs",
    commit: "e2b391aba4ed8e80725afd2612c8f7cfc7272d03",
    file: "src/lib.rs",
    name: "xml",
    edition: "2021",
    files: /^src\/.*\.rs$/,
    words: [],
  },
];

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    only: { type: "string", default: RUST_REPOSITORIES.map(({ title }) => title).join(",") },
    count: { type: "string", default: "140" },
    out: { type: "string", default: TRUTH_FOLDER },
  },
});
for (const repository of RUST_REPOSITORIES) {
  if (values.only.split(",").includes(repository.title)) console.log(makeTruth(repository));
}

/** Returns a line that describes the result. */
function makeTruth(repository: RustRepository): string {
  const { title, github, commit, files } = repository;
  const mirror = mirrorDirectory(values.mirrors, github);
  const root = join(values.cache, "rust", `${title}-${commit.slice(0, 10)}`);
  if (!existsSync(root)) {
    writeTree(mirror, commit, root);
    allowNames(join(root, repository.file));
  }
  const errors = compile(root, repository).filter((one) => !isLocalName(one));
  if (errors.length > 0) throw new Error(`${title} does not compile: ${errors[0]?.message}`);
  const paths = filesAt(mirror, commit).filter((path) => files.test(path));
  const texts = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const known = [...texts].flatMap(([path, text]): readonly Candidate[] =>
    rustDefinitions(text).map((definition) => ({ ...definition, path })),
  );
  const count = Number(values.count);
  const seed = `${SEED}\0${title}`;
  // More than wanted: some crates do not compile with another name, such as one in a text for a macro.
  const chosen = stratified(known, ({ kind }) => kind, { count: Math.ceil(count * 1.2), seed });
  const truths: Truth[] = [];
  const compiled = compiledLines(root, repository);
  for (const batch of batchesOf(shuffled(chosen, seed))) {
    const answers = usersOf(root, repository, batch);
    for (const [at, definition] of batch.entries()) {
      const found = answers[at];
      if (found === undefined) {
        console.log(`  no answer for ${definition.path}:${definition.line} ${definition.name}`);
      } else if (truths.length < count) {
        const references = referencesOf(found, texts);
        const unknown = leftOut(definition.name, texts, compiled);
        truths.push({ ...definition, references: inOrder([...references, ...unknown]) });
      }
    }
    console.log(`  ${truths.length} definitions`);
    // What there is so far: a large crate takes an hour.
    writeTruth(values.out, manifestOf(repository, known, truths), truths);
  }
  return `${title}: ${truths.length} of ${known.length} definitions`;
}

/** The new names are not written as those of types are. */
function allowNames(file: string): void {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/^#!\[(?:deny|forbid)\(non_camel_case_types\)\]$/m, "//"));
}

function manifestOf(
  { title: name, github, commit, files }: RustRepository,
  known: readonly Candidate[],
  truths: readonly Truth[],
): Manifest {
  return {
    name,
    repository: github,
    commit,
    tool: "rustc 1.95",
    packages: "none",
    seed: SEED,
    files: files.source,
    definitions: countsOf(known, truths),
    references: truths.reduce((sum, truth) => sum + truth.references.length, 0),
  };
}

function referencesOf(
  { uses, definitions }: Renamed,
  texts: ReadonlyMap<string, string>,
): readonly TrueReference[] {
  const reference = (place: TruePlace, isDefinition: boolean): TrueReference => {
    const isImport = importLines(place.path, texts.get(place.path) ?? "").has(place.line);
    return { ...place, isDefinition, isImport, isDirect: true };
  };
  return inOrder([
    ...definitions.map((place) => reference(place, true)),
    ...uses.map((place) => reference(place, false)),
  ]);
}

/** Definitions of different names, to be renamed together. */
function batchesOf(definitions: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const batches: Candidate[][] = [];
  for (const definition of definitions) {
    const batch = batches.find(
      (one) => one.length < BATCH_SIZE && one.every(({ name }) => name !== definition.name),
    );
    if (batch === undefined) batches.push([definition]);
    else batch.push(definition);
  }
  return batches;
}
