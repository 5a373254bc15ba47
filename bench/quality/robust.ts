// Measures how much worse the answers get when the questions use other words.
import { askAll, type AskOptions } from "./ask.ts";
import { scoreQuery } from "./metrics.ts";
import { seededRandom } from "./random.ts";
import { mean } from "./statistics.ts";
import type { Task } from "./suites.ts";
import { share, table } from "./table.ts";
import { VARIATIONS } from "./variations.ts";

/** The suites whose queries are varied. */
export const ROBUST_SUITES: readonly string[] = ["semble", "prx", "sivru", "docstring"];

/** Mean ndcg10 of the questions that a variation changes. */
export interface Loss {
  readonly variation: string;
  readonly suite: string;
  readonly questions: number;
  readonly asAsked: number;
  readonly varied: number;
}

/** ndcg10 of one question, and of its variation. */
export type ScoredVariation = Omit<Loss, "questions">;

interface VariedTask {
  readonly task: Task;
  readonly variation: string;
  readonly query: string;
}

export interface RobustResult {
  readonly losses: readonly Loss[];
  readonly failures: readonly string[];
}

const ALL_SUITES = "all";

/** Each question that a variation changes; the same ones in every run. */
export function variedTasks(tasks: readonly Task[]): readonly VariedTask[] {
  return Object.entries(VARIATIONS).flatMap(([variation, vary]) =>
    tasks.flatMap((task) => {
      const { id, query } = task.question;
      const varied = vary(query, seededRandom(`${variation}\0${id}`));
      return varied === query ? [] : [{ task, variation, query: varied }];
    }),
  );
}

export async function robustness(
  tasks: readonly Task[],
  options: AskOptions,
): Promise<RobustResult> {
  const varied = variedTasks(tasks);
  const { get, failures } = await askAll(
    [
      ...tasks.map(({ place, question: { query } }) => ({ place, query })),
      ...varied.map(({ task, query }) => ({ place: task.place, query })),
    ],
    options,
  );
  const scored = varied.flatMap(({ task, variation, query }) => {
    const { place, question, suite } = task;
    const [before, after] = [get({ place, query: question.query }), get({ place, query })];
    if (before === undefined || after === undefined) return [];
    const scoreOf = (answer: typeof before): number => scoreQuery(question.gold, answer).ndcg10;
    return [{ variation, suite, asAsked: scoreOf(before), varied: scoreOf(after) }];
  });
  return { losses: lossesOf(scored), failures };
}

/** For each variation: all suites together, and each suite. */
export function lossesOf(scored: readonly ScoredVariation[]): readonly Loss[] {
  const suites = [ALL_SUITES, ...new Set(scored.map(({ suite }) => suite))];
  return Object.keys(VARIATIONS).flatMap((variation) =>
    suites.flatMap((suite): readonly Loss[] => {
      const own = scored.filter(
        (one) => one.variation === variation && (suite === ALL_SUITES || one.suite === suite),
      );
      if (own.length === 0) return [];
      const asAsked = mean(own.map((one) => one.asAsked));
      const varied = mean(own.map((one) => one.varied));
      return [{ variation, suite, questions: own.length, asAsked, varied }];
    }),
  );
}

export function robustTable(losses: readonly Loss[]): string {
  const suites = [...new Set(losses.map(({ suite }) => suite))].filter(
    (suite) => suite !== ALL_SUITES,
  );
  const headings = ["ndcg10 of the changed questions", "questions", "as asked", "varied", "loss"];
  const rows = losses
    .filter(({ suite }) => suite === ALL_SUITES)
    .map((loss) => [
      loss.variation,
      loss.questions,
      share(loss.asAsked),
      share(loss.varied),
      lossOf(loss),
      ...suites.map((suite) =>
        lossOf(losses.find((one) => one.suite === suite && one.variation === loss.variation)),
      ),
    ]);
  return table([...headings, ...suites], rows);
}

function lossOf(loss: Loss | undefined): string | undefined {
  return loss && share(loss.asAsked - loss.varied);
}
