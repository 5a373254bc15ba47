// node scripts/tool-choice.ts prompt SEED | record FILE... | score
// Measures which tool a model chooses by the descriptions of the tools. `prompt` prints the text for a model;
// `record` adds its answers, one file of JSON each, to test/tools/choices/readings; `score` prints the
// result. CONTRIBUTING.md says when.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { definitions } from "../src/tools/definitions.ts";
import { createPrompt, descriptorsHash } from "./tool-choice/prompt.ts";
import { choicesOf, saveReading, readReadings, seedOf } from "./tool-choice/readings.ts";
import { scoreTasks, sumOf } from "./tool-choice/score.ts";
import { readTasks } from "./tool-choice/tasks.ts";

const ROOT = join(import.meta.dirname, "..");
const USAGE = "node scripts/tool-choice.ts prompt SEED | record FILE... | score";

function record(file: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its members are checked one by one
  const answer = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
  const seed = seedOf(answer);
  const prompt = createPrompt(definitions, readTasks(ROOT), seed);
  const names = definitions.map(({ name }) => name);
  const choices = choicesOf(answer, prompt, names);
  return saveReading(ROOT, { seed, descriptors: descriptorsHash(definitions), choices });
}

function score(): string {
  const readings = readReadings(ROOT);
  const scores = scoreTasks(readTasks(ROOT), readings);
  const missed = scores
    .filter(({ best }) => best < readings.length)
    .map(({ task, chosen }) => {
      const tools = chosen.map(([tool, times]) => `${tool} ${times}`).join(", ");
      return `${task.best}, but ${tools}: ${task.task}`;
    });
  const all = scores.length * readings.length;
  const totals = `best ${sumOf(scores, "best")}, best or accepted ${sumOf(scores, "right")}, of ${all}`;
  return [...missed, totals].join("\n");
}

const [command, ...rest] = process.argv.slice(2);
const seed = Number(rest[0]);
if (command === "prompt" && rest.length === 1 && Number.isSafeInteger(seed)) {
  process.stdout.write(createPrompt(definitions, readTasks(ROOT), seed).text);
} else if (command === "record" && rest.length > 0) {
  for (const file of rest) console.log(record(file));
} else if (command === "score" && rest.length === 0) {
  console.log(score());
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
