// How often the descriptions led to the wanted tool.
import type { Reading } from "./readings.ts";
import type { Task } from "./tasks.ts";

export interface TaskScore {
  readonly task: Task;
  /** The choices with their counts, most frequent first. */
  readonly chosen: readonly (readonly [tool: string, times: number])[];
  /** Share of the readings that chose the best tool. */
  readonly best: number;
  /** Share that chose the best tool or another tool that also answers the task. */
  readonly right: number;
}

/** In the order of the tasks. */
export function scoreTasks(
  tasks: readonly Task[],
  readings: readonly Reading[],
): readonly TaskScore[] {
  return tasks.map((task) => {
    const answers = readings.map(({ choices }) => choices[task.task] ?? "none");
    const times = Map.groupBy(answers, (tool) => tool);
    return {
      task,
      chosen: [...times]
        .map(([tool, all]) => [tool, all.length] as const)
        .toSorted(([, one], [, other]) => other - one),
      best: times.get(task.best)?.length ?? 0,
      right: answers.filter((tool) => isRight(task, tool)).length,
    };
  });
}

export function sumOf(scores: readonly TaskScore[], member: "best" | "right"): number {
  return scores.reduce((sum, score) => sum + score[member], 0);
}

function isRight({ best, accepted = [] }: Task, tool: string): boolean {
  return tool === best || accepted.includes(tool);
}
