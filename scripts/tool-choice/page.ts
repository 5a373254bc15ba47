// The section of docs/tools.md on the tools that the descriptions lead to.
import { markdownTable } from "../generate/markdown.ts";
import type { Reading } from "./readings.ts";
import { scoreTasks, sumOf, type TaskScore } from "./score.ts";
import type { Task } from "./tasks.ts";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];

/** Empty if there are no readings yet. */
export function choicesSection(tasks: readonly Task[], readings: readonly Reading[]): string {
  if (readings.length === 0) return "";
  const scores = scoreTasks(tasks, readings);
  const count = readings.length;
  const all = tasks.length * count;
  const best = sumOf(scores, "best");
  const rest = sumOf(scores, "right") - best;
  return [
    "## Which tool the descriptions lead to",
    `${tasks.length} tasks, and the tool that was chosen for each: ${NUMBERS[count] ?? count} readings by a language model that saw the \`tools/list\` answer and the task and nothing else, with the tasks in another order each time.`,
    `The wanted tool was chosen in ${best} of ${all} cases${rest === 0 ? "" : `, and one that answers the task too in ${rest} more`}.`,
    markdownTable(
      ["task", "wanted", "chosen", "wanted was chosen"],
      scores.map((score) => rowOf(score, count)),
    ),
  ].join("\n\n");
}

function rowOf({ task, chosen, best }: TaskScore, count: number): readonly string[] {
  const others = (task.accepted ?? []).map((tool) => ` or \`${tool}\``).join("");
  const tools = chosen.map(([tool, times]) =>
    times === count ? `\`${tool}\`` : `\`${tool}\` (${times} of ${count})`,
  );
  return [`“${task.task}”`, `\`${task.best}\`${others}`, tools.join(", "), `${best} of ${count}`];
}
