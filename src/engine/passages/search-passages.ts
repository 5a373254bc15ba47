import { basename } from "node:path";

import type { SvcError } from "../../base/errors.ts";
import type { Tokenizer } from "../../chunk/words.ts";
import type { IndexReader } from "../../index/backend.ts";
import { mainLanguages } from "../../search/main-languages.ts";
import { parseQuery, type Project } from "../../search/parse-query.ts";
import { resultsAllowed } from "../../search/passages.ts";
import type { QuestionEmbedder } from "../../search/question-vector.ts";
import { rank, type Ranked } from "../../search/rank.ts";
import { respell, type Lexicon, type Respelling } from "../../search/spelling.ts";
import type { Source } from "../../sources/registry.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { Passage, SearchRequest } from "../engine.ts";
import { fileFilter } from "../files/file-filter.ts";
import { fitPassages, placesOf } from "./fit-passages.ts";
import type { Found } from "./places.ts";
import { reranked } from "./rerank.ts";

/** Pages beyond this are not worth ranking: a question whose answer is so deep wants other words. */
const DEEPEST_RESULT = 1000;
/** Files of an answer that has nothing good. */
const NEAREST = 5;

interface Sight {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
  readonly tokenizer: Tokenizer;
  readonly embedder: QuestionEmbedder;
}

/** Answers a question: ranks, reads the text as it is now, fits it to the budget. */
export async function searchPassages(
  sight: Sight,
  request: SearchRequest,
): Promise<{
  passages: readonly Passage[];
  nextCursor: string | undefined;
  isWeak: boolean;
  respellings: readonly Respelling[];
  rerankFailure: SvcError | undefined;
}> {
  const { limit, maxTokens, cursor, path, language, kinds } = request;
  const question = ["search", request.query, path, language, kinds];
  const offset = decodeCursor(question, cursor);
  const { text, respellings } = await respell(request.query, lexiconOf(sight));
  const query = parseQuery(text, sight.tokenizer, await projectOf(sight));
  const vector = sight.embedder.vectorOf(query.meaning);
  const { files: ranked, isWeak } = await rank(sight.reader, query, {
    limit: Math.min(offset + limit + 1, DEEPEST_RESULT),
    filter: fileFilter(request),
    meaning: vector && { vector, nearness: (name) => sight.embedder.nearness(name, vector) },
  });
  // What there is no room for is left to the next page.
  const room = resultsAllowed(maxTokens);
  const page = ranked.slice(offset, offset + Math.min(limit, room, isWeak ? NEAREST : room));
  const results = resultsOf(page, { among: limit, more: isWeak ? 0 : room - page.length });
  const { places, failure } = await reranked(await placesOf(sight, results), request);
  const isWhole = request.isWhole === true;
  const passages = fitPassages(places, { query, maxTokens, offset, isWeak, isWhole });
  const next = offset + page.length;
  const nextCursor = ranked.length > next ? encodeCursor(question, next) : undefined;
  return { passages, nextCursor, isWeak, respellings, rerankFailure: failure };
}

function lexiconOf({ reader, tokenizer, embedder }: Sight): Lexicon {
  return { tokenizer, termCounts: reader.termCounts, logProbability: embedder.logProbability };
}

/**
 * The best chunk of each file, and others where they are among the first `among` results, at most
 * `more` of them; best first.
 */
function resultsOf(
  files: readonly Ranked[],
  { among, more }: { among: number; more: number },
): readonly Found[] {
  let others = 0;
  return files
    .flatMap(({ chunks, ...file }) =>
      chunks.map(({ chunk, score }, at) => ({
        ...file,
        chunk,
        score,
        signals:
          at === 0 ? file.signals : { ...file.signals, "behind the best": score - file.score },
        isBest: at === 0,
      })),
    )
    .toSorted((one, other) => other.score - one.score)
    .filter(({ isBest }, at) => {
      if (isBest) return true;
      others += 1;
      return at < among && others <= more;
    });
}

async function projectOf({ reader, sources }: Sight): Promise<Project> {
  return {
    names: sources.map(({ root }) => basename(root)),
    languages: await mainLanguages(reader),
  };
}
