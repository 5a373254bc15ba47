// Runs queries at many places: indexes each once and runs the queries of all suites about it.
import { join } from "node:path";

import { corpusPathsOf, type CorpusPaths } from "./corpus-paths.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import { corpusFolder, type CorpusStore } from "./prepare.ts";
import { readReply, type Answer } from "./reply.ts";
import { startSearch } from "./server.ts";
import { placeKey, type Place } from "./suites.ts";

export interface Asking {
  readonly place: Place;
  readonly query: string;
}

/** Answers, by place and question. */
export interface Answers {
  /** Undefined if the place could not be queried. */
  readonly get: (asking: Asking) => Answer | undefined;
  /** A sentence for each place that could not be indexed or queried. */
  readonly failures: readonly string[];
}

export interface AskOptions {
  /** The executable. */
  readonly svc: string;
  readonly store: CorpusStore;
  /** Places that are indexed and queried at the same time. */
  readonly jobs: number;
  readonly kept?: KeptAnswers | undefined;
  /** Called with a line of progress. */
  readonly report: (line: string) => void;
}

export async function askAll(
  askings: readonly Asking[],
  { svc, store, jobs, kept, report }: AskOptions,
): Promise<Answers> {
  const groups = [...Map.groupBy(askings, ({ place }) => placeKey(place))];
  const answers = new Map<string, ReadonlyMap<string, Answer>>();
  const failures: string[] = [];
  const queue = groups.entries();
  const work = async (): Promise<void> => {
    for (const [at, [key, group]] of queue) {
      const [first] = group;
      if (first === undefined) continue;
      const queries = new Set(group.map(({ query }) => query));
      const known = kept?.read(key, queries);
      if (known !== undefined) {
        answers.set(key, known);
        report(`[${at + 1}/${groups.length}] ${key}: answers of an earlier run`);
        continue;
      }
      try {
        const result = await askAt(first.place, queries, { svc, store });
        answers.set(key, result.answers);
        kept?.keep(key, result.answers);
        report(`[${at + 1}/${groups.length}] ${key}: ${result.line}`);
      } catch (failure) {
        failures.push(`${key}: ${failure instanceof Error ? failure.message : String(failure)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return { get: ({ place, query }) => answers.get(placeKey(place))?.get(query), failures };
}

async function askAt(
  place: Place,
  queries: ReadonlySet<string>,
  { svc, store }: Pick<AskOptions, "svc" | "store">,
): Promise<{ readonly answers: ReadonlyMap<string, Answer>; readonly line: string }> {
  const folder = corpusFolder(store, place.corpus);
  const paths = corpusPathsOf(folder, place.root);
  const server = await startSearch(svc, join(folder, place.root));
  const answers = new Map<string, Answer>();
  try {
    for (const query of queries) answers.set(query, await answerTo(query, server, paths));
  } finally {
    await server.close();
  }
  const seconds = (server.indexMs / 1000).toFixed(1);
  return { answers, line: `${paths.size} files, index ${seconds} s, ${queries.size} questions` };
}

async function answerTo(
  query: string,
  { ask }: { readonly ask: (query: string) => Promise<unknown> },
  paths: CorpusPaths,
): Promise<Answer> {
  const from = performance.now();
  try {
    const result = await ask(query);
    const ms = performance.now() - from;
    return { ...readReply(result, paths), ms };
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure);
    return { mentions: [], characters: 0, notes: "", ms: performance.now() - from, error };
  }
}
