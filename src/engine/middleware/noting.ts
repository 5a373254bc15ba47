// Adds notes to results about outdated names in their lines. Notes are not cached, because they change without the
// index.

import type { TextReader } from "../../sources/text/port.ts";
import type { NotesRenewal } from "../drift/notes-renewal.ts";
import type { NotedPart, OutdatedNotes } from "../drift/outdated-notes.ts";
import { maskedTexts } from "../files/masked-texts.ts";
import type { OpenIndex } from "../open-indexes.ts";
import type { QueryCall } from "./caching.ts";
import type { Middleware } from "./middleware.ts";

interface NotingOptions {
  readonly notes: OutdatedNotes;
  readonly renewal: Pick<NotesRenewal, "pausedDuring">;
  readonly textsOf: (index: OpenIndex) => TextReader;
}

/** The member of an answer with its results, by the name of the query. */
const RESULTS: Readonly<Record<string, string>> = { search: "passages", read: "parts" };

/** Adds notes to the results of a query. No renewal works while it runs. */
export function noting({ notes, renewal, textsOf }: NotingOptions): Middleware<QueryCall> {
  return async (call, next) => {
    const { name, request, index } = call;
    // It may wait for the commits that a renewal reads.
    const isPaused = name !== "drift";
    const answer = await (isPaused ? renewal.pausedDuring(() => next(call)) : next(call));
    const member = RESULTS[name];
    const isPast = "at" in request && request.at !== undefined;
    if (member === undefined || isPast) return answer;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as these queries answer
    const { [member]: parts = [] } = answer as Readonly<Record<string, readonly NotedPart[]>>;
    const context = { ...index, texts: maskedTexts(textsOf(index), index.reader.file) };
    return { ...answer, [member]: await notes.added(context, parts) };
  };
}
