// The cost of a query in words on a warm server: finding and ranking, without reading the
// files of the answer.
import { join } from "node:path";

import type { AskInput } from "./ask-script.ts";
import { figure, figure95, type Figure } from "./figure.ts";
import { QUESTIONS } from "./generic-questions.ts";
import { runScript } from "./processes.ts";
import type { Extent, IndexedTree } from "./tree.ts";

const ASK_SCRIPT = join(import.meta.dirname, "ask-script.ts");

export async function wordQuestions(
  { dataDirectory, namespace, sources }: IndexedTree,
  { isSmoke }: Extent,
): Promise<readonly Figure[]> {
  const rounds = isSmoke ? 3 : 10;
  const input: AskInput = {
    kind: "words",
    dataDirectory,
    namespace,
    sources,
    questions: QUESTIONS,
    rounds,
    limit: 10,
  };
  const times = (await runScript<readonly (readonly number[])[]>(ASK_SCRIPT, input)).flat();
  const details = { unit: "cpu ms", work: "chunks" } as const;
  return [
    figure("question in words, median", times, details),
    figure95("question in words, p95", times, {
      ...details,
      target: "2 ms for 50k chunks, 10 ms for 1M",
    }),
  ];
}
