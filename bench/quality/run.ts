// node bench/quality/run.ts [FLAGS]: measures the quality of the answers of dist/svc. Runs the queries of several
// suites over MCP, prints the figures next to their targets, and stores them in bench/results/. --robust: queries in
// other words; --wrong: queries on the wrong repository; --compare A B: compares two runs. Ends with 1 if a corpus or a
// query failed, with 2 if the command line is wrong.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { SvcError } from "../../src/base/errors.ts";
import { askAll, type AskOptions } from "./ask.ts";
import { comparisonTable } from "./compare.ts";
import { parseOptions, type Options } from "./options.ts";
import { prepareCorpora } from "./prepare.ts";
import { figuresTable, keep, keepRows, verdictTable } from "./publish.ts";
import { keptAnswers } from "./kept-answers.ts";
import { loadLibrary, type Library } from "./questions.ts";
import { ROBUST_SUITES, robustness, robustTable } from "./robust.ts";
import { rowOf, summaries, type Row } from "./rows.ts";
import { LIMIT } from "./server.ts";
import { suitesOf, tasksOf, type Task } from "./suites.ts";
import { judge, readTargets, targetSuites } from "./targets.ts";
import { otherCorpora, WRONG_SUITE, wrongPlaces, wrongTable } from "./wrong.ts";

/** Prints and saves the results, and returns a sentence for each failure. */
type Mode = (library: Library, options: Options) => Promise<readonly string[]>;

const MODES: Readonly<Record<Exclude<Options["mode"], "compare">, Mode>> = {
  quality,
  robust,
  wrong,
};

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  try {
    const options = parseOptions(words, process.env);
    if (options.mode === "compare") {
      const [before = "", after = ""] = options.files;
      console.log(comparisonTable(before, after));
      return 0;
    }
    const failures = await MODES[options.mode](loadLibrary(options.questions), options);
    for (const failure of failures) console.error(`bench: ${failure}`);
    return failures.length === 0 ? 0 : 1;
  } catch (failure) {
    if (!(failure instanceof SvcError)) throw failure;
    console.error(`bench: ${failure.detail}`);
    return 2;
  }
}

async function quality(library: Library, options: Options): Promise<readonly string[]> {
  const suites = askedSuites(library, options);
  const conditions = conditionsOf(options);
  const tasks = tasksOf(library, options.selection);
  const ready = readyTasks(tasks, options);
  const { get, failures } = await askAll(
    ready.map(({ place, question: { query } }) => ({ place, query })),
    {
      ...askOptions(options),
      kept: keptAnswers(answersFolder(options), options.svc, options.resume),
    },
  );
  const rows = ready.flatMap((task) => {
    const answer = get({ place: task.place, query: task.question.query });
    return answer === undefined ? [] : [rowOf(task, answer)];
  });
  const figures = summaries(rows, options.jobs === 1);
  const targets = readTargets().filter(({ suite }) => suites.includes(suite) || suite === "all");
  const judged = targets.map((target) => judge(target, figures));
  const counts = Map.groupBy(tasksOf(library, {}), ({ suite }) => suite);
  console.log(
    `\n${figuresTable(figures)}\n\n${verdictTable(judged, figures, (suite) => counts.get(suite)?.length ?? 0)}`,
  );
  if (rows.length > 0) keep("quality", { conditions, suites: figures, targets: judged });
  if (options.out !== undefined) keepRows(options.out, rows);
  return [...failures, ...unanswered(rows)];
}

async function robust(library: Library, options: Options): Promise<readonly string[]> {
  const conditions = conditionsOf(options);
  const selected = askedSuites(library, options);
  const suites = ROBUST_SUITES.filter((suite) => selected.includes(suite));
  const tasks = readyTasks(tasksOf(library, { ...options.selection, suites }), options);
  const result = await robustness(tasks, askOptions(options));
  console.log(`\n${robustTable(result.losses)}`);
  keep("quality-robust", { conditions, losses: result.losses });
  return result.failures;
}

async function wrong(library: Library, options: Options): Promise<readonly string[]> {
  const conditions = conditionsOf(options);
  const suites = [WRONG_SUITE];
  const corpora = tasksOf(library, { suites }).map(({ place }) => place.corpus);
  const others = otherCorpora([...new Set(corpora)]);
  const tasks = readyTasks(tasksOf(library, { ...options.selection, suites }), options, (task) => {
    const other = others.get(task.place.corpus.id);
    return other === undefined ? [] : [other];
  });
  const result = await wrongPlaces(tasks, others, askOptions(options));
  console.log(`\n${wrongTable(result)}`);
  keep("quality-wrong", { conditions, byType: result.byType });
  return result.failures;
}

/** The selected suites, or all. Throws USAGE for an unknown suite. */
function askedSuites(library: Library, { selection }: Options): readonly string[] {
  const known = [...new Set([...targetSuites(readTargets()), ...suitesOf(library)])];
  const suites = selection.suites ?? known;
  const unknown = suites.find((suite) => !known.includes(suite));
  if (unknown === undefined) return suites;
  throw new SvcError("USAGE", `There is no suite "${unknown}".`, {
    hint: `There are ${known.join(", ")}.`,
  });
}

/** The tasks whose corpora exist or can be created; reports the others. */
function readyTasks(
  tasks: readonly Task[],
  { store }: Options,
  more: (task: Task) => readonly Task["place"]["corpus"][] = () => [],
): readonly Task[] {
  const corporaOf = (task: Task): readonly Task["place"]["corpus"][] => [
    task.place.corpus,
    ...more(task),
  ];
  const missing = prepareCorpora(new Set(tasks.flatMap(corporaOf)), store);
  for (const [id, reason] of missing) console.error(`bench: ${id} is left out: ${reason}`);
  return tasks.filter((task) => corporaOf(task).every(({ id }) => !missing.has(id)));
}

function answersFolder({ store }: Options): string {
  return join(store.folder, ".answers");
}

function askOptions({ svc, store, jobs }: Options): AskOptions {
  return { svc, store, jobs, report: (line) => console.error(line) };
}

/** The conditions of the figures. Throws USAGE if there is nothing to measure. */
function conditionsOf({ svc, selection, jobs }: Options): Readonly<Record<string, unknown>> {
  const { status, stdout } = spawnSync(svc, ["--version"], { encoding: "utf8" });
  if (status !== 0) {
    throw new SvcError("USAGE", `${svc} does not run.`, { hint: "Run `npm run build`." });
  }
  return { svc: stdout.trim(), limit: LIMIT, jobs, selection };
}

function unanswered(rows: readonly Row[]): readonly string[] {
  const failed = rows.filter(({ error }) => error !== undefined);
  const [first] = failed;
  if (first === undefined) return [];
  return [`${failed.length} questions got no answer, ${first.id} first: ${first.error}`];
}
