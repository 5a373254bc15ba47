import { onTestFinished } from "vitest";

import { explainPlace, type PlaceAnswer } from "../../../src/engine/why/explain-place.ts";
import { whyPlace } from "../../../src/engine/why/why-target.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { indexOf, type IndexedTree } from "../../helpers/indexed-tree.ts";

/** A repository and its index, until the test ends. */
export interface WhyRepository extends GitRepository {
  readonly index: IndexedTree;
  /** Indexes the work tree and explains a place in it. */
  readonly explain: (question: string, limit?: number) => Promise<PlaceAnswer>;
}

export const { signal } = new AbortController();

export function whyRepository(): WhyRepository {
  const created = gitRepository();
  const index = indexOf(created.path, { memory: true }, created.dispose);
  onTestFinished(index.dispose);
  return {
    ...created,
    index,
    explain: async (question, limit = 10) => {
      await index.run();
      const context = await index.queryContext();
      const place = await whyPlace(context, question, "place");
      if (place === undefined) throw new Error("no place");
      return explainPlace(index.sources, place, { limit, signal });
    },
  };
}

/** `subject: why; why` of each commit. */
export function summaryOf({ commits }: Pick<PlaceAnswer, "commits">): readonly string[] {
  return commits.map(({ subject, why }) => `${subject}: ${why.join("; ")}`);
}

export function linesOf(...lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
