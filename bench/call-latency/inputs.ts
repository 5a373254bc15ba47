// Arguments for the tools that read, taken from the measured tree: the same in every run, and
// never the same twice for a tool.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { toFilePath } from "../../src/base/path-bytes.ts";
import { CODE, namesIn } from "../code-names.ts";
import type { IndexedTree } from "../growth/tree.ts";
import { pick, seededRandom, type Random } from "../quality/random.ts";

export type Input = Readonly<Record<string, unknown>>;

export interface ToolInputs {
  readonly tool: string;
  /** The name of its row in the table. */
  readonly title: string;
  readonly inputs: readonly Input[];
}

/** Content of the tree, in a random order that is the same in every run. */
interface Sample {
  readonly names: readonly string[];
  readonly paths: readonly string[];
  readonly sentences: readonly string[];
  /** Empty if the tree is not a git repository. */
  readonly commits: readonly string[];
}

type InputAt = (at: number) => Input;

/** A sentence of a comment or of prose. */
const SENTENCE = /^[ \t]*(?:\/\/+|\*|#+|--)?[ \t]*([A-Z][a-z]+(?: [\w'(),-]+){4,16}\.)[ \t]*$/m;
/** Attempts to find an input that was not used yet. */
const TRIES = 20;

/** `count` inputs for each tool that reads. */
export function inputsOf(tree: IndexedTree, count: number): readonly ToolInputs[] {
  const random = seededRandom("call-latency");
  const kinds = kindsOf(sampleOf(tree, count), random);
  return kinds.map(([title, inputAt]) => {
    const [tool = ""] = title.split(",");
    // It has few arguments, so they repeat; its answers are not cached.
    const inputs =
      tool === "index_status" ? Array.from({ length: count }, (_, at) => inputAt(at)) : undefined;
    return { tool, title, inputs: inputs ?? differing(inputAt, count) };
  });
}

function kindsOf(sample: Sample, random: Random): readonly (readonly [string, InputAt])[] {
  const { names, paths, sentences, commits } = sample;
  const name = (): string => pick(names, random) ?? "";
  const path = (): string => pick(paths, random) ?? "";
  const lines = (): string => `${path()}:${spanFrom(random)}`;
  const commit = (): string | undefined => pick(commits, random);
  const target = (at: number): string => [name, path, lines][at % 3]?.() ?? "";
  return [
    ["outline", (at) => outlineInput(at, path)],
    ["search_context", (at) => ({ query: at % 3 === 2 ? words(name()) : pick(sentences, random) })],
    ["search_text, literal", () => ({ pattern: name() })],
    ["search_text, no literal", () => ({ pattern: shape(name()), regex: true })],
    ["find_symbol", (at) => ({ name: at % 3 === 2 ? name().slice(0, 5) : name() })],
    ["read_context", (at) => ({ targets: [target(at), target(at + 1)] })],
    ["find_references", (at) => referencesInput(at, { name, path })],
    ["analyze_impact", (at) => ({ target: (at % 4 === 3 && changeOf(commit())) || target(at) })],
    ["find_related", (at) => ({ target: target(at), relation: RELATED[at % RELATED.length] })],
    ["index_status", (at) => ({ detail: DETAILS[at % DETAILS.length] })],
    ["list_changes", (at) => changesInput(at, { path, commit })],
  ];
}

const RELATED = [undefined, "similar", "tests", "docs", "changed_together"];
const DETAILS = ["summary", "skipped", "health"];
const RELATIONS = [
  "references",
  "callers",
  "callees",
  "implementations",
  "references",
  "importers",
];

function outlineInput(at: number, path: () => string): Input {
  if (at % 6 === 5) return { max_tokens: 1000 + at };
  return { path: at % 2 === 0 ? path() : dirname(path()) };
}

function referencesInput(
  at: number,
  { name, path }: { readonly name: () => string; readonly path: () => string },
): Input {
  const relation = RELATIONS[at % RELATIONS.length];
  return { symbol: relation === "importers" ? path() : name(), relation };
}

function changesInput(
  at: number,
  { path, commit }: { readonly path: () => string; readonly commit: () => string | undefined },
): Input {
  if (at % 3 === 0) return { since: commit(), limit: 1 + at };
  if (at % 3 === 1) return { path: `${dirname(path())}/**`, limit: 1 + at };
  return { since: new Date(1_700_000_000_000 + at * 1e9).toISOString() };
}

function changeOf(commit: string | undefined): string | undefined {
  return commit === undefined ? undefined : `${commit}^!`;
}

function differing(inputAt: InputAt, count: number): readonly Input[] {
  const inputs = new Map<string, Input>();
  for (let tries = 0; tries < count * TRIES && inputs.size < count; tries += 1) {
    const input = inputAt(inputs.size);
    inputs.set(JSON.stringify(input), input);
  }
  return [...inputs.values()];
}

function sampleOf(tree: IndexedTree, count: number): Sample {
  const order = seededRandom("paths");
  const paths = tree.paths
    .filter((path) => typeof toFilePath(path) === "string")
    .map((path) => ({ path, at: order() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ path }) => path);
  const files = paths.map((path) => join(tree.root, path));
  const code = files.filter((file) => CODE.test(file));
  const names = namesIn(code, count * 5);
  return { names, paths, sentences: sentencesIn(files, count * 2), commits: commitsOf(tree.root) };
}

/** One sentence from each file that has one, until there are enough. */
function sentencesIn(files: readonly string[], count: number): readonly string[] {
  const sentences = new Set<string>();
  for (const file of files) {
    if (sentences.size >= count) break;
    const sentence = SENTENCE.exec(readFileSync(file, "utf8"))?.[1];
    if (sentence !== undefined) sentences.add(sentence);
  }
  return [...sentences];
}

function commitsOf(root: string): readonly string[] {
  const { stdout } = spawnSync("git", ["log", "--format=%H", "--max-count=300"], {
    cwd: root,
    encoding: "utf8",
  });
  return stdout.split("\n").filter((line) => line !== "");
}

/** Forty lines near the beginning of a file. */
function spanFrom(random: Random): string {
  const from = 1 + Math.floor(random() * 30);
  return `${from}-${from + 39}`;
}

/** A name, spelled as separate words. */
function words(name: string): string {
  return name
    .replaceAll("_", " ")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

/** A regular expression for every name of this form; it requires no particular letter. */
function shape(name: string): string {
  const classes = name.replaceAll(/[a-z]+|[A-Z]+|[0-9]+|_/g, (run) => {
    if (run === "_") return "[_]";
    const set = /[a-z]/.test(run) ? "a-z" : /[A-Z]/.test(run) ? "A-Z" : "0-9";
    return `[${set}]{${run.length}}`;
  });
  return String.raw`\b${classes}\b`;
}
