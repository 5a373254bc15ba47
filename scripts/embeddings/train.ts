// node scripts/embeddings/train.ts --sources DIR --out FILE: learns a table of word vectors from the comments,
// names and headings in folders of sources. Ends with 1 if the table finds no more than a random one.
// README.md next to this file describes how the table that svc ships was made.
import { runCommand } from "citty";

import { errorRow, SvcError, toSvcError } from "../../src/base/errors.ts";
import { writeFileAtomic } from "../../src/base/files.ts";
import type { CommandCall } from "../../src/cli/command.ts";
import { readEmbeddingTable } from "../../src/embed/read-embedding-table.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import { MIN_BATCH_SIZE } from "./batches.ts";
import { command, helpText, USAGE, type TrainingRun } from "./command-line.ts";
import { readCorpus } from "./corpus.ts";
import { createEmbedder, MIN_QUESTIONS, meanReciprocalRank, questionsOf } from "./evaluate.ts";
import { toExamples } from "./examples.ts";
import { packTable } from "./pack.ts";
import type { Pair } from "./pairs.ts";
import { listPackages } from "./sources.ts";
import { randomTable, train, type Progress } from "./trainer.ts";
import { chooseVocabulary } from "./vocabulary.ts";

/** Writers for the lines of the results and of the progress. */
export interface Output {
  readonly result: (line: string) => void;
  readonly note: (line: string) => void;
}

/** Resolves to the exit code. An error of the program is thrown. */
export async function main(words: readonly string[], voice: Output): Promise<number> {
  try {
    let code = 0;
    const call: CommandCall<(run: TrainingRun) => Promise<number>> = {
      open: () => (run) => trainTable(run, voice),
      close: () => {},
      showHelp: () => voice.result(helpText()),
      end(result) {
        code = result ?? 0;
      },
    };
    await runCommand(command.toCitty(call), { rawArgs: ["--", ...words] });
    return code;
  } catch (thrown) {
    const error = toSvcError(thrown);
    if (error.code === "INTERNAL_ERROR") throw thrown;
    voice.note(`train: ${error.detail}`);
    if (error.code === "USAGE") voice.note(`Usage: ${USAGE}`);
    return errorRow(error).exit;
  }
}

async function trainTable(run: TrainingRun, voice: Output): Promise<number> {
  const { sources, out, dimensions, bits, seed, epochs, isHeldOut } = run;
  const corpus = readCorpus(listPackages(sources), {
    grammars: await packedGrammars(),
    isHeldOut: isHeldOut ?? (() => false),
  });
  const vocabulary = chooseVocabulary(corpus.words, run.rows);
  if (vocabulary.words.length === 0) throw tooLittle(0, sources);
  const table = randomTable(vocabulary.probabilities, dimensions, seed);
  const random = packTable(table, vocabulary, bits);
  const examples = toExamples(corpus, readEmbeddingTable(random).rowsOf);
  const count = examples.packages.length;
  if (count < MIN_BATCH_SIZE) throw tooLittle(count, sources);
  const questions = questionsOf(corpus.heldOut, seed);
  if (isHeldOut !== undefined) checkQuestions(questions.length);
  voice.note(
    `${count} pairs to learn, ${questions.length} held-out comments with code, ` +
      `${vocabulary.words.length} words`,
  );
  train(table, examples, { epochs, seed, onStep: createProgress(voice) });
  const trained = packTable(table, vocabulary, bits);
  write(out, trained);
  voice.result(`${out}: ${vocabulary.words.length} rows, ${trained.length} bytes`);
  if (questions.length > 0) return compareWithRandom(questions, { trained, random }, voice);
  voice.note("Nothing was held out, so the table was not evaluated.");
  return 0;
}

/** 1 if the table finds no more than a random one of the same words. */
function compareWithRandom(
  questions: readonly Pair[],
  { trained, random }: { readonly trained: Buffer; readonly random: Buffer },
  voice: Output,
): number {
  const reached = meanReciprocalRank(questions, createEmbedder(trained));
  const bar = meanReciprocalRank(questions, createEmbedder(random));
  voice.result(`MRR@10 of comment to code: ${reached.toFixed(3)}, random table ${bar.toFixed(3)}`);
  if (reached > bar) return 0;
  voice.note("The table finds no more than a random one: it needs more sources, or more epochs.");
  return 1;
}

function tooLittle(count: number, sources: readonly string[]): SvcError {
  return new SvcError(
    "USAGE",
    `There is too little training data in ${sources.join(", ")}: ${count} pairs of a text and its subject ` +
      `in words of several files; at least ${MIN_BATCH_SIZE} are required.`,
    {
      hint: "Name folders with more documented code. Tests, generated files and ignored files are skipped.",
    },
  );
}

function checkQuestions(count: number): void {
  if (count >= MIN_QUESTIONS) return;
  throw new SvcError(
    "USAGE",
    `The held-out files have ${count} comments with code; at least ${MIN_QUESTIONS} are required.`,
    { hint: "Hold out more with --held-out, or nothing with --held-out 0." },
  );
}

/** Reports the mean loss ten times, each time since the previous report. */
function createProgress(voice: Output): (progress: Progress) => void {
  const start = performance.now();
  let losses: number[] = [];
  return ({ step, steps, loss }) => {
    losses.push(loss);
    if (step % Math.ceil(steps / 10) !== 0 && step !== steps) return;
    const mean = losses.reduce((sum, each) => sum + each, 0) / losses.length;
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    voice.note(`step ${step} of ${steps}: loss ${mean.toFixed(3)}, ${seconds} s`);
    losses = [];
  };
}

function write(path: string, bytes: Uint8Array): void {
  try {
    writeFileAtomic(path, bytes, { mode: 0o644 });
  } catch (cause) {
    const known = toSvcError(cause);
    if (known.code !== "INTERNAL_ERROR") throw known;
    throw new SvcError("USAGE", `The table cannot be written to ${path}.`, {
      hint: "Choose a file in a writable folder.",
      cause,
    });
  }
}

if (import.meta.main) {
  process.exitCode = await main(process.argv.slice(2), {
    result: (line) => console.log(line),
    note: (line) => console.error(line),
  });
}
