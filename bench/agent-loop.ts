// node bench/agent-loop.ts --mirrors DIR [--only ID,ID] [--folder DIR] [--codegraph]: counts the calls and tokens that
// an agent needs until it has seen a line that the fix of an issue changed. The agents are fixed policies
// (bench/agent-loop/policies.ts); the issues are those of the suite `swe` whose repositories are in DIR, with their
// whole text. bench/README.md says what this shows and what not.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { rgPath } from "@vscode/ripgrep";

import type { Engine } from "../src/engine/api/engine.ts";
import { localOwner } from "../src/sources/principal.ts";
import { outlineMarkdown } from "../src/tools/analysis/outline-markdown.ts";
import { callTool, POLICIES, type Workbench } from "./agent-loop/policies.ts";
import { corpusPathsOf } from "./quality/corpus-paths.ts";
import { corpusFolder, prepareCorpora } from "./quality/prepare.ts";
import { loadLibrary, OWN_QUESTIONS, type Corpus, type Question } from "./quality/questions.ts";
import { table } from "./quality/table.ts";
import { median } from "./report.ts";
import { install } from "./rivals/compare/install.ts";
import { engineIn } from "./worktrees/engine-in.ts";
import { homesIn } from "./workspace.ts";

const SUITE = "swe";
const WHOLE = "issue-full";
const MAX_CALLS = 30;
const MAX_TOKENS = 40_000;
const CHARACTERS_PER_TOKEN = 4;
/** Shorter lines occur in many places. */
const MIN_LINE_LENGTH = 8;

/** The cost of a policy for an issue; `isFound` is false if it gave up. */
interface Effort {
  readonly isFound: boolean;
  readonly calls: number;
  readonly tokens: number;
}

const { values } = parseArgs({
  options: {
    mirrors: { type: "string" },
    only: { type: "string" },
    folder: { type: "string", default: tmpdir() },
    codegraph: { type: "boolean", default: false },
  },
});
if (values.mirrors === undefined)
  throw new Error("Name the folder of the repositories: --mirrors DIR");

const place = mkdtempSync(join(values.folder, "svc-agent-loop-"));
const store = { folder: join(values.folder, "svc-agent-loop-corpora"), mirrors: values.mirrors };
const library = loadLibrary([OWN_QUESTIONS]);
const questions = library.questions.filter(
  ({ suite, type, corpus }) =>
    suite === SUITE && type === WHOLE && (values.only?.split(",").includes(corpus) ?? true),
);
const corpora = [...new Set(questions.map(({ corpus }) => corpus))].flatMap((id) => {
  const corpus = library.corpora.get(id);
  return corpus === undefined ? [] : [corpus];
});
const codegraph = values.codegraph
  ? install(join(values.folder, "svc-rivals-tools")).contenders.find(
      ({ name }) => name === "codegraph",
    )
  : undefined;
const efforts = new Map<string, Effort[]>();

function grep(root: string, text: string): string {
  const args = ["-n", "--no-heading", "--sort", "path", "-F", "--", text, "."];
  const { stdout } = spawnSync(rgPath, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  return stdout.replaceAll(/^\.\//gm, "");
}

function readLines(root: string, path: string, start: number, end: number): string {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return [path, ...lines.slice(Math.max(0, start - 1), end)].join("\n");
}

async function svc(
  engine: Engine,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  if (name !== "map") return callTool(engine, localOwner(), { name, input });
  const { query, max_tokens: maxTokens } = input;
  const { signal } = new AbortController();
  const asked = { query: String(query), maxTokens: Number(maxTokens) };
  const result = await engine.outline({ ...asked, principal: localOwner(), signal });
  return outlineMarkdown(result).join("\n");
}

/** Returns whether an output shows one of the lines: its text after the path of its file. */
function shows(output: string, root: string, { gold }: Question): boolean {
  const lines = output.split("\n").map((line) => line.replace(/^[^:]*:\d+:/, "").trim());
  return gold.some(({ path, start, end = start }) => {
    if (start === undefined || end === undefined || !output.includes(path)) return false;
    return readLines(root, path, start, end)
      .split("\n")
      .slice(1)
      .some((line) => line.trim().length >= MIN_LINE_LENGTH && lines.includes(line.trim()));
  });
}

async function follow(bench: Workbench, root: string, question: Question): Promise<void> {
  for (const [name, policy] of Object.entries(POLICIES)) {
    if (name === "codegraph" && bench.codegraph === undefined) continue;
    let [calls, characters, isFound] = [0, 0, false];
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    for await (const output of policy(bench)) {
      calls += 1;
      characters += output.length;
      isFound = shows(output, root, question);
      if (isFound || calls >= MAX_CALLS || characters >= MAX_TOKENS * CHARACTERS_PER_TOKEN) break;
    }
    const effort = { isFound, calls, tokens: Math.round(characters / CHARACTERS_PER_TOKEN) };
    efforts.set(name, [...(efforts.get(name) ?? []), effort]);
  }
}

async function measure(corpus: Corpus): Promise<void> {
  const source = corpusFolder(store, corpus);
  const own = join(place, corpus.id);
  // A tool may write into the tree.
  const root = join(own, "tree");
  mkdirSync(own);
  cpSync(source, root, { recursive: true });
  const paths = corpusPathsOf(root, "");
  const engine = engineIn(homesIn(own)(), root);
  try {
    await engine.index({ principal: localOwner(), signal: new AbortController().signal });
    const spot = { root, state: own, env: { PATH: process.env["PATH"] ?? "", HOME: own }, paths };
    const run = ([program = "", ...args]: readonly string[]): string =>
      spawnSync(program, args, { cwd: root, env: spot.env, encoding: "utf8", maxBuffer: 1 << 28 })
        .stdout;
    const command = codegraph?.index?.(spot);
    if (command !== undefined) run(command);
    for (const question of questions.filter(({ corpus: id }) => id === corpus.id)) {
      const bench: Workbench = {
        issue: question.query,
        paths,
        readLines: (path, start, end) => readLines(root, path, start, end),
        grep: (text) => grep(root, text),
        svc: (name, input) => svc(engine, name, input),
        codegraph: codegraph && ((query) => run(codegraph.ask(query, spot))),
      };
      // oxlint-disable-next-line no-await-in-loop -- one issue after the other
      await follow(bench, root, question);
    }
  } finally {
    await engine.close();
    rmSync(own, { recursive: true, force: true });
  }
}

try {
  const missing = prepareCorpora(corpora, store);
  const ready = corpora.filter(({ id }) => !missing.has(id) && existsSync(join(store.folder, id)));
  for (const corpus of ready) {
    // oxlint-disable-next-line no-await-in-loop -- one repository after the other
    await measure(corpus);
    console.error(corpus.id);
  }
  console.log(
    table(
      ["policy", "issues", "found", "median calls", "median tokens", "mean tokens"],
      [...efforts].map(([name, all]) => {
        const share = all.filter(({ isFound }) => isFound).length / all.length;
        const tokens = all.map(({ isFound, tokens: used }) => (isFound ? used : MAX_TOKENS));
        const calls = all.map(({ isFound, calls: used }) => (isFound ? used : MAX_CALLS));
        const mean = tokens.reduce((sum, one) => sum + one, 0) / tokens.length;
        return [
          name,
          String(all.length),
          share.toFixed(2),
          String(median(calls)),
          String(Math.round(median(tokens))),
          String(Math.round(mean)),
        ];
      }),
    ),
  );
} finally {
  rmSync(place, { recursive: true, force: true });
}
