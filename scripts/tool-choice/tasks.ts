// The tasks for which a model chooses a tool.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Below the root of the repository: the tasks, and the choices for them. */
export const CHOICES = "test/tools/choices";

export interface Task {
  /** The text for the model, which also identifies the task. */
  readonly task: string;
  /** The tool that answers it best. */
  readonly best: string;
  /** Others that answer it too. */
  readonly accepted?: readonly string[];
}

export function readTasks(root: string): readonly Task[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the project's own data, and tested
  return JSON.parse(readFileSync(join(root, CHOICES, "tasks.json"), "utf8")) as readonly Task[];
}
