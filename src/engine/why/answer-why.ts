// Answers why code is what it is, from the history of its repository.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { Tokenizer } from "../../parse/tokenizer.ts";
import type { WhyRequest, WhyResult } from "../api/why.ts";
import type { ReadDependencies } from "../middleware/read-dependencies.ts";
import type { QueryContext } from "../query-context.ts";
import type { CommitIndexer } from "./commit-indexer.ts";
import { explainPlace } from "./explain-place.ts";
import { explainWords } from "./explain-words.ts";
import { whyPlace } from "./why-target.ts";

interface WhyContext extends QueryContext {
  readonly namespace: AuthorizedNamespace;
  readonly dependencies: ReadDependencies;
  readonly tokenizer: Tokenizer;
  readonly indexer: CommitIndexer;
}

/** Throws the errors of `whyPlace`, `explainPlace` and `explainWords`. */
export async function answerWhy(context: WhyContext, request: WhyRequest): Promise<WhyResult> {
  const { namespace, sources, reader, dependencies } = context;
  // Commits do not change the index.
  for (const source of sources) dependencies.dependOnHistory(source);
  const place = await whyPlace(context, request.question, request.kind);
  const answer =
    place === undefined
      ? { target: undefined, moreCommits: 0, ...(await explainWords(context, request)) }
      : await explainPlace(sources, place, request);
  if (answer.partial.length > 0) dependencies.markUncacheable();
  const kind = place === undefined ? "words" : "place";
  return { namespace, generation: reader.version.at, kind, ...answer };
}
