// node bench/references/compiled-truth.ts --mirrors DIR [--cache DIR] [--only NAME,…] [--count N] [--out DIR]
// The users of a sample of the definitions of each repository of compiled-repositories.ts, from the program of its
// language in oracles/. Stored in truth/, for score.ts.
import { spawnSync, type SpawnSyncOptions } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";

import { COMPILED_REPOSITORIES, type CompiledRepository } from "./compiled-repositories.ts";
import { installTool } from "./checkout.ts";
import { truthsOf } from "./compiled-facts.ts";
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
const KOTLIN = "kotlin-compiler@1.9.25";
const KOTLIN_JARS =
  "kotlin-compiler.jar kotlin-stdlib.jar kotlin-reflect.jar kotlin-test.jar kotlinx-coroutines-core-jvm.jar trove4j.jar annotations-13.0.jar".split(
    " ",
  );

interface Tool {
  readonly version: () => string;
  readonly definitions: (root: string, of: CompiledRepository) => readonly Truth[];
}

const TOOLS: Readonly<Record<CompiledRepository["language"], Tool>> = {
  go: { version: () => run("go", ["version"]).trim(), definitions: goDefinitions },
  java: { version: () => run("javac", ["-version"]).trim(), definitions: javaDefinitions },
  kotlin: { version: () => KOTLIN.replace("@", " "), definitions: kotlinDefinitions },
  csharp: { version: () => "NRefactory 5.3", definitions: csharpDefinitions },
  ruby: {
    version: () => run("ruby", ["--version"]).split(" ", 2).join(" "),
    definitions: rubyDefinitions,
  },
  elixir: {
    version: () => run("elixir", ["--short-version"]).trim().replace(/^/, "Elixir "),
    definitions: elixirDefinitions,
  },
  scala: { version: () => "Scala 2.11.12", definitions: scalaDefinitions },
  haskell: {
    version: () => run("ghc", ["--numeric-version"]).trim().replace(/^/, "GHC "),
    definitions: haskellDefinitions,
  },
};
/** Folders of Debian's libicsharpcode-nrefactory-cil-dev and libicsharpcode-nrefactory-cecil5.0-cil. */
const NREFACTORY = ["", ".CSharp", ".Cecil"].map(
  (part) => `/usr/lib/cli/ICSharpCode.NRefactory${part}-5.0`,
);

/** The folder of Debian's scala. */
const SCALA = "/usr/share/scala-2.11/lib";
const SCALA_JARS = "compiler reflect library xml parser-combinators".split(" ");
/** The compiler recurses deeply. */
const SCALA_STACK = "-Xss8m";

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
function makeTruth(of: CompiledRepository): string {
  const { name, github, commit, files } = of;
  const root = treeOf({ name, repository: github, commit }, values);
  const all = definitionsOf(root, of);
  const seed = `${SEED}\0${name}`;
  const truths = stratified(all, ({ kind }) => kind, { count: Number(values.count), seed });
  const counts = KINDS_OF_DEFINITION.map(
    (kind) => [kind, { known: countOf(all, kind), sampled: countOf(truths, kind) }] as const,
  );
  const manifest: Manifest = {
    name,
    repository: github,
    commit,
    tool: TOOLS[of.language].version(),
    packages: of.language === "haskell" ? "installed" : "not installed",
    seed: SEED,
    ...(files === undefined ? {} : { files }),
    definitions: Object.fromEntries(counts.filter(([, { known }]) => known > 0)),
    references: truths
      .flatMap(({ references }) => references)
      .filter(({ isUnknown }) => isUnknown !== true).length,
  };
  writeTruth(values.out, manifest, truths);
  return `${name}: ${truths.length} of ${all.length} definitions, ${manifest.references} references`;
}

function definitionsOf(root: string, of: CompiledRepository): readonly Truth[] {
  return TOOLS[of.language].definitions(root, of);
}

function goDefinitions(root: string, { sources }: CompiledRepository): readonly Truth[] {
  const program = join(import.meta.dirname, "oracles/main.go");
  const facts = run("go", ["run", program, root, "facts"]);
  return truthsOf(facts.split("\n").toSorted().join("\n"), sources);
}

function javaDefinitions(root: string, { sources }: CompiledRepository): readonly Truth[] {
  const program = join(import.meta.dirname, "oracles/JavaReferences.java");
  return parseTruths(run("java", [program, root, sources]));
}

function kotlinDefinitions(
  root: string,
  { sources, files = "" }: CompiledRepository,
): readonly Truth[] {
  const library = join(installTool(KOTLIN, values.cache), "lib");
  const path = KOTLIN_JARS.map((jar) => join(library, jar)).join(delimiter);
  const program = join(import.meta.dirname, "oracles/KotlinReferences.java");
  return truthsOf(run("java", ["-cp", path, program, root, files]), sources);
}

