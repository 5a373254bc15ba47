// node bench/rivals/run.ts --trees DIR --tool NAME --program PATH [--index] [--show] [--keep FILE]
// Runs the queries of questions.json on a tool's command line and prints how many are right. DIR has a work
// tree for each repository, at its commit. --index makes the index first, and reports its processor time. --keep
// writes the verdicts, with the beginning of each reply.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { table } from "../quality/table.ts";
import { timed } from "../timed-child.ts";
import { filesBelow } from "../workspace.ts";
import { filesNamed, grade, verdict, type Question } from "./grade.ts";
import { TOOLS, type Tool } from "./tools.ts";

interface Answered {
  readonly question: Question;
  readonly verdict: string;
  readonly wallMs: number;
  readonly tokens: number;
  /** How the answer begins. */
  readonly reply: string;
}

const QUESTIONS = join(import.meta.dirname, "questions.json");
const MAX_OUTPUT_BYTES = 1 << 28;
const SHOWN_CHARACTERS = 240;

const { values } = parseArgs({
  options: {
    trees: { type: "string", default: "." },
    tool: { type: "string", default: "svc" },
    program: { type: "string", default: join(import.meta.dirname, "../../dist/svc") },
    index: { type: "boolean", default: false },
    keep: { type: "string" },
    show: { type: "boolean", default: false },
  },
});
const tool = TOOLS.find(({ name }) => name === values.tool);
if (tool === undefined) throw new Error(`there is no tool ${values.tool}`);
const { questions }: { readonly questions: readonly Question[] } = JSON.parse(
  readFileSync(QUESTIONS, "utf8"),
);
const answered: Answered[] = [];
for (const [repository, ofRepository] of Map.groupBy(
  questions,
  (question) => question.repository,
)) {
  const root = join(values.trees, repository);
  // oxlint-disable-next-line no-await-in-loop -- parallel runs would distort the time
  if (values.index) console.log(`${repository}: ${await makeIndex(tool, root)}`);
  const known = new Set(filesBelow(root).map((file) => file.slice(root.length + 1)));
  for (const question of ofRepository) answered.push(answer(tool, question, { root, known }));
}
const rows = answered.map(({ question, verdict: came, wallMs, tokens }) => [
  `${question.id} ${question.kind} ${question.name}`,
  came,
  tokens,
  Math.round(wallMs),
]);
const right = answered.filter((one) => one.verdict === "right").length;
console.log(table(["question", "verdict", "tokens", "ms"], rows));
console.log(`${right} of ${answered.length} right`);
if (values.keep !== undefined) {
  const kept = answered.map(({ question: { id }, verdict: came, tokens, reply }) => ({
    id,
    verdict: came,
    tokens,
    reply,
  }));
  writeFileSync(values.keep, `${JSON.stringify(kept, null, 2)}\n`);
}

function answer(
  contender: Tool,
  question: Question,
  { root, known }: { readonly root: string; readonly known: ReadonlySet<string> },
): Answered {
  const words = contender.ask(question, root);
  if (words === undefined) {
    return { question, verdict: "cannot be asked", wallMs: 0, tokens: 0, reply: "" };
  }
  const { output, wallMs } = run(words, root);
  const text = contender.answer?.(output, question) ?? output;
  const named = filesNamed(text, known);
  const came = grade(question, named);
  if (values.show) {
    console.log(`${question.id}: wrong ${came.wrong.join(" ")}; missed ${came.missed.join(" ")}`);
  }
  const tokens = Math.ceil(output.length / 4);
  const reply = text.slice(0, SHOWN_CHARACTERS);
  return { question, verdict: verdict(came), wallMs, tokens, reply };
}

async function makeIndex(contender: Tool, root: string): Promise<string> {
  const given = Object.entries(process.env).map(([name, value = ""]) => [name, value] as const);
  const env = Object.fromEntries(given);
  const { cpuMs, wallMs } = await timed([values.program, ...contender.index(root)], { env });
  return `index ${(cpuMs / 1000).toFixed(1)} s of the processor, ${(wallMs / 1000).toFixed(1)} s`;
}

function run(words: readonly string[], directory: string): { output: string; wallMs: number } {
  const from = performance.now();
  const { error, stdout } = spawnSync(values.program, words, {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (error) throw error;
  return { output: stdout, wallMs: performance.now() - from };
}