function csharpDefinitions(
  root: string,
  { sources, files = "", symbols = "" }: CompiledRepository,
): readonly Truth[] {
  const program = join(values.cache, "CSharpReferences.exe");
  const source = join(import.meta.dirname, "oracles/CSharpReferences.cs");
  const libraries = NREFACTORY.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".dll"))
      .map((name) => `-r:${join(folder, name)}`),
  );
  run("mcs", [`-out:${program}`, ...libraries, source]);
  const options = { env: { ...process.env, MONO_PATH: NREFACTORY.join(":") } };
  return truthsOf(run("mono", [program, root, files, symbols], options), sources);
}

function rubyDefinitions(
  root: string,
  { sources, files = "", tests = "" }: CompiledRepository,
): readonly Truth[] {
  const facts = join(values.cache, "facts.tsv");
  const program = join(import.meta.dirname, "oracles/ruby_calls.rb");
  const script = 'Dir[ARGV.shift].sort.each { |test| require "./#{test}" }';
  // Minitest runs tests in a random order.
  const env = { ...process.env, SVC_FACTS: facts, SVC_FILES: files, SEED: "0" };
  const words = ["-r", program, "-Ilib", "-Itest", "-e", script, tests];
  // The tests may fail: only what they call counts.
  spawnSync("ruby", words, { cwd: root, env });
  // The facts are in the order in which the tests called the methods, which threads decide too.
  const sorted = readFileSync(facts, "utf8").split("\n").toSorted().join("\n");
  return truthsOf(sorted, sources);
}

function elixirDefinitions(root: string, { sources }: CompiledRepository): readonly Truth[] {
  const program = join(import.meta.dirname, "oracles/elixir_calls.exs");
  const facts = run("elixir", [program, "lib"], { cwd: root });
  return truthsOf(facts.split("\n").toSorted().join("\n"), sources);
}

function scalaDefinitions(
  root: string,
  { sources, files = "" }: CompiledRepository,
): readonly Truth[] {
  const classes = join(values.cache, "scala-classes");
  mkdirSync(classes, { recursive: true });
  const jars = SCALA_JARS.map((name) => join(SCALA, `scala-${name}.jar`)).join(delimiter);
  const program = join(import.meta.dirname, "oracles/ScalaReferences.scala");
  run("scalac", ["-cp", jars, "-d", classes, program]);
  const path = [classes, jars].join(delimiter);
  const words = [SCALA_STACK, "-cp", path, "ScalaReferences", root, files];
  return truthsOf(run("java", words), sources);
}

function haskellDefinitions(
  root: string,
  { name, sources, files = "", folders = "", flags = [] }: CompiledRepository,
): readonly Truth[] {
  const work = join(values.cache, "haskell");
  const facts = join(work, name);
  mkdirSync(facts, { recursive: true });
  const isRead = new RegExp(files);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" });
  const modules = paths.filter((path) => isRead.test(path)).toSorted();
  for (const path of modules) addCabalModule(work, readFileSync(join(root, path), "utf8"));
  const words = ["-v0", "-fno-code", "-fwrite-ide-info", "-hiedir", facts, `-i${folders}:${work}`];
  run("ghc", [...words, ...flags, "-XHaskell2010", ...modules], { cwd: root });
  const source = join(import.meta.dirname, "oracles/HaskellReferences.hs");
  const program = join(work, "haskell_references");
  const output = ["-outputdir", work, "-o", program];
  run("ghc", ["-v0", "-dynamic", "-package", "ghc", ...output, source]);
  return truthsOf(run(program, [facts], { cwd: root }), sources);
}

/** Writes the module that Cabal makes for a package, if a text imports it. */
function addCabalModule(folder: string, text: string): void {
  const module = /^import\s+(?:qualified\s+)?(Paths_\w+)/m.exec(text)?.[1];
  if (module === undefined) return;
  const lines = [
    `module ${module} where`,
    "import Data.Version",
    "version :: Version",
    "version = makeVersion [1]",
    "getDataDir :: IO FilePath",
    'getDataDir = pure ""',
    "getDataFileName :: FilePath -> IO FilePath",
    "getDataFileName = pure",
  ];
  writeFileSync(join(folder, `${module}.hs`), lines.join("\n"));
}

function run(command: string, words: readonly string[], options: SpawnSyncOptions = {}): string {
  const { status, error, stdout, stderr } = spawnSync(command, words, {
    ...options,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${words.join(" ")}: ${error?.message ?? stderr}`);
}

function countOf(truths: readonly Truth[], kind: string): number {
  return truths.filter((truth) => truth.kind === kind).length;
}
